import type { Adset, AdsetInput, AdsetUpdate } from '@bidwell/contract/adset';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** All ad sets of the company. */
export const adsetsQuery = queryOptions({
  queryKey: ['adset'],
  queryFn: async () => (await api.get<{ adsets: Adset[] }>('/adset')).adsets,
});

/** One ad set, always refetched: a form that starts from an old copy would save it back. */
export const adsetQuery = (uuid: string) =>
  queryOptions({ queryKey: ['adset', uuid], queryFn: () => api.get<Adset>(`/adset/${uuid}`), gcTime: 0 });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['adset'] });
  return done;
};

export const createAdset = (input: AdsetInput) => api.create<Adset>('/adset', input).then(refetch);
export const updateAdset = (uuid: string, input: AdsetUpdate) =>
  api.put<Adset>(`/adset/${uuid}`, input).then(refetch);
