import { logOutOperator, readOperatorSession } from '@bidwell/contract/operator-accounts/endpoints';
import { type OperatorPermission, roleHas } from '@bidwell/contract/operator-accounts/permissions';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { queryOptions } from '@tanstack/react-query';
import { callOperator } from '../../lib/api/operator-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';
import { useKnown } from '../../lib/loadable.ts';

/** The logged-in operator. */
export const operatorSessionQuery = queryOptions({
  queryKey: ['operator', 'session'],
  queryFn: () => callOperator(readOperatorSession),
  staleTime: staleTimes.hour,
  gcTime: staleTimes.hour,
});

/** Whether the logged-in operator may make a call that needs this permission, as the endpoint declares. */
export function mayCall(role: OperatorRole | undefined, permission: OperatorPermission): boolean {
  return role !== undefined && roleHas(role, permission);
}

/** Whether the logged-in operator may do what needs a permission; false while that is not known. */
export const useMayCall = (permission: OperatorPermission): boolean =>
  mayCall(useKnown(operatorSessionQuery)?.role, permission);

const beforeLogOut = new Set<() => Promise<unknown>>();

/** Runs `work` before a session ends at the operator's wish: it may still make calls. */
export function onOperatorLogOut(work: () => Promise<unknown>): void {
  beforeLogOut.add(work);
}

/** Ends the operator's session and deletes its cache. */
export async function logOut(): Promise<void> {
  await Promise.all([...beforeLogOut].map(async (work) => work()));
  await callOperator(logOutOperator);
  queryClient.removeQueries({ queryKey: ['operator'] });
  queryClient.removeQueries({ queryKey: ['sign-in', 'operator'] });
}
