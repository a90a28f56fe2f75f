import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { INVITATIONS_MAX, INVITATIONS_PER_HOUR } from '@bidwell/contract/accounts/people';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test' });

let addresses = 0;
const visit = async (path: string, payload: object, cookies: Record<string, string> = {}) => {
  const response = await app.http.inject({
    method: 'POST',
    url: `/api/internal${path}`,
    remoteAddress: `10.5.0.${(addresses += 1)}`,
    payload,
    cookies,
  });
  return { status: response.statusCode, data: response.json().data, cookies: response.cookies };
};
const invite = async (company: TestCompany, email: string, role: CompanyRole = 'editor') => {
  const response = await company.call('POST', '/people/invitations', { email, role });
  const token: string = response.status === 201 ? response.data.link.split('#')[1] : '';
  return { ...response, token };
};
const newcomer = (login: string) => ({
  login,
  password: 'correct horse',
  first_name: 'New',
  last_name: 'Comer',
  contact: 'none',
});
const peopleOf = async (company: TestCompany) => (await company.call('GET', '/people')).data;
const rolesOf = async (company: TestCompany) =>
  (await peopleOf(company)).people.map(({ role }: { role: string }) => role);
const setEmail = async ({ userId, call }: TestCompany, email: string) => {
  const profile = { email, first_name: 'Ada', last_name: 'Miller', contact: 'c' };
  expect((await call('PUT', `/users/${userId}`, profile)).status).toBe(200);
};
const HIGHLIGHTS = '/v2/analytics/highlight?start_date=2026-01-10&end_date=2026-01-10';
const linkError = { status: 422, data: accountMessages.invitationLink };

test('a company has its first person as owner, and people who join with their role', async () => {
  const company = await app.freshCompany();
  await app.freshPerson(company, 'analyst');
  expect(await peopleOf(company)).toMatchObject({
    people: [{ uuid: company.userId, role: 'owner' }, { role: 'analyst' }],
    invitations: [],
  });
});

test('an invitation comes by mail, and a new person joins by its link, once', async () => {
  const company = await app.freshCompany();
  await company.call('PUT', `/company/${company.companyId}`, { name: 'Bold & <b>Co</b>' });
  const { data, token, status } = await invite(company, 'new@example.com', 'finance');
  expect(status).toBe(201);
  expect(data).toMatchObject({ email: 'new@example.com', role: 'finance', is_mailed: true });
  const stored = await app.ctx.db.selectFrom('invitations').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  const mail = await eventually(() => {
    const found = mails.find(({ to }) => to === 'new@example.com');
    expect(found).toBeDefined();
    return found!;
  });
  // With a signature, which confirms the address.
  expect(mail.text.replaceAll('=\r\n', '')).toContain(`https://bidwell.test/invitation#${token}.`);
  expect(mail.text).toContain('Bold &amp; &lt;b&gt;Co&lt;/b&gt;');
  expect((await visit('/invitation', { token })).data).toEqual({
    company_name: 'Bold & <b>Co</b>',
    email: 'new@example.com',
    role: 'finance',
    expires_at: data.expires_at,
    needs_single_sign_on: false,
  });
  const body = { token, ...newcomer('new.comer') };
  const joined = await visit('/invitation/registration', body);
  expect(joined).toMatchObject({ status: 201, data: { company_id: company.companyId } });
  const refreshToken = joined.cookies.find(({ name }) => name.endsWith('bidwell_refresh_token'))!;
  expect(await visit('/refresh-token', {}, { [refreshToken.name]: refreshToken.value })).toMatchObject({
    status: 200,
    data: { user_id: joined.data.user_id },
  });
  expect(await peopleOf(company)).toMatchObject({
    people: [{ role: 'owner' }, { role: 'finance', login: 'new.comer', email: 'new@example.com' }],
    invitations: [],
  });
  expect(await visit('/invitation/registration', { ...body, login: 'new.comers' })).toMatchObject(linkError);
  expect(await visit('/invitation', { token })).toMatchObject(linkError);
  const { changes } = (await company.call('GET', `/company/${company.companyId}/changes`)).data;
  expect(changes[0]).toMatchObject({ entity_type: 'user', action: 'create', author: 'New Comer' });
  expect(changes[1].fields).toEqual([
    { field: 'invitation', before: null, after: 'new@example.com (finance)' },
  ]);
});

