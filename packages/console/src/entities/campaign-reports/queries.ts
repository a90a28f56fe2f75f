import { type BidOutcome, type BidPage, NEXT_CURSOR } from '@bidwell/contract/bid-log/schema';
import type { ComparedMetric } from '@bidwell/contract/campaign-reports/creatives';
import type { BundleChange } from '@bidwell/contract/campaign-reports/bundles';
import * as reports from '@bidwell/contract/campaign-reports/endpoints';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollingInterval } from '../../lib/live/connection-state.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { queryClient } from '../../lib/api/query-client.ts';

const POLL_MS = 10_000;
/** Figures before and after a change move slowly. */
const CHANGES_POLL_MS = 60_000;

const callOf = (uuid: string, range: DateRange) => ({
  params: { uuid },
  query: { start_date: range.start, end_date: range.end },
});

/** On which publishers' apps a campaign spent. */
export const campaignBundlesQuery = (uuid: string, range: DateRange) =>
  queryOptions({
    queryKey: ['analytics', 'campaign-bundles', range, uuid],
    queryFn: () => api.call(reports.readCampaignBundles, callOf(uuid, range)),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** The bids, prices and savings of a campaign. */
export const campaignPricesQuery = (uuid: string, range: DateRange) =>
  queryOptions({
    queryKey: ['analytics', 'campaign-prices', range, uuid],
    queryFn: () => api.call(reports.readCampaignPrices, callOf(uuid, range)),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** How many people saw the ads of a campaign, and how often. People are counted anew each time, so it is read less often. */
export const campaignReachQuery = (uuid: string, range: DateRange) =>
  queryOptions({
    queryKey: ['analytics', 'campaign-reach', range, uuid],
    queryFn: () => api.call(reports.readCampaignReach, callOf(uuid, range)),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(CHANGES_POLL_MS),
    staleTime: 0,
  });

/** The creatives of a campaign, compared by a metric. */
export const campaignCreativesQuery = (uuid: string, range: DateRange, metric: ComparedMetric) =>
  queryOptions({
    queryKey: ['analytics', 'campaign-creatives', range, uuid, metric],
    queryFn: () => {
      const { params, query } = callOf(uuid, range);
      return api.call(reports.readCampaignCreatives, { params, query: { ...query, metric } });
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** The changes of a campaign and its ad sets, with the figures before and after each; refetched on every change. */
export const campaignChangesQuery = (uuid: string, range: DateRange) =>
  queryOptions({
    queryKey: ['changes', 'campaign', range, uuid],
    queryFn: () => api.call(reports.readCampaignChanges, callOf(uuid, range)),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(CHANGES_POLL_MS),
    staleTime: 0,
  });

/** The bids of a campaign, newest first, a page at a time. The first page is refetched until another one is loaded. */
export const campaignBidsQuery = (uuid: string, range: DateRange, outcome: BidOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: ['analytics', 'campaign-bids', range, uuid, outcome],
    queryFn: ({ pageParam }): Promise<BidPage> =>
      api.call(reports.listBids, { query: { ...bidFilters(uuid, range, outcome), cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : POLL_MS),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });

const bidFilters = (uuid: string, range: DateRange, outcome: BidOutcome | undefined) => ({
  ...callOf(uuid, range).query,
  campaign_uuid: uuid,
  outcome,
});

/** A file of bids, and the cursor of the next file; null for the last one. */
export interface BidsFile {
  file: Blob;
  next: string | null;
}

/** The bids of a campaign as a file, oldest first, from a cursor on. */
export const downloadBids = async (
  uuid: string,
  range: DateRange,
  {
    cursor,
    ...chosen
  }: { outcome: BidOutcome | undefined; format: 'csv' | 'parquet'; cursor: string | null },
): Promise<BidsFile> => {
  const response = await api.download(reports.exportBids, {
    query: {
      ...bidFilters(uuid, range, chosen.outcome),
      format: chosen.format,
      cursor: cursor ?? undefined,
    },
  });
  return { file: await response.blob(), next: response.headers.get(NEXT_CURSOR) };
};

/** Blocks or unblocks a bundle in ad sets of a campaign, or sets their bids there. */
export const changeBundle = async (uuid: string, change: BundleChange): Promise<void> => {
  await api.call(reports.changeBundle, { params: { uuid }, body: change });
  await queryClient.invalidateQueries({ queryKey: ['adset'] });
};
