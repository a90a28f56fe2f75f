import type { ModerationItem, ReviewedCompany } from '@bidwell/contract/moderation/schema';
import { Anchor, Badge, Button, Group, Kbd, Paper, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { ageText, kindNames } from './kinds.ts';
import { ReviewFacts } from './review-facts.tsx';
import { ReviewPreview } from './review-preview.tsx';
import classes from './review.module.css';
import { useNow } from './use-now.ts';

interface ReviewItemProps {
  item: ModerationItem;
  company: ReviewedCompany | undefined;
  onCompany: (uuid: string) => void;
}

/** One item: its preview, with the facts for the decision. */
export function ReviewItem({ item, company, onCompany }: ReviewItemProps) {
  const nowMs = useNow();
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {item.name}
          </Title>
          <Muted>
            <Anchor component="button" type="button" size="sm" onClick={() => onCompany(item.company_uuid)}>
              {item.company_name}
            </Anchor>{' '}
            · waits for {ageText(item.since, nowMs)}
          </Muted>
        </div>
        <Group gap={6}>
          {item.approved && (
            <Badge variant="default" radius="sm" leftSection={<IconPencil size={12} />}>
              Changed
            </Badge>
          )}
          <Badge variant="default" radius="sm">
            {kindNames[item.kind].one}
          </Badge>
        </Group>
      </Group>
      <div className={classes['item']}>
        <div className={classes['stage']}>
          <ReviewPreview key={item.uuid} item={item} />
        </div>
        <ReviewFacts item={item} company={company} />
      </div>
    </>
  );
}

interface DecisionBarProps {
  /** Place of the current item in the queue, from 1. */
  place: number;
  count: number;
  /** Number of selected items; 0 decides on the current one. */
  selected: number;
  mayDecide: boolean;
  onApprove: () => void;
  onReject: () => void;
  onMove: (by: 1 | -1) => void;
}

/** Buttons that decide and move on, with their keys. */
export function DecisionBar(props: DecisionBarProps) {
  const { place, count, selected, mayDecide, onApprove, onReject, onMove } = props;
  const many = selected > 0 ? ` ${selected} selected` : '';
  return (
    <Paper className={classes['bar']} radius={0} role="toolbar" aria-label="Decision">
      {mayDecide && (
        <>
          <Button leftSection={<IconCheck size={16} />} rightSection={<Key name="A" />} onClick={onApprove}>
            Approve{many}
          </Button>
          <Button
            color="red.8"
            leftSection={<IconX size={16} />}
            rightSection={<Key name="R" />}
            onClick={onReject}
          >
            Reject{many}
          </Button>
        </>
      )}
      <Caption ml="auto" visibleFrom="sm">
        {place} of {count}
      </Caption>
      <Button.Group ml={{ base: 'auto', sm: 0 }}>
        <SecondaryButton px="sm" aria-label="Previous" disabled={place <= 1} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} />
        </SecondaryButton>
        <SecondaryButton px="sm" aria-label="Next" disabled={place >= count} onClick={() => onMove(1)}>
          <IconArrowDown size={16} />
        </SecondaryButton>
      </Button.Group>
    </Paper>
  );
}

/** The key of a button; phones have none. */
function Key({ name }: { name: string }) {
  return (
    <Kbd size="xs" visibleFrom="sm" aria-hidden>
      {name}
    </Kbd>
  );
}
