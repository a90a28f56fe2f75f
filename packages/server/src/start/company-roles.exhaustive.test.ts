import {
  COMPANY_ROLES,
  type CompanyRole,
  PERMISSIONS,
  companyRoleHas,
} from '@bidwell/contract/accounts/permission';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { messages } from '@bidwell/contract/text/messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { storedState, undecidedTables } from '@bidwell/testing/callers/stored-state';
import { apiCases } from '@bidwell/testing/api-cases';
import type { Call } from '@bidwell/testing/api-cases/case';
import { consoleEndpoints } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
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

/** A person of each role of another company than that of each call. */
let strangers: (readonly [CompanyRole, TestCompany])[];
beforeAll(async () => {
  const other = await app.freshCompany();
  strangers = await Promise.all(
    COMPANY_ROLES.map(async (role) => [role, await app.freshPerson(other, role)] as const),
  );
});

/** Gives the person who made a company a mail address that nobody else has. */
async function addressOfOwner({ companyId, userId }: TestCompany): Promise<string> {
  const email = `${companyId}@example.org`;
  await app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', userId).execute();
  return email;
}

const forbidden = { status: 403, data: messages.roleForbids };

for (const { name, method, permission, hasId } of calls) {
  const allowed = COMPANY_ROLES.filter((role) => companyRoleHas(role, permission));
  const denied = COMPANY_ROLES.filter((role) => !allowed.includes(role));
  const scenario = cases[name]!;
  const respond = async (good: Call, person: TestCompany) =>
    app.http.inject(await requestOf(method, good, person));
  const send = async (good: Call, person: TestCompany) => {
    const response = await respond(good, person);
    const isJson = String(response.headers['content-type']).includes('json');
    return { status: response.statusCode, data: isJson ? response.json().data : undefined };
  };

  test(`${name} is for ${allowed.join(', ')} of the company, by its table`, async () => {
    const company = await app.freshCompany();
    const good = await scenario.good(company);
    const colleagues: [CompanyRole, TestCompany][] = [];
    for (const role of denied) colleagues.push([role, await app.freshPerson(company, role)]);
    const before = await storedState(app, company);
    for (const [role, colleague] of colleagues)
      expect([role, await send(good, colleague)]).toEqual([role, forbidden]);
    for (const [role, person] of strangers) {
      if (denied.includes(role)) expect([role, await send(good, person)]).toEqual([role, forbidden]);
      else if (hasId && !scenario.nothing)
        expect([role, (await send(good, person)).status]).toEqual([role, 404]);
    }
    expect(await storedState(app, company)).toEqual(before);
    // That owners may is what the tests of the calls show.
    const others = allowed.filter((role) => role !== 'owner' || allowed.length === 1);
    for (const [index, role] of others.entries()) {
      const isFirst = index === 0 && !scenario.isOfCaller;
      const own = isFirst ? company : await app.freshCompany();
      const person = role === 'owner' ? own : await app.freshPerson(own, role);
      const made = isFirst ? good : await scenario.good(scenario.isOfCaller ? person : own);
      const address = await addressOfOwner(own);
      const { statusCode, body } = await respond(made, person);
      expect([role, statusCode]).toEqual([role, expect.toSatisfy(isSuccess)]);
      if (!companyRoleHas(role, 'people.read'))
        expect([role, body]).toEqual([role, expect.not.stringContaining(address)]);
    }
  });
}

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

test('of every table it is decided what of it is compared before and after refused calls', async () => {
  expect(await undecidedTables(app)).toEqual([]);
});

const isSuccess = (status: number): boolean => status < 300;

test('the table of the documentation is the one of the contract', () => {
  const rows = readFileSync(new URL('../../../../docs/people.md', import.meta.url), 'utf8')
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
    ...COMPANY_ROLES.map((role) => (companyRoleHas(role, permission) ? 'yes' : '')),
  ]);
  expect(rows).toEqual(expected);
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
