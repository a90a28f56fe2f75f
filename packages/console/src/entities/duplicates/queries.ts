import { duplicateEndpoints } from '@bidwell/contract/duplicates/endpoints';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** Each kind of entity that can be duplicated, named as the segment of its path. */
export type DuplicablePath = keyof typeof duplicateEndpoints;

export const canDuplicate = (path: string): path is DuplicablePath => Object.hasOwn(duplicateEndpoints, path);

/** Copies an entity; returns the name of the copy. */
export async function duplicate(path: DuplicablePath, uuid: string): Promise<string> {
  const copy = await api.create(duplicateEndpoints[path], { params: { uuid } });
  void queryClient.invalidateQueries();
  return copy.name;
}
