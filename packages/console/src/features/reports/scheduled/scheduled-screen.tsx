import type { DataOf } from '@bidwell/contract/lib/endpoint';
import type { listReportSchedules } from '@bidwell/contract/report-schedules/endpoints';
import { Stack, Text } from '@mantine/core';
import { useLoadable } from '../../../lib/loadable.ts';
import { reportSchedulesQuery } from '../../../entities/report-schedules/queries.ts';
import { useMay } from '../../../lib/api/use-may.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { RecordTable } from '../../../ui/table/record-table.tsx';
import { ReportViews } from '../report-views.tsx';
import { Destinations } from './destinations/destinations.tsx';
import { scheduleColumns } from './schedule-columns.tsx';
import { Warehouse } from './warehouse/warehouse.tsx';

/** /reports/scheduled: the reports that are sent regularly, their outcomes, and their destinations. */
export function ScheduledScreen() {
  const mayWriteSchedules = useMay('report_schedule.write') ?? false;
  const mayWriteDestinations = useMay('report_destination.write') ?? false;
  return (
    <>
      <PageHeader
        title="Scheduled reports"
        description="Sent to people, servers and buckets of your company, at an hour of its time zone."
      />
      <ReportViews />
      <Stack gap="lg">
        <div>
          <Schedules mayWrite={mayWriteSchedules} />
        </div>
        <Destinations mayWrite={mayWriteDestinations} />
        <Warehouse mayWrite={mayWriteDestinations} />
      </Stack>
    </>
  );
}

function Schedules({ mayWrite }: { mayWrite: boolean }) {
  const list = useLoadable(reportSchedulesQuery);
  return (
    <FigureFrame figures={list} what="The scheduled reports" skeleton={<ListSkeleton height={48} />}>
      {(data) => <KnownSchedules data={data} mayWrite={mayWrite} />}
    </FigureFrame>
  );
}

function KnownSchedules({ data, mayWrite }: { data: DataOf<typeof listReportSchedules>; mayWrite: boolean }) {
  return (
    <>
      {!data.is_mailed && data.schedules.some(({ user_uuids: people }) => people.length > 0) && (
        <Text size="sm" mb="sm" role="alert">
          People get none of these reports: this server sends no mails. An operator has to set up a mail
          server first.
        </Text>
      )}
      {data.schedules.length === 0 ? (
        <>
          <Muted mb="sm">
            No report is scheduled yet. Choose filters, levels and metrics of a report, and then “Schedule”.
          </Muted>
          <ButtonLink to="/reports" variant="default">
            Open the reports
          </ButtonLink>
        </>
      ) : (
        <RecordTable
          label="Scheduled reports"
          columns={scheduleColumns(mayWrite)}
          rows={data.schedules}
          rowId={({ uuid }) => uuid}
          minWidth={760}
          cards
        />
      )}
    </>
  );
}
