import type { MainFindings } from '@bidwell/contract/insight/finding';
import { queryOptions } from '@tanstack/react-query';
import { staleTimes } from '../../lib/api/query-client.ts';

const POLL_MS = 60_000;

/** What limits each active campaign and ad set most in a range of days, and what ad sets learn from. */
export const mainFindingsQuery = (range: { start: string; end: string }) =>
  queryOptions({
    queryKey: ['main-findings', range],
    // Loaded with the first response, not with the page.
    queryFn: async (): Promise<MainFindings> =>
      (await import('./queries.ts')).loadMainFindings({ start: range.start, end: range.end }),
    refetchInterval: POLL_MS,
    staleTime: staleTimes.never,
  });
