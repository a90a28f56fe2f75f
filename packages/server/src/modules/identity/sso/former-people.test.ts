import { messages } from '@bidwell/contract/text/messages';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { markOfAddress } from '../people/former-people-store.ts';

const app = await testApp();
const { setUp, begun, finish } = signOnOf(app);

const refused = { status: 422, data: messages.ssoNotInvited };
const setEmail = async (userId: string, email: string) =>
  app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', userId).execute();
const remove = async (company: TestCompany, userId: string) =>
  expect((await company.call('DELETE', `/people/${userId}`)).status).toBe(200);

/** A company where people join by signing in, and functions of its people. */
async function open() {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { role: 'editor' });
  const signIn = async (sub: string, name: string) =>
    finish(await begun(company, { sub, email: `${name}@${domain}`, email_verified: true }));
  const invite = async (name: string) =>
    company.call('POST', '/people/invitations', { email: `${name}@${domain}`, role: 'analyst' });
  return { company, domain, signIn, invite };
}

test('a person who was removed while they had a password only comes back by an invitation', async () => {
  const { company, domain, signIn, invite } = await open();
  const person = await app.freshPerson(company, 'analyst');
  await setEmail(person.userId, `ada@${domain}`);
  await remove(company, person.userId);
  for (const name of ['ada', 'ADA']) expect(await signIn(name, name)).toMatchObject(refused);
  expect((await signIn('grace', 'grace')).status).toBe(200);
  await invite('ada');
  expect((await signIn('ada', 'ada')).status).toBe(200);
  const { people } = (await company.call('GET', '/people')).data;
  expect(people.at(-1)).toMatchObject({ email: `ada@${domain}`, role: 'analyst' });
});

test('a removed person is known by each address and each identity that they had', async () => {
  const { company, domain, signIn } = await open();
  const person = await app.freshPerson(company, 'analyst');
  await setEmail(person.userId, `ada@${domain}`);
  const link = async (sub: string, name: string) => {
    const claims = { sub, email: `${name}@${domain}`, email_verified: true };
    expect((await finish(await begun(company, claims, person))).status).toBe(200);
  };
  await link('first', 'lovelace');
  await link('second', 'ada');
  expect((await signIn('second', 'countess')).status).toBe(200);
  const profile = { first_name: 'Ada', last_name: 'L', contact: 'c', email: 'ada@home.example' };
  expect((await person.call('PUT', `/users/${person.userId}`, profile)).status).toBe(200);
  await remove(company, person.userId);
  for (const name of ['ada', 'lovelace', 'countess'])
    expect(await signIn(`new ${name}`, name)).toMatchObject(refused);
  for (const sub of ['first', 'second']) expect(await signIn(sub, 'other')).toMatchObject(refused);
});

test('the memory is of one company, and nobody who is still there is refused for an address that they had', async () => {
  const [here, there] = [await open(), await open()];
  const { user_id: userId } = (await here.signIn('ada', 'ada')).data.session;
  await here.signIn('ada', 'lovelace');
  await remove(here.company, userId);
  expect((await there.signIn('ada', 'ada')).status).toBe(200);
  const stayed = await there.signIn('ada', 'lovelace');
  expect(stayed.status).toBe(200);
  // The address was given to a colleague.
  expect((await there.signIn('heir', 'lovelace')).status).toBe(200);
});

test('an address has one mark, whatever its case and Unicode form, and another one in each company', () => {
  const mark = markOfAddress('a company', 'ada@b\u00FCcher.example');
  for (const same of [
    'ADA@B\u00DCCHER.example',
    '\uFF21da@bu\u0308cher.example',
    ' ada@xn--bcher-kva.example',
  ])
    expect(markOfAddress('a company', same)).toBe(mark);
  expect(markOfAddress('a company', 'ada@bucher.example')).not.toBe(mark);
  expect(markOfAddress('another', 'ada@b\u00FCcher.example')).not.toBe(mark);
});

test('an address is not stored in the memory', async () => {
  const { company, domain, signIn } = await open();
  const { user_id: userId } = (await signIn('subject of ada', 'ada')).data.session;
  await remove(company, userId);
  const rows = await app.ctx.db.selectFrom('people_marks').selectAll().execute();
  expect(rows.filter(({ user_uuid }) => user_uuid === userId)).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${domain}|subject of ada`));
});

test('nobody joins a suspended company by signing in', async () => {
  const { company, signIn } = await open();
  await app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended: true });
  expect(await signIn('ada', 'ada')).toMatchObject(refused);
});
