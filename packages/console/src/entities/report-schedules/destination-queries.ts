import * as endpoints from '@bidwell/contract/report-schedules/destination-endpoints';
import type {
  NewReportDestination,
  ReportDestinationInput,
  ReportDestinationTest,
} from '@bidwell/contract/report-schedules/destination-schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The webhooks and buckets of the company that reports may be sent to. */
export const reportDestinationsQuery = queryOptions({
  queryKey: ['report-destinations'],
  queryFn: async () => (await api.call(endpoints.listReportDestinations)).destinations,
});

/** Adds a destination; only this response has the secret of a webhook. */
export async function createReportDestination(input: ReportDestinationInput): Promise<NewReportDestination> {
  const made = await api.call(endpoints.createReportDestination, { body: input });
  await refetchDestinations();
  return made;
}

export async function deleteReportDestination(uuid: string): Promise<void> {
  await api.call(endpoints.deleteReportDestination, { params: { uuid } });
  await refetchDestinations();
}

/** Sends a test, and resolves to its outcome. */
export const testReportDestination = async (uuid: string): Promise<ReportDestinationTest> =>
  api.call(endpoints.testReportDestination, { params: { uuid } });

const refetchDestinations = async () =>
  queryClient.invalidateQueries({ queryKey: reportDestinationsQuery.queryKey });
