import type { ReportRun, ReportSchedule } from '@bidwell/contract/report-schedules/schema';
import { Text } from '@mantine/core';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import { reportRunsQuery } from '../../../entities/report-schedules/queries.ts';
import { formatMoment, formatNumber } from '../../../lib/format/format.ts';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { type RecordColumn, RecordTable } from '../../../ui/table/record-table.tsx';
import { daysOf, mailsText } from './schedule-values.ts';

/** The latest reports of a schedule, with their outcomes. */
export function RunLog({ schedule }: { schedule: ReportSchedule }) {
  const runs = useLoadable(reportRunsQuery(schedule.uuid));
  const hasDestinations = isKnown(runs) && runs.data.some((run) => run.deliveries.length > 0);
  return (
    <RecordTable
      label="Reports that were sent"
      what="The reports that were sent"
      empty={<Muted>Nothing has been sent yet. “Send now” sends the report of the latest period.</Muted>}
      columns={[...columns, ...(hasDestinations ? [destinations] : [])]}
      rows={runs}
      rowId={({ uuid }) => uuid}
      minWidth={hasDestinations ? 720 : 480}
      cards
    />
  );
}

const columns: readonly RecordColumn<ReportRun>[] = [
  {
    header: 'Days',
    wrap: 'never',
    cell: daysOf,
  },
  {
    header: 'Status',
    cell: ({ status, error, finished_at: finishedAt }) => (
      <>
        <StatusBadge status={status} />
        <Caption>{error ?? (finishedAt && formatMoment(finishedAt))}</Caption>
      </>
    ),
  },
  { header: 'Rows', numeric: true, cell: ({ rows }) => (rows === null ? '–' : formatNumber(rows)) },
  { header: 'Mails', numeric: true, cell: mailsText },
];

const destinations: RecordColumn<ReportRun> = {
  header: 'Destinations',
  cell: ({ status, deliveries }) =>
    deliveries.map((delivery) => (
      <Delivery
        key={delivery.destination_uuid}
        delivery={delivery}
        isUnderWay={status === 'waiting' && !delivery.is_delivered && delivery.error === null}
      />
    )),
};

/** The outcome of a report at one destination. */
function Delivery({
  delivery,
  isUnderWay,
}: {
  delivery: ReportRun['deliveries'][number];
  /** Whether its outcome is still to come. */
  isUnderWay: boolean;
}) {
  const { name, is_delivered: isDelivered, attempts, response_status: status, error } = delivery;
  const details = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(error === null ? [] : [error]),
  ];
  return (
    <div>
      <Text size="sm">{name}</Text>
      <StatusBadge status={isUnderWay ? 'waiting' : isDelivered ? 'delivered' : 'failed'} />
      <Caption style={{ overflowWrap: 'anywhere' }}>{details.join(', ')}</Caption>
    </div>
  );
}
