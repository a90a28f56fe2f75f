import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollingInterval } from '../../lib/live/connection-state.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';

const POLL_MS = 30_000;

/** The outcomes of the clicks and postbacks of a campaign, of a tracking link, or of the company. */
export const measurementQuery = (
  of: { campaign_id?: string } | { tracking_link_id: string },
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
