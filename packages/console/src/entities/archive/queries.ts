import { archiveEndpoints } from '@bidwell/contract/archive/endpoints';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** Each kind of entity that can be archived and deleted, named as the segment of its path. */
export type ArchivablePath = Exclude<keyof typeof archiveEndpoints, 'creative' | 'creative_group'>;

/** The permission to archive, copy and delete an entity of a kind. */
export const writePermission = (path: ArchivablePath) => archiveEndpoints[path].archive.companyPermission;

// Other lists show archived and deleted entities as well: forms that select them, entities that used them.
const refetch = () => void queryClient.invalidateQueries();

/** Archives an entity, which stops it, or restores it. */
export async function setArchived(path: ArchivablePath, uuid: string, isArchived: boolean): Promise<void> {
  const { archive, restore } = archiveEndpoints[path];
  await api.call(isArchived ? archive : restore, { params: { uuid } });
  refetch();
}

/** Deletes an unused entity; the error names what uses it. */
export async function deleteEntity(path: ArchivablePath, uuid: string): Promise<void> {
  await api.call(archiveEndpoints[path].remove, { params: { uuid } });
  refetch();
}
