import { accountMessages } from '@bidwell/contract/accounts/messages';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import { freshAddress } from '@bidwell/testing/api-cases/case';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { planReports, reportMessages } from '../reporting/schedules/report-messages.ts';
import { createMessenger } from '../messaging/messenger.ts';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test', LOG_LEVEL: 'silent' });

let strangers = 0;
/** A person who registers with a mail address, and their calls. */
async function registered(email: string) {
  const letter = String.fromCodePoint(97 + (strangers += 1));
  const login = `stranger.${letter}`;
  const person = {
    login,
    email,
    password: 'correct horse',
    first_name: 'Pay',
    last_name: 'Me',
    contact: 'c',
  };
  const visit = async (path: string, payload: object) =>
    app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, remoteAddress: freshAddress() });
  const response = await visit('/registration', person);
  expect(response.statusCode).toBe(201);
  const { data } = (await visit('/login', { login, password: person.password })).json();
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${data.access_token}` };
    const made = await app.http.inject({
      method,
      url: `/api/internal${path}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: made.statusCode, data: made.json().data };
  };
  const user = async () => (await call('GET', `/users/${data.user_id}`)).data;
  return { userId: data.user_id as string, login, visit, call, user };
}

const mailsTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ text }) => text);
const subjectsTo = (to: string) => mailsTo(to).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim());
const CONFIRM = 'Confirm your mail address for Bidwell';
const sent = async (to: string, count: number) =>
  eventually(() => {
    expect(mailsTo(to)).toHaveLength(count);
    return mailsTo(to);
  });
const tokenIn = (mail: string) => /confirm-address#([\w-]+)/.exec(mail.replaceAll('=\r\n', ''))![1]!;
const confirm = async (token: string) => {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/internal/email-confirmation',
    payload: { token },
    remoteAddress: freshAddress(),
  });
  return { status: response.statusCode, data: response.json().data };
};

test('an unconfirmed address gets the link to confirm it and nothing else, whatever its person does', async () => {
  const to = 'victim@example.com';
  const { call, visit, user, userId, login } = await registered(to);
  const [link] = await sent(to, 1);
  expect(await user()).toMatchObject({ needs_email_confirmation: true });
  const report = {
    name: 'Pay invoice 4711 at https://evil.example',
    report: { levels: { campaign: '' }, metrics: ['spends'] },
    format: 'csv',
    frequency: 'daily',
    weekday: null,
    hour: 8,
    user_uuids: [userId],
    is_enabled: true,
  };
  const { data: schedule } = await call('POST', '/report-schedules', report);
  const send = async () => {
    expect((await call('POST', `/report-schedules/${schedule.uuid}/send`)).status).toBeLessThan(300);
    await planReports(app.ctx);
    const sender = createMessenger(app.ctx, [reportMessages(app.ctx)]);
    await sender.tick();
    await sender.idle();
    return (await call('GET', `/report-schedules/${schedule.uuid}/runs`)).data.runs[0];
  };
  expect(await send()).toMatchObject({
    status: 'failed',
    error: reportScheduleMessages.reportMailUnconfirmed(1),
  });
  const invitation = { email: 'another@example.com', role: 'editor' };
  expect((await call('POST', '/people/invitations', invitation)).data).toMatchObject({ is_mailed: false });
  await visit('/password-reset', { login });
  await sent(to, 2);
  expect(subjectsTo(to)).toEqual([CONFIRM, CONFIRM]);
  for (const mail of mailsTo(to)) expect(mail).not.toMatch(/evil|4711|Pay|stranger/);
  expect(mailsTo('another@example.com')).toEqual([]);

  expect(await confirm(tokenIn(link!))).toEqual({ status: 200, data: { email: to } });
  expect(await confirm(tokenIn(link!))).toMatchObject({ status: 200 });
  expect(await user()).toMatchObject({ needs_email_confirmation: false });
  expect(await send()).toMatchObject({ status: 'sent' });
  expect((await call('POST', '/people/invitations', invitation)).data).toMatchObject({ is_mailed: true });
});

