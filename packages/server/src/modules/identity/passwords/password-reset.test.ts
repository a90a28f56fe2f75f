import { expect, test } from 'vitest';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';
import { createMessenger } from '../../messaging/messenger.ts';
import { passwordMails } from './password-reset.ts';

const { url, mails, refusals } = await mailServer();
const app = await testApp({ SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test' });

let addresses = 0;
const visit = async (path: string, payload?: object) => {
  const response = await app.http.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/internal${path}`,
    remoteAddress: `10.3.0.${(addresses += 1)}`,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json() };
};
const logIn = (login: string, password: string) => visit('/login', { login, password });

/** Gives the user an address of their own, requests a link, and returns the token of the mail. */
async function tokenFor(company: TestCompany, email: string): Promise<{ login: string; token: string }> {
  await app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', company.userId).execute();
  const { login } = company;
  expect(await visit('/password-reset', { login })).toEqual({
    status: 200,
    body: { data: { is_accepted: true } },
  });
  const mail = await eventually(() => {
    const found = mails.find(({ to }) => to === email);
    expect(found).toBeDefined();
    return found!;
  });
  return { login, token: /https:\/\/bidwell\.test\/password-reset#([\w-]+)/.exec(mail.text)![1]! };
}

test('a link in a mail sets a new password once and ends all sessions', async () => {
  const company = await app.freshCompany();
  const { login, token } = await tokenFor(company, 'once@example.com');
  expect(mails.find(({ to }) => to === 'once@example.com')!.text).toContain('text/html');
  const stored = await app.ctx.db.selectFrom('password_resets').select('token_hash').execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  expect((await visit('/password-reset/confirm', { token, password: 'battery staple' })).status).toBe(200);
  expect((await company.call('GET', '/app')).status).toBe(401);
  expect((await logIn(login, 'correct horse')).status).toBe(422);
  expect((await logIn(login, 'battery staple')).status).toBe(200);
  const again = await visit('/password-reset/confirm', { token, password: 'another staple' });
  expect(again).toMatchObject({
    status: 422,
    body: { data: 'This link was used or has expired. Request a new one.' },
  });
});

test('a link is valid for an hour, and until the e-mail address changes', async () => {
  const company = await app.freshCompany();
  const { token } = await tokenFor(company, 'late@example.com');
  const confirm = () => visit('/password-reset/confirm', { token, password: 'battery staple' });
  expect((await app.after(3_600_001, confirm)).status).toBe(422);
  const profile = { email: 'moved@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  expect((await company.call('PUT', `/users/${company.userId}`, profile)).status).toBe(200);
  expect((await confirm()).status).toBe(422);
});

test('a guessable password is refused, and the link stays valid', async () => {
  const company = await app.freshCompany();
  const { token, login } = await tokenFor(company, 'weak@example.com');
  const rejected = await visit('/password-reset/confirm', { token, password: login });
  expect(rejected).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } });
  expect((await visit('/password-reset/confirm', { token, password: 'battery staple' })).status).toBe(200);
});

test('the response is the same for a login that does not exist, and nothing is sent', async () => {
  const before = mails.length;
  expect(await visit('/password-reset', { login: 'nobody.there' })).toEqual({
    status: 200,
    body: { data: { is_accepted: true } },
  });
  // A mail to another user that is requested later has arrived, and none before it.
  await tokenFor(await app.freshCompany(), 'after@example.com');
  expect(mails.slice(before).map(({ to }) => to)).toEqual(['after@example.com']);
});

test('a user gets three links an hour at most', async () => {
  const company = await app.freshCompany();
  const { login } = await tokenFor(company, 'often@example.com');
  for (let n = 0; n < 4; n += 1) await visit('/password-reset', { login });
  await tokenFor(await app.freshCompany(), 'later@example.com');
  await eventually(async () =>
    expect(await app.ctx.db.selectFrom('messages').select('uuid').execute()).toEqual([]),
  );
  expect(mails.filter(({ to }) => to === 'often@example.com')).toHaveLength(3);
});

test('a link that is void by the time that the mail server takes mails is not sent', async () => {
  const company = await app.freshCompany();
  const email = 'void@example.com';
  await app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', company.userId).execute();
  refusals.set(email, 451);
  await visit('/password-reset', { login: company.login });
  const waiting = app.ctx.db
    .selectFrom('messages')
    .select(['attempts', 'content'])
    .where('user_uuid', '=', company.userId)
    .where('kind', '=', 'password')
    .where('claimed_until', 'is', null);
  await eventually(async () =>
    expect(await waiting.execute()).toEqual([{ attempts: 1, content: expect.stringMatching(/^enc:1:/) }]),
  );
  const profile = { email: 'other@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  expect((await company.call('PUT', `/users/${company.userId}`, profile)).status).toBe(200);
  refusals.clear();
  await app.after(60_000, async () => {
    const messenger = createMessenger(app.ctx, [passwordMails]);
    await messenger.tick();
    await messenger.idle();
  });
  expect(await waiting.execute()).toEqual([]);
  expect(mails.filter(({ to, text }) => to === email && text.includes('password-reset#'))).toEqual([]);
});

test('an address that asks again and again is limited', async () => {
  const request = async () =>
    (
      await app.http.inject({
        method: 'POST',
        url: '/api/internal/password-reset',
        payload: { login: 'some.body' },
        remoteAddress: '10.4.0.1',
      })
    ).statusCode;
  const statuses = [];
  for (let n = 0; n < 11; n += 1) statuses.push(await request());
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

test('the server says that it offers links', async () => {
  expect((await visit('/password-reset')).body).toEqual({ data: { is_offered: true } });
});
