import * as endpoints from '@bidwell/contract/insight/endpoints';
import { readFindings } from '@bidwell/contract/insight/finding-endpoints';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { staleTimes } from '../../lib/api/query-client.ts';

interface Range {
  start: string;
  end: string;
}

/** Counts are stored every ten seconds. */
const POLL_MS = 10_000;
/** Findings change slowly once there are requests, which the server replays for them. */
const FINDINGS_POLL_MS = 60_000;

const queryOf = ({ start, end }: Range) => ({ start_date: start, end_date: end });
const callOf = (uuid: string, range: Range) => ({ params: { uuid }, query: queryOf(range) });

/** Where the bid requests of a campaign were lost. */
export const deliveryQuery = (uuid: string, range: Range) =>
  queryOptions({
    queryKey: ['delivery', uuid, range],
    queryFn: () => api.call(endpoints.readDelivery, callOf(uuid, range)),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
    staleTime: staleTimes.never,
  });

/** Where the bid requests of all campaigns were lost. */
export const companyDeliveryQuery = (range: Range) =>
  queryOptions({
    queryKey: ['delivery', 'company', range],
    queryFn: () => api.call(endpoints.readCompanyDelivery, { query: queryOf(range) }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
    staleTime: staleTimes.never,
  });

/** The limits of the active campaigns, the most costly first. */
export const rankedFindingsQuery = (range: Range) =>
  queryOptions({
    queryKey: ['findings', 'ranked', range],
    queryFn: () => api.call(endpoints.listRankedFindings, { query: queryOf(range) }),
    placeholderData: keepPreviousData,
    refetchInterval: FINDINGS_POLL_MS,
    staleTime: staleTimes.never,
  });

/** Why a campaign spends less than it could. */
export const findingsQuery = (uuid: string, range: Range) =>
  queryOptions({
    queryKey: ['findings', uuid, range],
    queryFn: async () => (await api.call(readFindings, callOf(uuid, range))).findings,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.some(({ code }) => code === 'no_requests') ? POLL_MS : FINDINGS_POLL_MS,
    staleTime: staleTimes.never,
  });

/** A sampled bid request that a campaign, or one of its ad sets, loses for a reason; null if the sample has none. */
export const lostRequestQuery = (uuid: string, exit: FunnelExit, adset: string | null) =>
  queryOptions({
    queryKey: ['lost-request', uuid, exit, adset],
    queryFn: async () => {
      const query = { exit, ...(adset !== null && { adset_uuid: adset }) };
      return (await api.call(endpoints.readLostRequest, { params: { uuid }, query })).lost;
    },
    staleTime: staleTimes.never,
  });
