import { listCreativeFindings } from '@bidwell/contract/insight/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { staleTimes } from '../../lib/api/query-client.ts';

/** The server replays requests for it. */
const POLL_MS = 60_000;

/** What keeps each creative from being shown in a range of days, by the creative's uuid. */
export const creativeFindingsQuery = (range: { start: string; end: string }) =>
  queryOptions({
    queryKey: ['creative-findings', range],
    queryFn: async () => {
      const query = { start_date: range.start, end_date: range.end };
      const { creatives } = await api.call(listCreativeFindings, { query });
      return new Map(creatives.map((creative) => [creative.uuid, creative]));
    },
    refetchInterval: POLL_MS,
    staleTime: staleTimes.never,
  });
