import { logOutOperator, readOperatorSession } from '@bidwell/contract/endpoints/operator-accounts';
import type { OperatorRole } from '@bidwell/contract/operator-account';
import { queryOptions } from '@tanstack/react-query';
import { callOperator } from '../operator-client.ts';
import { queryClient, staleTimes } from '../query-client.ts';

/** The logged-in operator. */
export const operatorSessionQuery = queryOptions({
  queryKey: ['operator', 'session'],
  queryFn: () => callOperator(readOperatorSession),
  staleTime: staleTimes.hour,
  gcTime: staleTimes.hour,
});

/** Whether the logged-in operator may make a call with these roles, as the endpoint declares. */
export function mayCall(role: OperatorRole | undefined, roles: readonly OperatorRole[]): boolean {
  return role === 'admin' || (role !== undefined && roles.includes(role));
}

/** Ends the operator's session and deletes what is cached of it. */
export async function logOut(): Promise<void> {
  await callOperator(logOutOperator);
  queryClient.removeQueries({ queryKey: ['operator'] });
}
