import { COMPANY_ROLES, PERMISSIONS, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { messages } from '@bidwell/contract/text/messages';
import { testApp } from '@bidwell/testing/test-app';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentOf } from '../platform/http/openapi/document.ts';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const forbidden = { status: 403, data: messages.roleForbids };

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

test('the table of the documentation is the one of the contract', () => {
  const rows = readFileSync(new URL('../../../../docs/people.md', import.meta.url), 'utf8')
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
    const roles = COMPANY_ROLES.filter((role) => companyRoleHas(role, permission)).join(', ');
    permissions.set(roles, [...(permissions.get(roles) ?? []), permission]);
  }
  expect(rows).toEqual([...permissions].map(([roles, names]) => [roles, names.join(', ')]));
});

test('the API documentation names the permission of each call and the roles that have it', () => {
  const call = (documentOf(app.http).paths ?? {})['/api/internal/finance/top_up']?.['post'];
  expect(call?.description).toBe(
    'Needs `money.write`, which people with these roles have: owner, finance. API keys need a scope: `finance`.',
  );
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

test('a change of somebody who joined is logged under their name', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const profile = { email: 'a@example.com', first_name: 'Ada', last_name: 'Miller', contact: 'c' };
  await person.call('PUT', `/users/${person.userId}`, profile);
  await person.call('POST', '/api_tokens', { name: 'Program' });
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(data.changes[0]).toMatchObject({ entity_type: 'api_token', author: 'Ada Miller' });
});
