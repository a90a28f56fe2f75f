import type { AlertChannel, AlertDelivery } from '@bidwell/contract/alerts/schema';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { loadableOf, mapped, shownInPlace } from '../../lib/loadable.ts';
import { alertDeliveriesQuery, replayAlertDelivery } from '../../entities/alerts/queries.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { QuietButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

/** The deliveries to a channel with their outcome, a page at a time, and a button that sends one again. */
export function DeliveryLog({ channel, mayWrite }: { channel: AlertChannel; mayWrite: boolean }) {
  const query = useInfiniteQuery({ ...alertDeliveriesQuery(channel.uuid), meta: shownInPlace });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const pages = loadableOf(query);
  return (
    <>
      <RecordTable
        label="Deliveries"
        what="The deliveries"
        empty={<Muted>Nothing has been sent yet. Send a test to see whether it arrives.</Muted>}
        columns={[
          ...columns,
          {
            header: 'Actions',
            actions: true,
            cell: (delivery) =>
              mayWrite &&
              channel.is_enabled &&
              delivery.status !== 'waiting' && (
                <ReplayButton channelUuid={channel.uuid} delivery={delivery} />
              ),
          },
        ]}
        rows={mapped(pages, (known) => known.pages.flatMap(({ deliveries }) => deliveries))}
        rowId={({ uuid }) => uuid}
        minWidth={560}
        cards
      />
      {hasNextPage && (
        <SecondaryButton mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </SecondaryButton>
      )}
    </>
  );
}

const columns: readonly RecordColumn<AlertDelivery>[] = [
  {
    header: 'Alert',
    cell: ({ title, created_at: createdAt }) => (
      <>
        <Text size="sm">{title}</Text>
        <Caption>{formatMoment(createdAt)}</Caption>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, attempts, next_attempt_at: nextAt }) => (
      <>
        <StatusBadge status={status} />
        {attempts > 1 && <Caption>{attempts} tries</Caption>}
        {attempts > 0 && nextAt && <Caption>Next {formatMoment(nextAt)}</Caption>}
      </>
    ),
  },
  {
    header: 'Response',
    wrap: 'anywhere',
    cell: ({ response_status: responseStatus, response_start: start, error }) => (
      <>
        {responseStatus !== null && <Text size="sm">HTTP {responseStatus}</Text>}
        <Caption>{error ?? start}</Caption>
      </>
    ),
  },
];

function ReplayButton({ channelUuid, delivery }: { channelUuid: string; delivery: AlertDelivery }) {
  const { uuid, title } = delivery;
  const { save: replay, busy } = useSave({ send: () => replayAlertDelivery(channelUuid, uuid) });
  return (
    <QuietButton loading={busy} onClick={() => replay()} aria-label={`Send “${title}” again`}>
      Send again
    </QuietButton>
  );
}
