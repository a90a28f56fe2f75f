import * as endpoints from '@bidwell/contract/accounts/single-sign-on-endpoints';
import { api } from '../../lib/api/api-client.ts';
import { claimDrafts } from '../../lib/draft.ts';
import { openSession, userId } from '../../lib/api/session.ts';

/** Goes to the provider of a mail address. */
export async function goToProvider(email: string): Promise<void> {
  const { location: address } = await api.call(endpoints.startSso, { body: { email } });
  location.assign(address);
}

/** The parameters that the provider sent back with the browser, and their result. */
let finished: { query: string; outcome: Promise<boolean> } | undefined;

/**
 * Completes what the provider sent the browser back with, in the query of a page; true for a login, false for a linked account. However often
 * it is called it is sent once, since it is of use once.
 */
export function finishSso(companyUuid: string, query: string): Promise<boolean> {
  if (finished?.query !== query) finished = { query, outcome: finishOnce(companyUuid, query) };
  return finished.outcome;
}

async function finishOnce(companyUuid: string, query: string): Promise<boolean> {
  const body = { company_uuid: companyUuid, query };
  const { session } = await api.call(endpoints.finishSso, { body });
  if (!session) return false;
  openSession(session);
  claimDrafts(userId()!);
  return true;
}
