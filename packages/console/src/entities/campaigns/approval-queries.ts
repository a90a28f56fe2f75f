import * as endpoints from '@bidwell/contract/approvals/endpoints';
import type { ApprovalInput, ApprovalLimits } from '@bidwell/contract/approvals/schema';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from '../../lib/api/api-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

/** Requests for approval, open ones first; always refetched. */
export const approvalsQuery = queryOptions({
  queryKey: ['approval'],
  queryFn: async () => (await api.call(endpoints.listApprovals)).approvals,
  staleTime: staleTimes.never,
});

/** Above which budgets a second person has to approve. */
export const approvalLimitsQuery = queryOptions({
  queryKey: ['approval-limits'],
  queryFn: () => api.call(endpoints.readApprovalLimits),
  staleTime: staleTimes.never,
});

const refetch = <T>(done: T): T => {
  for (const queryKey of [['approval'], ['campaign'], ['adset']])
    void queryClient.invalidateQueries({ queryKey });
  return done;
};

export const requestApproval = (input: z.input<typeof ApprovalInput>) =>
  api.create(endpoints.requestApproval, { body: input }).then(refetch);
export const approve = ({ uuid, hash }: { uuid: string; hash: string }) =>
  api.call(endpoints.approve, { params: { uuid }, body: { hash } }).finally(() => refetch(null));
export const rejectApproval = (uuid: string, reason: string) =>
  api.call(endpoints.reject, { params: { uuid }, body: { reason } }).finally(() => refetch(null));
export const withdrawApproval = (uuid: string) =>
  api.call(endpoints.withdraw, { params: { uuid } }).finally(() => refetch(null));

export async function saveApprovalLimits(limits: ApprovalLimits, version?: string): Promise<void> {
  const saved = await api.change(endpoints.setApprovalLimits, version, { body: limits });
  queryClient.setQueryData(approvalLimitsQuery.queryKey, saved);
}
