import { COMPANY_ROLES, type CompanyRole, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { messages } from '@bidwell/contract/text/messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { storedState, undecidedTables } from '@bidwell/testing/callers/stored-state';
import { apiCases } from '@bidwell/testing/api-cases';
import type { Call } from '@bidwell/testing/api-cases/case';
import { addressOfOwner } from '@bidwell/testing/caller-tokens';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { beforeAll, expect, test } from 'vitest';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const calls = await permittedCalls();

/** A person of each role of a company other than the company of each call. */
let strangers: (readonly [CompanyRole, TestCompany])[];
beforeAll(async () => {
  const other = await app.freshCompany();
  strangers = await Promise.all(
    COMPANY_ROLES.map(async (role) => [role, await app.freshPerson(other, role)] as const),
  );
});

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
    // The tests of the calls show that owners may.
    const others = allowed.filter((role) => role !== 'owner' || allowed.length === 1);
    for (const [index, role] of others.entries()) {
      const isFirst = index === 0 && !scenario.isOfCaller;
      const own = isFirst ? company : await app.freshCompany();
      const person = role === 'owner' ? own : await app.freshPerson(own, role);
      const made = isFirst ? good : await scenario.good(scenario.isOfCaller ? person : own);
      const address = await addressOfOwner(app, own);
      const { statusCode, body } = await respond(made, person);
      expect([role, statusCode]).toEqual([role, expect.toSatisfy(isSuccess)]);
      if (!companyRoleHas(role, 'people.read'))
        expect([role, body]).toEqual([role, expect.not.stringContaining(address)]);
    }
  });
}

test('every table declares which of its rows are compared before and after refused calls', async () => {
  expect(await undecidedTables(app)).toEqual([]);
});

const isSuccess = (status: number): boolean => status < 300;
