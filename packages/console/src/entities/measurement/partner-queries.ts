import type { Mmp } from '@bidwell/contract/apps/fields';
import * as costEndpoints from '@bidwell/contract/measurement/partner-cost-endpoints';
import type { PartnerCostsInput } from '@bidwell/contract/measurement/partner-costs';
import * as copyEndpoints from '@bidwell/contract/measurement/postback-copy-endpoints';
import type { PostbackCopyInput } from '@bidwell/contract/measurement/postback-copies';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** How often a log is read again while something in it waits, ms. */
const POLL_MS = 5000;

/** How costs are sent to the measurement partners that take them. */
export const partnerCostsQuery = queryOptions({
  queryKey: ['partner-costs'],
  queryFn: async () => (await api.call(costEndpoints.listPartnerCosts)).partners,
});

/** The latest uploads of costs to a partner. */
export const costUploadsQuery = (mmp: Mmp) =>
  queryOptions({
    queryKey: ['partner-costs', mmp, 'uploads'],
    queryFn: async () => (await api.call(costEndpoints.listCostUploads, { params: { mmp } })).uploads,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting' || status === 'sent') ? POLL_MS : false,
  });

/** Changes how costs are sent to a partner, only of the version, where one is given. Throws ApiError. */
export async function updatePartnerCosts(
  mmp: Mmp,
  input: PartnerCostsInput,
  version?: string,
): Promise<void> {
  await api.change(costEndpoints.updatePartnerCosts, version, { params: { mmp }, body: input });
  await queryClient.invalidateQueries({ queryKey: partnerCostsQuery.queryKey });
}

/** Sends the costs of the last days to a partner now. Throws ApiError. */
export async function sendPartnerCosts(mmp: Mmp): Promise<void> {
  await api.call(costEndpoints.sendPartnerCosts, { params: { mmp } });
  await queryClient.invalidateQueries({ queryKey: partnerCostsQuery.queryKey });
}

/** To which partners copies of an app's postbacks are sent, and the latest copies. */
export const postbackCopiesQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['app', uuid, 'postback-copies'],
    queryFn: () => api.call(copyEndpoints.readPostbackCopies, { params: { uuid } }),
    refetchInterval: ({ state }) =>
      state.data?.copies.some(({ status }) => status === 'waiting') ? POLL_MS : false,
  });

/** Changes whether copies of an app's postbacks go to a partner, only of the version, where one is given. Throws ApiError. */
export async function updatePostbackCopies(
  { uuid, mmp }: { uuid: string; mmp: Mmp },
  input: PostbackCopyInput,
  version?: string,
): Promise<void> {
  await api.change(copyEndpoints.updatePostbackCopies, version, { params: { uuid, mmp }, body: input });
  await queryClient.invalidateQueries({ queryKey: postbackCopiesQuery(uuid).queryKey });
}

/** Sends a copy once more. Throws ApiError. */
export async function resendPostbackCopy(appUuid: string, uuid: string): Promise<void> {
  await api.call(copyEndpoints.resendPostbackCopy, { params: { uuid } });
  await queryClient.invalidateQueries({ queryKey: postbackCopiesQuery(appUuid).queryKey });
}
