import type { Creative, InternalCreativeUpdate } from '@bidwell/contract/creative';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** All creatives of the company. */
export const creativesQuery = queryOptions({
  queryKey: ['creative'],
  queryFn: async () =>
    (await api.get<{ internal_creatives: Creative[] }>('/internal_creative')).internal_creatives,
});

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['creative'] });
  void queryClient.invalidateQueries({ queryKey: ['creative_group'] });
  return done;
};

/** Sends a creative's form; `onProgress` is told the share that is sent. */
export const uploadCreative = (form: FormData, onProgress: (share: number) => void) =>
  api.upload<Creative>('POST', '/v2/internal_creative', form, onProgress);

/** Gives an uploaded asset the addresses it leads to. */
export const addressCreative = (assetUuid: string, addresses: { click_url: string; view_url: string }) =>
  api.post<Creative>('/creative', { internal_creative_uuid: assetUuid, ...addresses }).then(refetch);

export const updateInternalCreative = (assetUuid: string, input: InternalCreativeUpdate) =>
  api.put<Creative>(`/internal_creative/${assetUuid}`, input).then(refetch);
