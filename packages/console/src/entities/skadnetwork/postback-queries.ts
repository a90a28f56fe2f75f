import type { PostbackKey } from '@bidwell/contract/skadnetwork/report';
import { comparePostbacks, reportPostbacks } from '@bidwell/contract/skadnetwork/report-endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { pollingInterval } from '../../lib/live/connection-state.ts';

const POLL_MS = 60_000;

/** Postbacks of SKAdNetwork and AdAttributionKit by keys, of all apps or of one. */
export const postbacksQuery = (range: DateRange, by: readonly PostbackKey[], appId: string | undefined) =>
  queryOptions({
    queryKey: ['analytics', 'skadnetwork', range, by, appId],
    queryFn: () =>
      api.call(reportPostbacks, {
        body: { start_date: range.start, end_date: range.end, by: [...by], app_uuid: appId },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** Installs by postbacks and by measurement partners. */
export const comparisonQuery = (range: DateRange, appId: string | undefined) =>
  queryOptions({
    queryKey: ['analytics', 'skadnetwork', 'comparison', range, appId],
    queryFn: () =>
      api.call(comparePostbacks, {
        query: { start_date: range.start, end_date: range.end, app_uuid: appId },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });
