import type { AdsetInput, AdsetUpdate } from '@bidwell/contract/adsets/schema';
import * as endpoints from '@bidwell/contract/adsets/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** All ad sets of the company, without their bundle lists. */
export const adsetsQuery = queryOptions({
  queryKey: ['adset'],
  queryFn: async () => (await api.call(endpoints.listAdsetSummaries)).adsets,
});

/** The ad sets of a campaign with their bundle lists. */
export const adsetsOfCampaignQuery = (campaignUuid: string) =>
  queryOptions({
    queryKey: ['adset', 'campaign', campaignUuid],
    queryFn: async () =>
      (await api.call(endpoints.listAdsets, { query: { campaign_id: campaignUuid } })).adsets,
  });

/** One ad set, always refetched: a form that starts from an old copy would save it back. */
export const adsetQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['adset', uuid],
    queryFn: () => api.call(endpoints.readAdset, { params: { uuid } }),
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['adset'] });
  return done;
};

export const createAdset = (input: AdsetInput) =>
  api.create(endpoints.createAdset, { body: input }).then(refetch);
export const updateAdset = (uuid: string, input: AdsetUpdate, version?: string) =>
  api.change(endpoints.updateAdset, version, { params: { uuid }, body: input }).then(refetch);
