import type { Campaign, CampaignInput, CampaignUpdate } from '@bidwell/contract/campaign';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient, staleTimes } from '../query-client.ts';

/** All campaigns; always refetched. */
export const campaignsQuery = queryOptions({
  queryKey: ['campaign'],
  queryFn: async () => (await api.get<{ campaigns: Campaign[] }>('/campaign')).campaigns,
  staleTime: staleTimes.never,
  gcTime: staleTimes.hour,
});

export const campaignQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['campaign', uuid],
    queryFn: () => api.get<Campaign>(`/campaign/${uuid}`),
    staleTime: staleTimes.never,
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['campaign'] });
  void queryClient.invalidateQueries({ queryKey: ['adset'] });
  return done;
};

export const createCampaign = (input: CampaignInput) =>
  api.create<Campaign>('/campaign', input).then(refetch);
export const updateCampaign = (uuid: string, input: CampaignUpdate) =>
  api.put<Campaign>(`/campaign/${uuid}`, input).then(refetch);
export const startCampaign = (uuid: string) => api.post<Campaign>(`/campaign/${uuid}/start`).then(refetch);
export const pauseCampaign = (uuid: string) => api.post<Campaign>(`/campaign/${uuid}/pause`).then(refetch);

/** Adds an ad set to the campaign's current ad sets, which it reads from the server. */
export async function addAdset(campaignUuid: string, adsetUuid: string): Promise<Campaign> {
  const { adsets } = await api.get<Campaign>(`/campaign/${campaignUuid}`);
  const uuids = new Set([...adsets.map(({ uuid }) => uuid), adsetUuid]);
  return updateCampaign(campaignUuid, { adset_uuids: [...uuids] });
}
