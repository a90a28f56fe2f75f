import type { ReportRun, ReportSchedule } from '@bidwell/contract/report-schedules/schema';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reportRunsQuery } from '../../../entities/report-schedules/queries.ts';
import { formatDay, formatMoment, formatNumber } from '../../../lib/format/format.ts';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { PageLoader } from '../../../ui/layout/page-loader.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { ScrollFrame } from '../../../ui/table/scroll-frame.tsx';
import { mailsText } from './schedule-values.ts';

/** The latest reports of a schedule, and what became of each. */
export function RunLog({ schedule }: { schedule: ReportSchedule }) {
  const { data: runs, error } = useQuery(reportRunsQuery(schedule.uuid));
  if (error && !runs) return <ErrorText size="sm">{error.message}</ErrorText>;
  if (!runs) return <PageLoader />;
  if (runs.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was sent yet. “Send now” sends the report of the latest period.
      </Text>
    );
  const hasDestinations = runs.some((run) => run.deliveries.length > 0);
  return (
    <ScrollFrame minWidth={hasDestinations ? 720 : 480}>
      <Table fz="sm" aria-label="Reports that were sent">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Days</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th ta="right">Mails</Table.Th>
            {hasDestinations && <Table.Th>Destinations</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.uuid}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {run.start_date === run.end_date
                  ? formatDay(run.start_date)
                  : `${formatDay(run.start_date)} – ${formatDay(run.end_date)}`}
              </Table.Td>
              <Table.Td>
                <StatusBadge status={run.status} />
                <Text size="xs" c="dimmed">
                  {run.error ?? (run.finished_at && formatMoment(run.finished_at))}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{run.rows === null ? '–' : formatNumber(run.rows)}</Table.Td>
              <Table.Td ta="right">{mailsText(run)}</Table.Td>
              {hasDestinations && (
                <Table.Td>
                  {run.deliveries.map((delivery) => (
                    <Delivery key={delivery.destination_uuid} delivery={delivery} />
                  ))}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  );
}

/** What became of a report at one destination. */
function Delivery({ delivery }: { delivery: ReportRun['deliveries'][number] }) {
  const { name, is_delivered: isDelivered, attempts, response_status: status, error } = delivery;
  const details = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(error === null ? [] : [error]),
  ];
  return (
    <div>
      <Text size="sm">{name}</Text>
      <StatusBadge status={isDelivered ? 'delivered' : 'failed'} />
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {details.join(', ')}
      </Text>
    </div>
  );
}
