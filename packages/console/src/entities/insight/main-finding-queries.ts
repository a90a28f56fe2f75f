import type { MainFindings } from '@bidwell/contract/insight/finding';
import { queryOptions } from '@tanstack/react-query';
import { staleTimes } from '../../lib/api/query-client.ts';

const POLL_MS = 60_000;

/** The main limit of each active campaign and ad set in a range of days, and the learning data of ad sets. */
export const mainFindingsQuery = (range: { start: string; end: string }) =>
  queryOptions({
    queryKey: ['main-findings', range],
    // Loaded with the first response, not with the page.
    queryFn: async (): Promise<MainFindings> =>
      (await import('./load-main-findings.ts')).loadMainFindings({ start: range.start, end: range.end }),
    refetchInterval: POLL_MS,
    staleTime: staleTimes.never,
  });
