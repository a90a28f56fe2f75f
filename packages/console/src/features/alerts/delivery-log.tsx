import type { AlertChannel, AlertDelivery } from '@bidwell/contract/alerts/schema';
import { Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { alertDeliveriesQuery, replayAlertDelivery } from '../../entities/alerts/queries.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { PageLoader } from '../../ui/layout/page-loader.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';

interface DeliveryLogProps {
  channel: AlertChannel;
  mayWrite: boolean;
}

/** The latest deliveries to a channel: what became of each, and a button that sends it once more. */
export function DeliveryLog({ channel, mayWrite }: DeliveryLogProps) {
  const { data: deliveries, error } = useQuery(alertDeliveriesQuery(channel.uuid));
  if (error && !deliveries) return <ErrorText size="sm">{error.message}</ErrorText>;
  if (!deliveries) return <PageLoader />;
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was sent yet. Send a test to see whether it arrives.
      </Text>
    );
  return (
    <ScrollFrame minWidth={560}>
      <Table fz="sm" aria-label="Deliveries">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Alert</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Response</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.uuid}
              delivery={delivery}
              channelUuid={channel.uuid}
              mayReplay={mayWrite && channel.is_enabled && delivery.status !== 'waiting'}
            />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  );
}

interface DeliveryRowProps {
  delivery: AlertDelivery;
  channelUuid: string;
  mayReplay: boolean;
}

function DeliveryRow({ delivery, channelUuid, mayReplay }: DeliveryRowProps) {
  const { uuid, title, status, attempts, created_at, next_attempt_at: nextAt } = delivery;
  const { save: replay, busy } = useSave({ send: () => replayAlertDelivery(channelUuid, uuid) });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{title}</Text>
        <Text size="xs" c="dimmed">
          {formatMoment(created_at)}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
        {attempts > 1 && (
          <Text size="xs" c="dimmed">
            {attempts} tries
          </Text>
        )}
        {attempts > 0 && nextAt && (
          <Text size="xs" c="dimmed">
            Next {formatMoment(nextAt)}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {delivery.response_status !== null && <Text size="sm">HTTP {delivery.response_status}</Text>}
        <Text size="xs" c="dimmed">
          {delivery.error ?? delivery.response_start}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {mayReplay && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            loading={busy}
            onClick={() => replay()}
            aria-label={`Send “${title}” again`}
          >
            Send again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
