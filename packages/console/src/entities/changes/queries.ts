import { listChanges, undoChange as undoEndpoint } from '@bidwell/contract/changes/endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

export const CHANGES_PER_PAGE = 25;

export const changesQuery = (companyUuid: string, page: number) =>
  queryOptions({
    queryKey: ['changes', companyUuid, page],
    queryFn: () =>
      api.call(listChanges, { params: { uid: companyUuid }, query: { page, limit: CHANGES_PER_PAGE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Sets the fields of a changed campaign or ad set back, as a change of its own. */
export async function undoChange(uuid: string): Promise<void> {
  const { entity_type: entity } = await api.call(undoEndpoint, { params: { uuid } });
  await Promise.all([entity, 'changes'].map((kind) => queryClient.invalidateQueries({ queryKey: [kind] })));
}
