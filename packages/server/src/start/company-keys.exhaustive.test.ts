import { COMPANY_ROLES, PERMISSIONS, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { API_SCOPES, type ApiScope, scopesHave, scopesWith } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { storedState } from '@bidwell/testing/callers/stored-state';
import { apiCases } from '@bidwell/testing/api-cases';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { consoleEndpoints } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { hasPermission } from '../platform/permissions.ts';
import { documentOf } from '../platform/http/openapi/document.ts';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const calls = (await consoleEndpoints())
  .filter(({ isPublic }) => !isPublic)
  .map(({ method, path, companyPermission }) => ({
    name: `${method} ${CONSOLE_API}${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    method,
    permission: companyPermission!,
    hasId: path.includes(':'),
  }));

type Keys = Record<ApiScope, string>;
const keysOf = async (company: TestCompany): Promise<Keys> => {
  const keys = await Promise.all(
    API_SCOPES.map(async (scope) => [scope, await apiKeyOf(company, [scope])] as const),
  );
  return Object.fromEntries(keys) as Keys;
};
/** Keys of another company than that of each call. */
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
    const address = await addressOfOwner(company);
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
      // Of what can be done once, the first key has done it.
      const isRight = (got: number) =>
        index === 0 || method === 'GET' ? got < 300 : got !== 401 && got !== 403;
      expect([scope, status]).toEqual([scope, expect.toSatisfy(isRight)]);
    }
  });
}

/** Gives the person who made a company, and its keys, a mail address that nobody else has. */
async function addressOfOwner({ companyId, userId }: TestCompany): Promise<string> {
  const email = `${companyId}@example.org`;
  await app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', userId).execute();
  return email;
}

/** What a key without a scope for a call gets. */
function rejectionOf(scope: ApiScope, allowed: readonly ApiScope[]): { status: number; data: string } {
  if (scope === 'reports') return { status: 401, data: apiMessages.apiTokenReports };
  const data = allowed.length === 0 ? apiMessages.keyForPeopleOnly : apiMessages.keyScope(allowed);
  return { status: 403, data };
}

test('a key has what its scopes and the role of the person who made it both have, and less while suspended', () => {
  for (const permission of PERMISSIONS)
    for (const companyRole of COMPANY_ROLES)
      for (const scope of API_SCOPES) {
        const key = { role: 'api-token', companyRole, scopes: [scope] } as const;
        const both = companyRoleHas(companyRole, permission) && scopesHave([scope], permission);
        expect([permission, companyRole, scope, hasPermission(key, permission)]).toEqual([
          permission,
          companyRole,
          scope,
          both,
        ]);
        const suspended = { role: 'person', companyRole, suspended: true } as const;
        expect(hasPermission({ ...key, suspended: true }, permission)).toBe(
          both && hasPermission(suspended, permission),
        );
      }
});

test('a lower role of the person who made a key lowers the key at once', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'owner');
  const token = await apiKeyOf(person, ['read', 'finance']);
  const topUp = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const url = '/api/internal/finance/top_up';
    const { statusCode, body } = await app.http.inject({
      method: 'POST',
      url,
      headers,
      payload: { amount: 20 },
    });
    return { status: statusCode, data: JSON.parse(body).data };
  };
  expect((await topUp()).status).toBe(201);
  await company.call('PATCH', `/people/${person.userId}`, { role: 'editor' });
  expect(await topUp()).toEqual({ status: 403, data: apiMessages.keyRole });
});

test('a key of a suspended company changes nothing', async () => {
  const company = await app.freshCompany();
  const headers = { authorization: `Bearer ${await apiKeyOf(company, ['campaigns'])}` };
  await app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended: true });
  const url = `${CONSOLE_API}/campaign`;
  const made = await app.http.inject({ method: 'POST', url, headers, payload: {} });
  expect([made.statusCode, made.json().data]).toEqual([403, messages.suspended]);
  expect((await app.http.inject({ url, headers })).statusCode).toBe(200);
});

test('the API documentation names the scopes of each call', () => {
  const paths = documentOf(app.http).paths ?? {};
  const call = paths['/api/internal/campaign']?.['post'];
  expect(call?.description).toContain('API keys need a scope: `campaigns`.');
  expect(call?.security).toEqual([{ session: [] }, { apiToken: ['campaigns'] }]);
  expect(paths['/api/internal/api_tokens']?.['get']?.description).toContain('API keys may not.');
});

test('the table of the documentation is the one of the contract', () => {
  const rows = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\| `\w+\.\w+`/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', ''))
        .slice(1, -1),
    );
  const expected = PERMISSIONS.map((permission) => [
    permission,
    ...API_SCOPES.map((scope) => (scopesHave([scope], permission) ? 'yes' : '')),
  ]);
  expect(rows).toEqual(expected);
});
