import {
  type Campaign,
  type CampaignInput,
  type CampaignUpdate,
  campaignVersion,
} from '@bidwell/contract/campaigns/schema';
import * as endpoints from '@bidwell/contract/campaigns/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { changeAsShown } from '../../lib/api/change-as-shown.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

/** All campaigns; always refetched. */
export const campaignsQuery = queryOptions({
  queryKey: ['campaign'],
  queryFn: async () => (await api.call(endpoints.listCampaigns)).campaigns,
  staleTime: staleTimes.never,
  gcTime: staleTimes.hour,
});

export const campaignQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['campaign', uuid],
    queryFn: () => api.call(endpoints.readCampaign, { params: { uuid } }),
    staleTime: staleTimes.never,
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['campaign'] });
  void queryClient.invalidateQueries({ queryKey: ['adset'] });
  return done;
};

export const createCampaign = (input: CampaignInput) =>
  api.create(endpoints.createCampaign, { body: input }).then(refetch);
export const updateCampaign = (uuid: string, input: CampaignUpdate, version?: string) =>
  api.change(endpoints.updateCampaign, version, { params: { uuid }, body: input }).then(refetch);
export const startCampaign = (uuid: string) =>
  api.call(endpoints.startCampaign, { params: { uuid } }).then(refetch);
export const pauseCampaign = (uuid: string) =>
  api.call(endpoints.pauseCampaign, { params: { uuid } }).then(refetch);

/** Adds an ad set to the campaign's current ad sets, which it reads from the server: ad sets that others add meanwhile stay. */
export async function addAdset(campaignUuid: string, adsetUuid: string): Promise<Campaign> {
  return changeAsShown({
    read: async () => api.call(endpoints.readCampaign, { params: { uuid: campaignUuid } }),
    version: campaignVersion,
    isAsShown: () => true,
    send: async (version, { adsets }) => {
      const uuids = new Set([...adsets.map(({ uuid }) => uuid), adsetUuid]);
      return updateCampaign(campaignUuid, { adset_uuids: [...uuids] }, version);
    },
  });
}
