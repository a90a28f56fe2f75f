import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../lib/api/query-client.ts';
import type { SessionCalls } from './sign-in-calls.ts';

/** Where someone is logged in. */
export const sessionsQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'sessions'], queryFn: calls.sessions });

/** How someone signs in, in addition to the password. */
export const secondFactorsQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'second-factors'], queryFn: calls.secondFactors });

/** The passkeys of someone. */
export const passkeysQuery = (calls: SessionCalls) =>
  queryOptions({ queryKey: ['sign-in', calls.of, 'passkeys'], queryFn: calls.passkeys });

/** Reads again how someone signs in, after a change of it. */
export async function refetchSignIn({ of }: SessionCalls): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['sign-in', of] });
}
