import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { pollingInterval } from '../connection-state.ts';
import type { DateRange } from '../date-presets.ts';

const POLL_MS = 30_000;

/** What became of the clicks and postbacks of a campaign, or of a tracking link. */
export const measurementQuery = (
  of: { campaign_id: string } | { tracking_link_id: string },
  range: DateRange,
) =>
  queryOptions({
    queryKey: ['analytics', 'measurement', range, of],
    queryFn: () =>
      api.call(readMeasurement, { query: { start_date: range.start, end_date: range.end, ...of } }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });
