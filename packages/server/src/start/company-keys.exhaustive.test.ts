import { API_SCOPES, type ApiScope, scopesHave, scopesWith } from '@bidwell/contract/accounts/scope';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { storedState } from '@bidwell/testing/callers/stored-state';
import { apiCases } from '@bidwell/testing/api-cases';
import { addressOfOwner, apiKeyOf } from '@bidwell/testing/caller-tokens';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { beforeAll, expect, test } from 'vitest';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const calls = await permittedCalls();

type Keys = Record<ApiScope, string>;
const keysOf = async (company: TestCompany): Promise<Keys> => {
  const keys = await Promise.all(
    API_SCOPES.map(async (scope) => [scope, await apiKeyOf(company, [scope])] as const),
  );
  return Object.fromEntries(keys) as Keys;
};
/** Keys of a company other than the company of each call. */
let foreign: Keys;
beforeAll(async () => {
  foreign = await keysOf(await app.freshCompany());
});

for (const { name, method, permission, hasId } of calls) {
  const allowed = scopesWith(permission);
  const denied = API_SCOPES.filter((scope) => !allowed.includes(scope));
  const scenario = cases[name]!;

  test(`${name} is for keys with the scope ${allowed.join(' or ') || 'that does not exist'}, by the table`, async () => {
    const company = await app.freshCompany();
    const good = await scenario.good(company);
    const keys = await keysOf(company);
    const address = await addressOfOwner(app, company);
    const before = await storedState(app, company);
    const send = async (token: string) => {
      const response = await app.http.inject(await requestOf(method, good, { ...company, token }));
      const isJson = String(response.headers['content-type']).includes('json');
      return { status: response.statusCode, data: isJson ? response.json().data : undefined };
    };
    for (const scope of denied)
      for (const token of [keys[scope], foreign[scope]])
        expect([scope, await send(token)]).toEqual([scope, rejectionOf(scope, allowed)]);
    if (hasId && !scenario.nothing)
      for (const scope of allowed) expect([scope, (await send(foreign[scope])).status]).toEqual([scope, 404]);
    expect(await storedState(app, company)).toEqual(before);
    for (const [index, scope] of allowed.entries()) {
      const { status, data } = await send(keys[scope]);
      if (!scopesHave([scope], 'people.read'))
        expect([scope, JSON.stringify(data) ?? '']).toEqual([scope, expect.not.stringContaining(address)]);
      // The first key has already made the calls that can be made only once.
      const isRight = (got: number) =>
        index === 0 || method === 'GET' ? got < 300 : got !== 401 && got !== 403;
      expect([scope, status]).toEqual([scope, expect.toSatisfy(isRight)]);
    }
  });
}

/** The response to a key without a scope for a call. */
function rejectionOf(scope: ApiScope, allowed: readonly ApiScope[]): { status: number; data: string } {
  if (scope === 'reports') return { status: 401, data: accountApiMessages.apiTokenReports };
  const data =
    allowed.length === 0 ? accountApiMessages.keyForPeopleOnly : accountApiMessages.keyScope(allowed);
  return { status: 403, data };
}
