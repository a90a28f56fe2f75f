import type { ApiScope } from '@bidwell/contract/accounts/scope';
import { freshAddress } from './api-cases/case.ts';
import type { TestApp, TestCompany } from './test-app.ts';

/** The access token of an operator who views a company, and may change nothing. */
export async function viewerTokenOf(app: TestApp, companyId: string): Promise<string> {
  const { data } = await app.operator('POST', `/companies/${companyId}/viewer_sessions`);
  const opened = await app.http.inject({
    method: 'POST',
    url: '/api/internal/viewer_session',
    payload: { code: data.address.split('#')[1] },
    remoteAddress: freshAddress(),
  });
  return opened.json().data.access_token;
}

/** A new API key of a company, made by its person. */
export async function apiKeyOf(company: TestCompany, scopes: readonly ApiScope[]): Promise<string> {
  const { data } = await company.call('POST', '/api_tokens', { name: scopes.join(', '), scopes });
  return data.token;
}

/** Has a company require a second factor, which its people do not have, or not any more. */
export async function requireSecondFactor(
  { ctx }: TestApp,
  { companyId }: { companyId: string },
  required = true,
): Promise<void> {
  await ctx.db
    .updateTable('companies')
    .set({ second_factor_required: required })
    .where('uuid', '=', companyId)
    .execute();
}

/** Gives the person who made a company, and its keys, a mail address that no one else has. */
export async function addressOfOwner(
  { ctx }: TestApp,
  { companyId, userId }: Pick<TestCompany, 'companyId' | 'userId'>,
): Promise<string> {
  const email = `${companyId}@example.org`;
  await ctx.db.updateTable('users').set({ email }).where('uuid', '=', userId).execute();
  return email;
}