test('a new address has to be confirmed again, not by a link of the former one', async () => {
  const { call, user, userId } = await registered('first@example.com');
  const [first] = await sent('first@example.com', 1);
  await confirm(tokenIn(first!));
  const profile = { email: 'second@example.com', first_name: 'Ada', last_name: 'L', contact: 'c' };
  expect((await call('PUT', `/users/${userId}`, profile)).status).toBe(200);
  const [second] = await sent('second@example.com', 1);
  expect(await user()).toMatchObject({ needs_email_confirmation: true });
  expect(await confirm(tokenIn(first!))).toEqual({ status: 422, data: accountMessages.confirmationLink });
  expect(await confirm('nonsense')).toMatchObject({ status: 422 });
  expect((await confirm(tokenIn(second!))).status).toBe(200);
  expect(await user()).toMatchObject({ needs_email_confirmation: false });
  // The same mailbox in other letters stays confirmed.
  await call('PUT', `/users/${userId}`, { ...profile, email: 'Second@Example.com' });
  expect(await user()).toMatchObject({ needs_email_confirmation: false });
});

test('an address gets five links a day, from however many accounts', async () => {
  app.clock.now = new Date('2026-03-02T12:00:00Z');
  const to = 'flooded@example.com';
  const accounts = [];
  for (let count = 0; count < 4; count += 1)
    accounts.push(await registered(count === 0 ? to : `Flooded@EXAMPLE.com`));
  const [{ call }] = accounts as [(typeof accounts)[0]];
  const again = async () => call('POST', '/account/email-confirmation');
  expect(await again()).toMatchObject({ status: 200, data: { is_sent: true } });
  expect(await again()).toEqual({ status: 429, data: accountMessages.confirmationsOfDay });
  await eventually(() => expect(mails.filter((mail) => mail.to.toLowerCase() === to)).toHaveLength(5));
});

test('an invoice is mailed to a billing address that its holder or a confirmed person of the company stands for', async () => {
  const company = await app.freshCompany();
  const details = {
    legal_name: 'Buyer GmbH',
    address: 'Street 1',
    country: 'DE',
    tax_id: '',
    email: 'books@example.com',
    currency: null,
  };
  const path = '/finance/billing_details';
  expect((await company.call('PUT', path, details)).data).toMatchObject({ needs_email_confirmation: true });
  const [link] = await sent('books@example.com', 1);
  expect(subjectsTo('books@example.com')).toEqual([CONFIRM]);
  expect(link).not.toContain('Buyer');
  expect((await confirm(tokenIn(link!))).data).toEqual({ email: 'books@example.com' });
  expect((await company.call('GET', path)).data).toMatchObject({ needs_email_confirmation: false });
  const { data: user } = await company.call('GET', `/users/${company.userId}`);
  const own = await company.call('PUT', path, { ...details, email: user.email });
  expect(own.data).toMatchObject({ needs_email_confirmation: false });
});

test('an invitation confirms the address by the link that was mailed, not by the one of the person who invites', async () => {
  const company = await app.freshCompany();
  const join = async (email: string, login: string, read: (link: string) => string) => {
    const { data } = await company.call('POST', '/people/invitations', { email, role: 'owner' });
    const [mail] = await sent(email, 1);
    const mailed = /invitation#([\w.-]+)/.exec(mail!.replaceAll('=\r\n', ''))![1]!;
    const own = data.link.split('#')[1];
    const person = { login, password: 'correct horse', first_name: 'New', last_name: 'Comer', contact: 'c' };
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/internal/invitation/registration',
      payload: { token: read(`${own} ${mailed}`), ...person },
      remoteAddress: freshAddress(),
    });
    expect(response.statusCode).toBe(201);
    const { user_id } = response.json().data;
    const { data: user } = await company.call('GET', `/users/${user_id}`);
    return user.needs_email_confirmation;
  };
  const signature = (links: string) => links.slice(links.indexOf('.'));
  let foreign = '';
  const keep = (links: string) => {
    foreign = signature(links);
    return links.split(' ')[1]!;
  };
  expect(await join('mailed@example.com', 'mailed.one', keep)).toBe(false);
  expect(await join('shown@example.com', 'shown.one', (links) => links.split(' ')[0]!)).toBe(true);
  expect(await join('forged@example.com', 'forged.one', (links) => links.split(' ')[0]! + foreign)).toBe(
    true,
  );
});