test('the mail of an invitation links to the server alone, whatever the company is called', async () => {
  const company = await app.freshCompany();
  const name = 'Prize at https://evil.example/win or win@evil.example, www.evil.example';
  await company.call('PUT', `/company/${company.companyId}`, { name });
  await invite(company, 'stranger@example.com');
  const { text } = await eventually(() => {
    const mail = mails.find(({ to }) => to === 'stranger@example.com');
    expect(mail).toBeDefined();
    return mail!;
  });
  expect(text).not.toContain('evil.example');
  expect(text).not.toMatch(/https?:\/\/(?!bidwell\.test\/)/);
});

test('of two people who use a link at once one joins', async () => {
  const company = await app.freshCompany();
  const { token } = await invite(company, 'twice@example.com');
  const both = await Promise.all(
    ['twice.one', 'twice.two'].map((login) =>
      visit('/invitation/registration', { token, ...newcomer(login) }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  expect(await rolesOf(company)).toEqual(['owner', 'editor']);
});

test('a link ends after seven days, when it is revoked, and when the address is invited again', async () => {
  const company = await app.freshCompany();
  const old = await invite(company, 'late@example.com');
  const register = () => visit('/invitation/registration', { token: old.token, ...newcomer('late.one') });
  expect(await app.after(7 * 86_400_000, register)).toMatchObject(linkError);
  expect((await visit('/invitation', { token: old.token })).status).toBe(200);
  const again = await invite(company, 'LATE@example.com', 'analyst');
  expect(await visit('/invitation', { token: old.token })).toMatchObject(linkError);
  expect((await peopleOf(company)).invitations).toMatchObject([{ uuid: again.data.uuid, role: 'analyst' }]);
  await company.call('DELETE', `/people/invitations/${again.data.uuid}`);
  expect(await visit('/invitation', { token: again.token })).toMatchObject(linkError);
  expect((await peopleOf(company)).invitations).toEqual([]);
});

test('a person with an account joins a second company with their address only, and acts for either', async () => {
  const [first, second] = [await app.freshCompany(), await app.freshCompany()];
  const { token } = await invite(second, 'both@example.com', 'analyst');
  const accept = () => first.call('POST', '/companies/invitation', { token });
  expect(await accept()).toMatchObject({ status: 422, data: accountMessages.invitationOtherMail });
  await setEmail(first, 'Both@example.com');
  expect(await accept()).toMatchObject({ status: 200, data: { uuid: second.companyId, role: 'analyst' } });
  const own = (await first.call('GET', '/companies')).data.companies;
  expect(own).toHaveLength(2);
  expect(own).toContainEqual(
    expect.objectContaining({ uuid: first.companyId, role: 'owner', is_current: true }),
  );
  const opened = await first.call('POST', `/companies/${second.companyId}/session`);
  expect(opened.status).toBe(200);
  expect((await first.call('GET', '/companies')).status).toBe(401);
  const get = async (path: string, method: 'GET' | 'POST' = 'GET', payload?: object) => {
    const headers = { authorization: `Bearer ${opened.data.access_token}` };
    const response = await app.http.inject({
      method,
      url: `/api/internal${path}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: response.statusCode, data: response.json().data };
  };
  expect((await get(`/users/${first.userId}`)).data).toMatchObject({
    role: 'analyst',
    company: { uuid: second.companyId },
  });
  expect((await get(`/users/${second.userId}`)).status).toBe(200);
  expect((await get(`/company/${first.companyId}/changes`)).status).toBe(404);
  expect((await get('/finance/top_up', 'POST', { amount: 20 })).status).toBe(403);
  expect((await get(`/companies/${(await app.freshCompany()).companyId}/session`, 'POST')).status).toBe(404);
  const cookie = opened.headers['set-cookie'];
  const refresh = /bidwell_refresh_token=([^;]+)/.exec(String(cookie))![1]!;
  const renewed = await visit('/refresh-token', {}, { '__Host-bidwell_refresh_token': refresh });
  expect(
    JSON.parse(Buffer.from(renewed.data.access_token.split('.')[1], 'base64url').toString()),
  ).toMatchObject({ company_id: second.companyId });
});

test('a removed person is out of the company at once, with their sessions, API tokens and invitations', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'owner');
  const program = (await person.call('POST', '/api_tokens', { name: 'Program' })).data.token;
  const report = () => company.call('GET', HIGHLIGHTS, undefined, { authorization: `Bearer ${program}` });
  expect((await report()).status).toBe(200);
  const { token } = await invite(person, 'friend@example.com', 'owner');
  const elsewhere = await app.freshCompany();
  await setEmail(person, 'gone@example.com');
  const other = await invite(elsewhere, 'gone@example.com', 'editor');
  await person.call('POST', '/companies/invitation', { token: other.token });
  expect((await company.call('DELETE', `/people/${person.userId}`)).status).toBe(200);
  expect((await person.call('GET', '/app')).status).toBe(401);
  expect((await report()).status).toBe(401);
  expect(await visit('/invitation', { token })).toMatchObject(linkError);
  expect(await rolesOf(company)).toEqual(['owner']);
  expect((await rolesOf(elsewhere)).toSorted()).toEqual(['editor', 'owner']);
  expect((await company.call('DELETE', `/people/${person.userId}`)).status).toBe(404);
  const { changes } = (await company.call('GET', `/company/${company.companyId}/changes`)).data;
  expect(changes[0]).toMatchObject({ entity_uuid: person.userId, action: 'delete', author: 'Test Er' });
});

test('a person who is in no company any more cannot log in, and learns so only with the right password', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const { login } = person;
  expect((await person.call('POST', '/people/leave')).status).toBe(200);
  expect((await person.call('GET', '/app')).status).toBe(401);
  expect((await visit('/login', { login, password: 'wrong horse' })).data).toBe('wrong login or password');
  expect(await visit('/login', { login, password: 'correct horse' })).toMatchObject({
    status: 422,
    data: 'You no longer belong to a company. Ask an owner of a company to invite you.',
  });
});

test('a company keeps an owner: the last one cannot leave, be removed or get another role', async () => {
  const company = await app.freshCompany();
  const self = `/people/${company.userId}`;
  expect((await company.call('POST', '/people/leave')).status).toBe(409);
  expect((await company.call('DELETE', self)).status).toBe(409);
  expect((await company.call('PATCH', self, { role: 'editor' })).status).toBe(409);
  expect(await rolesOf(company)).toEqual(['owner']);
});

test.each(['leave', 'remove each other', 'take the role of each other'])(
  'of two owners who %s at once one stays',
  async (how) => {
    const company = await app.freshCompany();
    const other = await app.freshPerson(company, 'owner');
    const act = async (one: TestCompany, another: TestCompany) => {
      if (how === 'leave') return one.call('POST', '/people/leave');
      if (how === 'remove each other') return one.call('DELETE', `/people/${another.userId}`);
      return one.call('PATCH', `/people/${another.userId}`, { role: 'analyst' });
    };
    const both = await Promise.all([act(company, other), act(other, company)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await app.ctx.db
      .selectFrom('memberships')
      .select('role')
      .where('company_uuid', '=', company.companyId)
      .where('role', '=', 'owner')
      .execute();
    expect(left).toHaveLength(1);
  },
);

test('ownership is transferred in one step: the heir owns, the former owner edits', async () => {
  const company = await app.freshCompany();
  const heir = await app.freshPerson(company, 'analyst');
  const moved = await company.call('POST', `/people/${heir.userId}/ownership`);
  expect(moved.data).toMatchObject({ uuid: heir.userId, role: 'owner' });
  expect(await rolesOf(company)).toEqual(['editor', 'owner']);
  expect((await company.call('POST', `/people/${heir.userId}/ownership`)).status).toBe(403);
});

test('a lower role ends the API tokens and invitations that it does not allow', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'owner');
  await person.call('POST', '/api_tokens', { name: 'Program' });
  const { token } = await invite(person, 'below@example.com', 'owner');
  const role = (name: CompanyRole) => company.call('PATCH', `/people/${person.userId}`, { role: name });
  expect((await role('editor')).status).toBe(200);
  expect(await visit('/invitation', { token })).toMatchObject(linkError);
  expect((await company.call('GET', '/api_tokens')).data.api_tokens).toHaveLength(1);
  await role('analyst');
  expect((await company.call('GET', '/api_tokens')).data.api_tokens).toEqual([]);
});

test('an API token that was made while its person was being removed, or lost the role for it, does not work', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const { token } = (await person.call('POST', '/api_tokens', { name: 'Program' })).data;
  const status = async () =>
    (await company.call('GET', HIGHLIGHTS, undefined, { authorization: `Bearer ${token}` })).status;
  const unrevoked = () =>
    app.ctx.db
      .updateTable('api_tokens')
      .set({ revoked_at: null })
      .where('user_uuid', '=', person.userId)
      .execute();
  expect(await status()).toBe(200);
  await company.call('PATCH', `/people/${person.userId}`, { role: 'analyst' });
  await unrevoked();
  expect(await status()).toBe(401);
  await company.call('DELETE', `/people/${person.userId}`);
  await unrevoked();
  expect(await status()).toBe(401);
});

test('invitations are limited: of a company in an hour and at once, and mails to one address', async () => {
  const company = await app.freshCompany();
  for (let n = 0; n < INVITATIONS_PER_HOUR; n += 1)
    expect((await invite(company, `many${n}@example.com`)).status).toBe(201);
  expect(await invite(company, 'one.more@example.com')).toMatchObject({
    status: 429,
    data: 'A company makes at most 20 invitations an hour. Please try again later.',
  });
  const now = app.clock.now;
  for (let n = INVITATIONS_PER_HOUR; n < INVITATIONS_MAX; n += 1) {
    if (n % INVITATIONS_PER_HOUR === 0) app.clock.now = new Date(app.clock.now.getTime() + 3_600_001);
    const again = await app.freshPerson(company, 'owner');
    expect((await invite(again, `many${n}@example.com`)).status).toBe(201);
  }
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_001);
  const owner = await app.freshPerson(company, 'owner');
  expect((await invite(owner, 'one.more@example.com')).status).toBe(409);
  app.clock.now = now;
  const mailed = [];
  for (let n = 0; n < 6; n += 1)
    mailed.push((await invite(await app.freshCompany(), 'victim@example.com')).data.is_mailed);
  expect(mailed).toEqual([true, true, true, true, true, false]);
});

test('an invitation does not say whether an address has an account', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  await setEmail(other, 'known@example.com');
  const shown = async (email: string) => {
    const { status, data } = await invite(company, email);
    return [status, Object.keys(data), data.is_mailed];
  };
  expect(await shown('known@example.com')).toEqual(await shown('unknown@example.com'));
});

test('a person who is in the company is not invited again', async () => {
  const company = await app.freshCompany();
  await setEmail(company, 'own@example.com');
  expect(await invite(company, 'OWN@example.com')).toMatchObject({
    status: 409,
    errors: [{ field: 'email' }],
  });
});
