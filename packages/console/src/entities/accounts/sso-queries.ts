import type { SsoInput } from '@bidwell/contract/accounts/single-sign-on';
import * as endpoints from '@bidwell/contract/accounts/single-sign-on-endpoints';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The single sign-on of the company. */
export const ssoQuery = queryOptions({ queryKey: ['sso'], queryFn: () => api.call(endpoints.readSso) });

/** Whether the logged-in person can sign in by it. */
export const ownSsoQuery = queryOptions({
  queryKey: ['own-sso'],
  queryFn: () => api.call(endpoints.readOwnSso),
});

async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ssoQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: ownSsoQuery.queryKey });
}

export async function saveSso(input: z.input<typeof SsoInput>, version?: string): Promise<void> {
  await api.change(endpoints.putSso, version, { body: input });
  await readAgain();
}

export async function deleteSso(): Promise<void> {
  await api.call(endpoints.deleteSso);
  await readAgain();
}

export async function addSsoDomain(domain: string): Promise<void> {
  await api.call(endpoints.addSsoDomain, { body: { domain } });
  await readAgain();
}

export async function verifySsoDomain(uuid: string): Promise<void> {
  await api.call(endpoints.verifySsoDomain, { params: { uuid } });
  await readAgain();
}

export async function removeSsoDomain(uuid: string): Promise<void> {
  await api.call(endpoints.removeSsoDomain, { params: { uuid } });
  await readAgain();
}

/** Goes to the provider of the company, to link the account of the logged-in person. */
export async function linkAtProvider(): Promise<void> {
  const { location: address } = await api.call(endpoints.linkSso);
  location.assign(address);
}
