import type {
  CreativeGroup,
  CreativeGroupInput,
  CreativeGroupUpdate,
} from '@bidwell/contract/creative-group';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** All creative groups of the company. */
export const creativeGroupsQuery = queryOptions({
  queryKey: ['creative_group'],
  queryFn: async () =>
    (await api.get<{ internal_creative_groups: CreativeGroup[] }>('/internal_creative_group'))
      .internal_creative_groups,
});

export const creativeGroupQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['creative_group', uuid],
    queryFn: () => api.get<CreativeGroup>(`/internal_creative_group/${uuid}`),
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['creative_group'] });
  return done;
};

export const createCreativeGroup = (input: CreativeGroupInput) =>
  api.create<CreativeGroup>('/internal_creative_group', input).then(refetch);
export const updateCreativeGroup = (uuid: string, input: CreativeGroupUpdate) =>
  api.put<CreativeGroup>(`/internal_creative_group/${uuid}`, input).then(refetch);
