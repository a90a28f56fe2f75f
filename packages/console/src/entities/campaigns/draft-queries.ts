import * as endpoints from '@bidwell/contract/drafts/endpoints';
import type { DraftInput, DraftSummary, DraftUpdate } from '@bidwell/contract/drafts/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

/** The company's drafts of campaigns; always refetched. */
export const draftsQuery = queryOptions({
  queryKey: ['campaign-draft'],
  queryFn: async () => (await api.call(endpoints.listDrafts)).drafts,
  staleTime: staleTimes.never,
});

/** One draft with its values, as it is when a form opens. */
export const draftQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['campaign-draft', uuid],
    queryFn: () => api.call(endpoints.readDraft, { params: { uuid } }),
    staleTime: staleTimes.never,
    gcTime: 0,
  });

const refetchList = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey, exact: true });
  return done;
};

export const createDraft = (input: DraftInput): Promise<DraftSummary> =>
  api.create(endpoints.createDraft, { body: input }).then(refetchList);
export const updateDraft = (uuid: string, input: DraftUpdate): Promise<DraftSummary> =>
  api.call(endpoints.updateDraft, { params: { uuid }, body: input }).then(refetchList);
export const discardDraft = (uuid: string): Promise<unknown> =>
  api.call(endpoints.discardDraft, { params: { uuid } }).then(refetchList);
