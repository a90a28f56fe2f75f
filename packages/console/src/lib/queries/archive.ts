import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** The path segment of each kind of entity that can be archived and deleted. */
export type ArchivablePath =
  'app' | 'internal_creative' | 'internal_creative_group' | 'target' | 'tracking_link' | 'adset' | 'campaign';

// Other lists show archived and deleted entities as well: forms that select them, entities that used them.
const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries();
  return done;
};

/** Archives an entity, which stops it, or restores it. */
export const setArchived = (path: ArchivablePath, uuid: string, isArchived: boolean) =>
  api.post(`/${path}/${uuid}/${isArchived ? 'archive' : 'restore'}`).then(refetch);

/** Deletes an unused entity; the error names what uses it. */
export const deleteEntity = (path: ArchivablePath, uuid: string) =>
  api.delete(`/${path}/${uuid}`).then(refetch);
