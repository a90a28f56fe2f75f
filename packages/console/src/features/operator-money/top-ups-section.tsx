import { decideTopUp as endpoint } from '@bidwell/contract/operator/endpoints';
import type { TopUpItem } from '@bidwell/contract/operator/schema';
import { Button, Group, Modal, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment, formatMoney } from '../../lib/format/format.ts';
import { decideTopUp } from '../../entities/companies/queries.ts';
import { topUpsQuery } from '../../entities/operator/money-queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton, SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption, LongText, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { useSave } from '../../ui/form/use-save.ts';

interface Decision {
  item: TopUpItem;
  status: 'success' | 'declined';
}

/** Top-ups that companies requested, with the decision on each. */
export function TopUpsSection() {
  const figures = useLoadable(topUpsQuery);
  const items = knownData(figures);
  const [decision, setDecision] = useState<Decision | null>(null);
  const [opened, { open, close }] = useDisclosure(false);
  const openDecision = (next: Decision) => {
    setDecision(next);
    open();
  };
  const mayDecide = useMayCall(endpoint.permission);
  return (
    <Section title="Top-up requests" flush>
      <FigureFrame
        figures={figures}
        what="The requests"
        noticeMargin="sm"
        skeleton={<TopUpTable items={undefined} onDecide={mayDecide ? openDecision : undefined} />}
      >
        {items?.length === 0 && (
          <Muted px="md" pb="md">
            No request is waiting for a decision.
          </Muted>
        )}
        {items && items.length > 0 && (
          <TopUpTable items={items} onDecide={mayDecide ? openDecision : undefined} />
        )}
      </FigureFrame>
      <Modal
        opened={opened}
        onClose={close}
        title={decision?.status === 'success' ? 'Confirm this top-up?' : 'Decline this top-up?'}
      >
        {decision && <DecisionForm {...decision} onDone={close} />}
      </Modal>
    </Section>
  );
}

function TopUpTable({
  items,
  onDecide,
}: {
  /** Undefined while they load. */
  items: readonly TopUpItem[] | undefined;
  onDecide: ((decision: Decision) => void) | undefined;
}) {
  return (
    <Table verticalSpacing="xs" aria-label="Top-up requests">
      <Table.Thead>
        <Table.Tr>
          <Table.Th ps="md">Company</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
          {onDecide && (
            <Table.Th pe="md">
              <VisuallyHidden>Decision</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items ? (
          items.map((item) => <TopUpRow key={item.uuid} item={item} onDecide={onDecide} />)
        ) : (
          <LoadingRow hasDecision={onDecide !== undefined} />
        )}
      </Table.Tbody>
    </Table>
  );
}

/** In place of the requests while they load. */
function LoadingRow({ hasDecision }: { hasDecision: boolean }) {
  return (
    <Table.Tr data-skeleton="row" aria-hidden>
      <Table.Td ps="md">
        <SkeletonBar width={120} />
        <Text size="xs">
          <SkeletonBar width={170} />
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <SkeletonBar width={72} />
      </Table.Td>
      {hasDecision && <Table.Td />}
    </Table.Tr>
  );
}

interface TopUpRowProps {
  item: TopUpItem;
  onDecide: ((decision: Decision) => void) | undefined;
}

function TopUpRow({ item, onDecide }: TopUpRowProps) {
  return (
    <Table.Tr>
      <Table.Td ps="md" style={{ overflowWrap: 'anywhere' }}>
        <CompanyLink uuid={item.company_uuid}>{item.company_name}</CompanyLink>
        <Caption>Requested {formatMoment(item.created_at)}</Caption>
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {formatMoney(item.amount)}
      </Table.Td>
      {onDecide && (
        <Table.Td pe="md">
          {/* On a phone the buttons are below each other, so that the table needs no scrolling. */}
          <Group gap="xs" justify="flex-end">
            <Button
              size="compact-sm"
              aria-label={`Confirm ${formatMoney(item.amount)} of ${item.company_name}`}
              onClick={() => onDecide({ item, status: 'success' })}
            >
              Confirm
            </Button>
            <SmallButton
              aria-label={`Decline ${formatMoney(item.amount)} of ${item.company_name}`}
              onClick={() => onDecide({ item, status: 'declined' })}
            >
              Decline
            </SmallButton>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function DecisionForm({ item, status, onDone }: Decision & { onDone: () => void }) {
  const confirms = status === 'success';
  const amount = formatMoney(item.amount);
  const { save: decide, busy } = useSave({
    send: () => decideTopUp(item.uuid, status),
    done: `${amount} ${confirms ? 'added to the balance' : 'declined'}`,
    onSaved: onDone,
  });
  return (
    <>
      <LongText mb="md">
        {confirms
          ? `${amount} is added to the balance of ${item.company_name}. The company is notified.`
          : `The request of ${item.company_name} for ${amount} is declined. The company is notified.`}
      </LongText>
      <Group justify="flex-end">
        <SecondaryButton onClick={onDone}>Cancel</SecondaryButton>
        <Button data-autofocus loading={busy} {...(!confirms && { color: 'red.8' })} onClick={() => decide()}>
          {confirms ? 'Confirm' : 'Decline'}
        </Button>
      </Group>
    </>
  );
}
