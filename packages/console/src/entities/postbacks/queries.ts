import type { Mmp } from '@bidwell/contract/apps/fields';
import * as endpoints from '@bidwell/contract/postbacks/endpoints';
import type { PostbackSourceUpdate, PostbackTest } from '@bidwell/contract/postbacks/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The postback URLs of the company's measurement partners, and the latest postbacks. */
export const postbacksQuery = queryOptions({
  queryKey: ['postbacks'],
  queryFn: () => api.call(endpoints.readPostbacks),
});

/** Replaces the secret in the postback URLs; the previous one stays valid for a day. */
export async function rotatePostbackSecret(): Promise<void> {
  queryClient.setQueryData(postbacksQuery.queryKey, await api.call(endpoints.rotatePostbackSecret));
}

/** Sets how a partner's postbacks are verified, only of the version, where one is given. */
export async function updatePostbackSource(
  mmp: Mmp,
  update: PostbackSourceUpdate,
  version?: string,
): Promise<void> {
  await api.change(endpoints.updatePostbackSource, version, { params: { mmp }, body: update });
  await queryClient.invalidateQueries({ queryKey: postbacksQuery.queryKey });
}

/** Sends a test install to the company's postback URL for a partner. */
export async function testPostback(mmp: Mmp): Promise<PostbackTest> {
  return api.call(endpoints.testPostback, { params: { mmp } });
}
