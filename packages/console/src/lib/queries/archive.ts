import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** What can be archived and deleted, as its calls name it. */
export type ArchivablePath =
  'app' | 'internal_creative' | 'internal_creative_group' | 'target' | 'tracking_link' | 'adset' | 'campaign';

// What is archived or deleted shows in other lists as well: in the forms that choose it, in what used it.
const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries();
  return done;
};

/** Archives an entity, which then does not run, or restores it. */
export const setArchived = (path: ArchivablePath, uuid: string, isArchived: boolean) =>
  api.post(`/${path}/${uuid}/${isArchived ? 'archive' : 'restore'}`).then(refetch);

/** Deletes an entity that nothing uses; the refusal names what does. */
export const deleteEntity = (path: ArchivablePath, uuid: string) =>
  api.delete(`/${path}/${uuid}`).then(refetch);
