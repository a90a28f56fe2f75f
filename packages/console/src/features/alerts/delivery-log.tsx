import type { AlertChannel, AlertDelivery } from '@bidwell/contract/alerts/schema';
import { Text } from '@mantine/core';
import { useLoadable } from '../../lib/loadable.ts';
import { alertDeliveriesQuery, replayAlertDelivery } from '../../entities/alerts/queries.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { QuietButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

/** The latest deliveries to a channel with their outcome, and a button that sends one again. */
export function DeliveryLog({ channel, mayWrite }: { channel: AlertChannel; mayWrite: boolean }) {
  const deliveries = useLoadable(alertDeliveriesQuery(channel.uuid));
  return (
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
            delivery.status !== 'waiting' && <ReplayButton channelUuid={channel.uuid} delivery={delivery} />,
        },
      ]}
      rows={deliveries}
      rowId={({ uuid }) => uuid}
      minWidth={560}
      cards
    />
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
