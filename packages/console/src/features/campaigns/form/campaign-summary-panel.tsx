import { FailureNotice } from '../../../ui/chart/figure-frame.tsx';
import { Anchor, List, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { type Loadable, isKnown } from '../../../lib/loadable.ts';
import { reviewNext } from '../campaign-review.ts';
import { Muted } from '../../../ui/layout/text.tsx';
import type { ChecklistItem, Fix } from './start-checklist.ts';

interface CampaignSummaryPanelProps {
  outcome: readonly string[];
  missing: readonly ChecklistItem[];
  /** The data that `missing` depends on: until it is known, more may be missing. */
  needs: Loadable;
  /** Leads to where a missing thing can be given. */
  onFix: (fix: Fix) => void;
  /** Whether the campaign starts once it is approved. */
  startsByItself: boolean;
}

/** Live summary next to the campaign form. What is missing links to its field or form. */
export function CampaignSummaryPanel({
  outcome,
  missing,
  needs,
  onFix,
  startsByItself,
}: CampaignSummaryPanelProps) {
  const isReady = isKnown(needs) && missing.length === 0;
  return (
    <Paper withBorder p="md" component="section" aria-label="Summary">
      <Stack gap="sm">
        <Text fw={600} component="h2" size="sm">
          What will happen
        </Text>
        <List size="sm" spacing={6} withPadding={false}>
          {outcome.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        <Text fw={600} component="h2" size="sm" mt={4} id="start-checklist">
          {isReady ? 'Ready to start' : 'Required before the start'}
        </Text>
        {isReady ? (
          <List size="sm" pl={0} icon={<Mark color="green" icon={IconCircleCheck} />}>
            <List.Item>Everything is in place.</List.Item>
          </List>
        ) : (
          missing.length > 0 && (
            <List size="sm" spacing={6} pl={0} aria-labelledby="start-checklist">
              {missing.map((item) => (
                <ChecklistEntry key={item.text} item={item} onFix={onFix} />
              ))}
            </List>
          )
        )}
        {needs.state === 'loading' && (
          <Skeleton role="img" height={20} aria-label="Loading what else is required" />
        )}
        <FailureNotice figures={needs} what="What else is required" m={0} />
        {missing.some(({ isReview }) => isReview) && <Muted>{reviewNext(startsByItself)}</Muted>}
      </Stack>
    </Paper>
  );
}

interface ChecklistEntryProps {
  item: ChecklistItem;
  onFix: (fix: Fix) => void;
}

function ChecklistEntry({ item: { text, fix, isReview }, onFix }: ChecklistEntryProps) {
  const mark = isReview ? (
    <Mark color="accent" icon={IconClock} />
  ) : (
    <Mark color="orange" icon={IconAlertTriangle} />
  );
  return (
    <List.Item icon={mark}>
      {fix ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onFix(fix)}>
          {text}
        </Anchor>
      ) : (
        text
      )}
    </List.Item>
  );
}

function Mark({ color, icon: Icon }: { color: string; icon: typeof IconCircleCheck }) {
  return (
    <ThemeIcon color={color} variant="light" size={20} radius="xl">
      <Icon size={14} />
    </ThemeIcon>
  );
}
