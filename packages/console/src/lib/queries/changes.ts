import { listChanges } from '@bidwell/contract/endpoints/changes';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';

export const CHANGES_PER_PAGE = 25;

export const changesQuery = (companyUuid: string, page: number) =>
  queryOptions({
    queryKey: ['changes', companyUuid, page],
    queryFn: () =>
      api.call(listChanges, { params: { uid: companyUuid }, query: { page, limit: CHANGES_PER_PAGE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
