import type { Mmp } from '@bidwell/contract/app';
import type { PostbackSource, PostbackSourceUpdate, Postbacks } from '@bidwell/contract/postback';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** The postback URLs of the company's measurement partners, and the latest postbacks. */
export const postbacksQuery = queryOptions({
  queryKey: ['postbacks'],
  queryFn: () => api.get<Postbacks>('/postbacks'),
});

/** Replaces the secret in the postback URLs; the previous one stays valid for a day. */
export async function rotatePostbackSecret(): Promise<void> {
  queryClient.setQueryData(postbacksQuery.queryKey, await api.post<Postbacks>('/postbacks/secret'));
}

/** Sets how a partner's postbacks are verified. */
export async function updatePostbackSource(mmp: Mmp, update: PostbackSourceUpdate): Promise<void> {
  await api.put<PostbackSource>(`/postbacks/${mmp}`, update);
  await queryClient.invalidateQueries({ queryKey: postbacksQuery.queryKey });
}
