import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../lib/api/query-client.ts';
import type { SessionCalls } from './sign-in-calls.ts';

/** Where somebody is logged in. */
export const sessionsQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'sessions'], queryFn: calls.sessions });

/** How somebody signs in beside the password. */
export const secondFactorsQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'second-factors'], queryFn: calls.secondFactors });

/** The passkeys of somebody. */
export const passkeysQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'passkeys'], queryFn: calls.passkeys });

/** Reads again how somebody signs in, after a change of it. */
export async function refetchSignIn({ of }: SessionCalls): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['sign-in', of] });
}
