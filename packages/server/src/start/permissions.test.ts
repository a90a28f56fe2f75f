import {
  COMPANY_ROLES,
  PERMISSIONS,
  type Permission,
  companyRoleHas,
} from '@bidwell/contract/accounts/permission';
import { API_SCOPES, scopesHave } from '@bidwell/contract/accounts/scope';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { messages } from '@bidwell/contract/text/messages';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { createApp } from '../modules/catalog/apps/service.ts';
import { startCampaign } from '../modules/campaigns/start.ts';
import { updateProfile } from '../modules/identity/profile.ts';
import { Forbidden } from '../platform/errors.ts';
import { hasPermission } from '../platform/permissions.ts';
import { readFileSync } from 'node:fs';
import { documentOf } from '../platform/http/openapi/document.ts';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });

const calls = await permittedCalls();

const forbidden = { status: 403, data: messages.roleForbids };

test('every permission is the one of a call, but for secrets and for keys that partners send in the body', () => {
  const others = ['postbacks.secret', 'audience.sync'] as const;
  const used = new Set<Permission>([...calls.map(({ permission }) => permission), ...others]);
  expect([...used].sort()).toEqual(PERMISSIONS.toSorted());
});

test('a function that no route calls refuses callers without the permission, and changes nothing', async () => {
  const company = await app.freshCompany();
  const viewer = { ...company, role: 'viewer' } as const;
  const suspended = { ...company, suspended: true };
  const input = {
    name: 'App',
    description: '',
    os: 'android',
    store_link: 'https://play.google.com/store/apps/details?id=com.example.app',
    bundle_id: 'com.example.app',
    size_in_kb: null,
    mobile_measurement_partner: 'adjust',
    iab_category: 'IAB9',
    advertiser_domain: 'example.com',
    rating: null,
    icon_link: null,
  } as const;
  await expect(createApp(app.ctx, viewer, input)).rejects.toThrow(new Forbidden(accountMessages.viewing));
  await expect(createApp(app.ctx, suspended, input)).rejects.toThrow(
    new Forbidden(accountMessages.suspended),
  );
  expect((await company.call('GET', '/app')).data.apps).toEqual([]);
  const made = await createApp(app.ctx, company, input);
  expect((await company.call('GET', '/app')).data.apps).toMatchObject([{ uuid: made.uuid }]);
  await expect(startCampaign(app.ctx, viewer, made)).rejects.toThrow(new Forbidden(accountMessages.viewing));
  const fields = { email: 'new@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  await expect(
    updateProfile(
      app.ctx,
      { ...viewer, sessionId: made.uuid },
      {
        userId: company.userId,
        fields: {
          ...fields,
          password: '',
          password_confirmation: '',
          current_password: '',
          revoke_api_tokens: false,
        },
        avatar: 'keep',
        signal: new AbortController().signal,
        countAddress: async () => {},
      },
    ),
  ).rejects.toThrow(new Forbidden(accountMessages.viewing));
});

test('a colleague is read with the permission to read people, and otherwise not at all', async () => {
  const company = await app.freshCompany();
  for (const role of COMPANY_ROLES) {
    const person = await app.freshPerson(company, role);
    const read = await person.call('GET', `/users/${company.userId}`);
    if (companyRoleHas(role, 'people.read'))
      expect(read).toMatchObject({ status: 200, data: { role: 'owner' } });
    else expect(read).toMatchObject(forbidden);
    expect(await person.call('GET', `/users/${person.userId}`)).toMatchObject({
      status: 200,
      data: { role },
    });
  }
});

test.each([
  ['people.md', (permission: Permission) => COMPANY_ROLES.filter((role) => companyRoleHas(role, permission))],
  ['api.md', (permission: Permission) => API_SCOPES.filter((scope) => scopesHave([scope], permission))],
])('the table of %s is the one of the contract', (document, holdersOf) => {
  const rows = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8')
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
    const holders = holdersOf(permission).join(', ') || 'none';
    permissions.set(holders, [...(permissions.get(holders) ?? []), permission]);
  }
  expect(rows).toEqual([...permissions].map(([holders, names]) => [holders, names.join(', ')]));
});

test('a new role holds from the next call on', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const target = (role: 'analyst' | 'editor') =>
    app.ctx.db
      .updateTable('memberships')
      .set({ role })
      .where('company_uuid', '=', company.companyId)
      .where('user_uuid', '=', person.userId)
      .execute();
  const create = async () => (await person.call('POST', '/api_tokens', { name: 'Program' })).status;
  expect(await create()).toBe(201);
  await target('analyst');
  expect(await create()).toBe(403);
  expect((await person.call('GET', `/users/${person.userId}`)).data.role).toBe('analyst');
  await target('editor');
  expect(await create()).toBe(201);
});

test('a change of a person who joined is logged under their name', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const profile = { email: 'a@example.com', first_name: 'Ada', last_name: 'Miller', contact: 'c' };
  await person.call('PUT', `/users/${person.userId}`, profile);
  await person.call('POST', '/api_tokens', { name: 'Program' });
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(data.changes[0]).toMatchObject({ entity_type: 'api_token', author: 'Ada Miller' });
});

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
  expect(await topUp()).toEqual({ status: 403, data: accountApiMessages.keyRole });
});

test('a key of a suspended company changes nothing', async () => {
  const company = await app.freshCompany();
  const headers = { authorization: `Bearer ${await apiKeyOf(company, ['campaigns'])}` };
  await app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended: true });
  const url = `${CONSOLE_API}/campaign`;
  const made = await app.http.inject({ method: 'POST', url, headers, payload: {} });
  expect([made.statusCode, made.json().data]).toEqual([403, accountMessages.suspended]);
  expect((await app.http.inject({ url, headers })).statusCode).toBe(200);
});

test('the API documentation names the permission of each call, and the roles and scopes that have it', () => {
  const paths = documentOf(app.http).paths ?? {};
  expect(paths['/api/internal/finance/top_up']?.['post']?.description).toBe(
    'Needs `money.write`, which people with these roles have: owner, finance. API keys need a scope: `finance`.',
  );
  const call = paths['/api/internal/campaign']?.['post'];
  expect(call?.description).toContain('API keys need a scope: `campaigns`.');
  expect(call?.security).toEqual([{ session: [] }, { apiToken: ['campaigns'] }]);
  expect(paths['/api/internal/api_tokens']?.['get']?.description).toContain('API keys may not.');
});
