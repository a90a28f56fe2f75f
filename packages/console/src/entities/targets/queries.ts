import * as endpoints from '@bidwell/contract/targets/endpoints';
import type { TargetInput, TargetUpdate } from '@bidwell/contract/targets/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { addToList, queryClient } from '../../lib/api/query-client.ts';

/** All targets of the company. */
export const targetsQuery = queryOptions({
  queryKey: ['target'],
  queryFn: async () => (await api.call(endpoints.listTargets)).targets,
});

/** One target, always refetched: a form that starts from an old copy would save it back. */
export const targetQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['target', uuid],
    queryFn: () => api.call(endpoints.readTarget, { params: { uuid } }),
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['target'] });
  return done;
};

export async function createTarget(input: TargetInput) {
  const created = await api.create(endpoints.createTarget, { body: input });
  addToList(targetsQuery, created);
  return created;
}

/** Changes only the version, where one is given. */
export const updateTarget = (uuid: string, input: TargetUpdate, version?: string) =>
  api.change(endpoints.updateTarget, version, { params: { uuid }, body: input }).then(refetch);
