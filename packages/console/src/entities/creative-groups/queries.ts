import type { CreativeGroupInput, CreativeGroupUpdate } from '@bidwell/contract/creative-groups/schema';
import * as endpoints from '@bidwell/contract/creative-groups/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { addToList, queryClient } from '../../lib/api/query-client.ts';

/** All creative groups of the company. */
export const creativeGroupsQuery = queryOptions({
  queryKey: ['creative_group'],
  queryFn: async () => (await api.call(endpoints.listCreativeGroups)).internal_creative_groups,
});

export const creativeGroupQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['creative_group', uuid],
    queryFn: () => api.call(endpoints.readCreativeGroup, { params: { uuid } }),
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['creative_group'] });
  return done;
};

export async function createCreativeGroup(input: CreativeGroupInput) {
  const created = await api.create(endpoints.createCreativeGroup, { body: input });
  addToList(creativeGroupsQuery, created);
  return created;
}

/** Changes only the version, where one is given. */
export const updateCreativeGroup = (uuid: string, input: CreativeGroupUpdate, version?: string) =>
  api.change(endpoints.updateCreativeGroup, version, { params: { uuid }, body: input }).then(refetch);
