import * as endpoints from '@bidwell/contract/report-schedules/endpoints';
import type { ReportRun, ReportScheduleInput } from '@bidwell/contract/report-schedules/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollInterval } from '../../lib/api/poll-interval.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The scheduled reports of the company; read again while one waits. */
export const reportSchedulesQuery = queryOptions({
  queryKey: ['report-schedules'],
  queryFn: () => api.call(endpoints.listReportSchedules),
  refetchInterval: ({ state }) =>
    pollInterval(state.data?.schedules.flatMap(({ last_run: run }) => run ?? [])),
});

/** The latest reports of a schedule; read again while one waits. */
export const reportRunsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['report-runs', uuid],
    queryFn: async () => (await api.call(endpoints.listReportRuns, { params: { uuid } })).runs,
    refetchInterval: ({ state }) => pollInterval(state.data),
  });

export async function createReportSchedule(input: ReportScheduleInput): Promise<void> {
  await api.call(endpoints.createReportSchedule, { body: input });
  await refetchSchedules();
}

export async function updateReportSchedule(
  uuid: string,
  input: ReportScheduleInput,
  version: string | undefined,
): Promise<void> {
  try {
    await api.change(endpoints.updateReportSchedule, version, { params: { uuid }, body: input });
  } finally {
    await refetchSchedules();
  }
}

export async function deleteReportSchedule(uuid: string): Promise<void> {
  await api.call(endpoints.deleteReportSchedule, { params: { uuid } });
  await refetchSchedules();
}

/** Sends the report of the latest period that was due. */
export async function sendReportNow(uuid: string): Promise<ReportRun> {
  const run = await api.call(endpoints.sendReportNow, { params: { uuid } });
  await Promise.all([
    refetchSchedules(),
    queryClient.invalidateQueries({ queryKey: reportRunsQuery(uuid).queryKey }),
  ]);
  return run;
}

/** Ends the mails of the report and person of a link. */
export const unsubscribeReport = async (token: string): Promise<{ name: string }> =>
  api.call(endpoints.unsubscribeReport, { params: { token } });

const refetchSchedules = async () =>
  queryClient.invalidateQueries({ queryKey: reportSchedulesQuery.queryKey });
