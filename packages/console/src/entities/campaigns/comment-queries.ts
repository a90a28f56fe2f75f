import * as endpoints from '@bidwell/contract/comments/endpoints';
import type { Comment } from '@bidwell/contract/comments/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

/** How often open comments are read again, ms. */
const EVERY_MS = 30_000;

/** The commented entity. */
export interface Commented {
  kind: 'campaign' | 'draft';
  uuid: string;
}

/** The comments on a campaign or a draft, the oldest first. */
export const commentsQuery = ({ kind, uuid }: Commented) =>
  queryOptions({
    queryKey: ['comments', kind, uuid],
    queryFn: async () => {
      const list = kind === 'campaign' ? endpoints.listCampaignComments : endpoints.listDraftComments;
      return (await api.call(list, { params: { uuid } })).comments;
    },
    staleTime: staleTimes.never,
    refetchInterval: EVERY_MS,
  });

const refetch = async () => queryClient.invalidateQueries({ queryKey: ['comments'] });

/** Writes a comment, which names people in a notification. */
export async function addComment(
  { kind, uuid }: Commented,
  body: { text: string; mentions: string[] },
): Promise<Comment> {
  const add = kind === 'campaign' ? endpoints.commentOnCampaign : endpoints.commentOnDraft;
  const added = await api.create(add, { params: { uuid }, body });
  await refetch();
  return added;
}

/** Changes the text of one's own comment. */
export async function changeComment(uuid: string, text: string): Promise<void> {
  await api.call(endpoints.changeComment, { params: { uuid }, body: { text } });
  await refetch();
}

/** Deletes one's own comment. */
export async function deleteComment(uuid: string): Promise<void> {
  await api.call(endpoints.deleteComment, { params: { uuid } });
  await refetch();
}
