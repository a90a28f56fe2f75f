import { COMPANY_ROLES, PERMISSIONS, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { API_SCOPES, scopesHave } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { testApp } from '@bidwell/testing/test-app';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasPermission } from '../platform/permissions.ts';
import { documentOf } from '../platform/http/openapi/document.ts';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });

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
    .filter((line) => /\| `\w+\.\w+`/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', ''))
        .slice(1, -1),
    );
  const permissions = new Map<string, string[]>();
  for (const permission of PERMISSIONS) {
    const scopes = API_SCOPES.filter((scope) => scopesHave([scope], permission)).join(', ') || 'none';
    permissions.set(scopes, [...(permissions.get(scopes) ?? []), permission]);
  }
  expect(rows).toEqual([...permissions].map(([scopes, names]) => [scopes, names.join(', ')]));
});
