import { ALERT_KINDS, type NotificationKind } from '@bidwell/contract/alerts/kinds';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { confirmMail } from '@bidwell/testing/people';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { beforeEach, expect, test } from 'vitest';
import { transact } from '../../../platform/postgres/transaction.ts';
import { createMessenger } from '../messenger.ts';
import { notify } from '../notifications/service.ts';
import { alertMails, queueAlertMails } from './mail-alerts.ts';
import { planAlerts } from './plan-alerts.ts';
import { unsubscribeToken } from './preferences.ts';

const { url, mails, refusals } = await mailServer();
// Mails are written and sent where a test says so.
const app = await testApp(
  { SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test', LOG_LEVEL: 'silent' },
  undefined,
  {
    alertsEveryMs: 3_600_000,
  },
);

let people = 0;
/** A company whose first person has a mail address of their own. */
async function companyWithMail() {
  const company = await app.freshCompany();
  return { company, to: await giveMail(company) };
}

async function giveMail({ userId }: TestCompany): Promise<string> {
  const to = `alerts${(people += 1)}@example.com`;
  await confirmMail(app.ctx, userId, to);
  return to;
}

const happens = async (
  { companyId }: TestCompany,
  title = 'Balance used up',
  kind: NotificationKind = 'balance',
) =>
  transact(app.ctx.db, async (tx) =>
    notify(app.ctx, tx, companyId, { kind, severity: 'critical', title, text: 'No <b>bids</b>.' }),
  );
/** Sends the due mails, as another process may do at the same time. */
async function mailAlerts(ctx: typeof app.ctx): Promise<void> {
  await queueAlertMails(ctx);
  const messenger = createMessenger(ctx, [alertMails]);
  await messenger.tick();
  await messenger.idle();
}
const send = async () => {
  await planAlerts(app.ctx);
  await mailAlerts(app.ctx);
};
const mailsTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ text }) => text);
const subjectsTo = (to: string) => mailsTo(to).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim());
const preferences = {
  kinds: ['balance'],
  frequency: 'at_once',
  daily_hour: 9,
  quiet_from: null,
  quiet_until: null,
  time_zone: 'UTC',
};
const choose = async ({ call }: TestCompany, over: object) => {
  const { status, data } = await call('PUT', '/alerts/preferences', { ...preferences, ...over });
  expect([status, data]).toMatchObject([200, over]);
};
const moveTo = (time: string) => (app.clock.now = new Date(time));

beforeEach(() => void moveTo('2026-03-02T12:00:00Z'));

test('until people choose, each person of a company gets mails about the balance, and no others', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'finance');
  const theirs = await giveMail(colleague);
  expect((await company.call('GET', '/alerts/preferences')).data).toMatchObject({
    kinds: ['balance', 'rule'],
    frequency: 'at_once',
    email: to,
    is_mailed: true,
  });
  await happens(company);
  await happens(company, 'App approved', 'moderation');
  await send();
  expect(subjectsTo(to)).toEqual(['Balance used up']);
  expect(subjectsTo(theirs)).toEqual(['Balance used up']);
  expect(mailsTo(to)[0]).toContain('No &lt;b&gt;bids&lt;/b&gt;.');
  await send();
  expect(mailsTo(to)).toHaveLength(1);
});

test('a person’s own alert is mailed to them alone and to no channel, whatever kinds they chose, and not at all if they chose never', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'editor');
  const theirs = await giveMail(colleague);
  await choose(colleague, { kinds: [] });
  const channel = {
    type: 'webhook',
    name: 'All',
    url: 'https://hooks.example.com/a',
    kinds: [...ALERT_KINDS],
  };
  expect((await company.call('POST', '/alerts/channels', channel)).status).toBe(201);
  const notifyOne = async (userId: string, kind: NotificationKind) =>
    transact(app.ctx.db, async (tx) =>
      notify(app.ctx, tx, company.companyId, { kind, severity: 'info', title: 'Asked', text: 't', userId }),
    );
  await notifyOne(colleague.userId, 'approval');
  // The caller that wrote the notification mails it itself.
  await notifyOne(colleague.userId, 'sign_in');
  await send();
  expect([subjectsTo(to), subjectsTo(theirs)]).toEqual([[], ['Asked']]);
  const deliveries = app.ctx.db.selectFrom('alert_deliveries').selectAll();
  expect(await deliveries.where('company_uuid', '=', company.companyId).execute()).toEqual([]);
  await choose(colleague, { frequency: 'off' });
  moveTo('2026-03-03T12:00:00Z');
  await notifyOne(colleague.userId, 'approval');
  await send();
  expect(subjectsTo(theirs)).toEqual(['Asked']);
});

test('alerts within five minutes are one mail, and a digest is one mail an hour or a day', async () => {
  const [fast, hourly, daily] = [await companyWithMail(), await companyWithMail(), await companyWithMail()];
  await choose(hourly.company, { frequency: 'hourly' });
  await choose(daily.company, { frequency: 'daily', daily_hour: 8, time_zone: 'Asia/Kolkata' });
  const all = async () => {
    for (const { company } of [fast, hourly, daily]) await happens(company);
    await send();
  };
  const counts = () => [fast, hourly, daily].map(({ to }) => mailsTo(to).length);
  await all();
  expect(counts()).toEqual([1, 0, 0]);
  moveTo('2026-03-02T12:01:00Z');
  await all();
  moveTo('2026-03-02T12:04:00Z');
  await all();
  expect(counts()).toEqual([1, 0, 0]);
  moveTo('2026-03-02T12:05:00Z');
  await send();
  expect(subjectsTo(fast.to)).toEqual(['Balance used up', 'Balance used up and 1 more alert']);
  moveTo('2026-03-02T13:00:00Z');
  await send();
  expect(subjectsTo(hourly.to)).toEqual(['Balance used up and 2 more alerts']);
  moveTo('2026-03-03T02:29:00Z');
  await send();
  expect(counts()).toEqual([2, 1, 0]);
  moveTo('2026-03-03T02:30:00Z');
  await send();
  expect(subjectsTo(daily.to)).toEqual(['Balance used up and 2 more alerts']);
});

test('in quiet hours nothing is mailed, and after them one mail', async () => {
  const { company, to } = await companyWithMail();
  await choose(company, { quiet_from: 22, quiet_until: 7 });
  moveTo('2026-03-02T23:00:00Z');
  await happens(company);
  await happens(company);
  await send();
  moveTo('2026-03-03T06:59:00Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
  moveTo('2026-03-03T07:00:00Z');
  await send();
  expect(mailsTo(to)).toHaveLength(1);
});

/** The request of mail programs to unsubscribe by one click (RFC 8058). */
const oneClicks: [type: string, payload: string][] = [
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['APPLICATION/X-WWW-FORM-URLENCODED; charset=UTF-8', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
  ['Multipart/Form-Data; boundary="b"', `--b\r\n\r\n${'x'.repeat(4000)}\r\n--b--`],
  ['text/plain', 'List-Unsubscribe=One-Click'],
  ['application/json', 'List-Unsubscribe=One-Click'],
  ['', ''],
];

test('the link of a mail ends the mails of one person about one company, without a login', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'editor');
  const theirs = await giveMail(colleague);
  await happens(company);
  await send();
  const [mail] = mailsTo(to) as [string];
  const unfolded = mail.replaceAll(/\r\n\s+/g, ' ');
  expect(unfolded).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const address = /List-Unsubscribe: <https:\/\/bidwell\.test(\S+)>/.exec(unfolded)![1]!;
  const post = async (path: string) =>
    app.http.inject({
      method: 'POST',
      url: path,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const token = address.split('/').at(-1)!;
  expect(mail).toContain(`https://bidwell.test/unsubscribe#${token}`);
  for (const wrong of [token.slice(0, -4), `B${token.slice(1)}`, `${token}AAAA`, 'x'])
    expect((await post(address.replace(token, wrong))).statusCode).toBe(404);
  // A person who forwards a mail lets others unsubscribe them, and nothing else.
  const other = unsubscribeToken('another secret', { companyId: company.companyId, userId: company.userId });
  expect((await post(address.replace(token, other))).statusCode).toBe(404);
  const inBrowser = await app.http.inject({ url: address });
  expect([inBrowser.statusCode, inBrowser.headers.location]).toEqual([302, `/unsubscribe#${token}`]);
  for (let count = 0; count < 2; count += 1) {
    const { statusCode } = await post(address);
    expect(statusCode).toBe(200);
  }
  for (const [type, payload] of oneClicks) {
    const headers = type === '' ? {} : { 'content-type': type };
    const { statusCode } = await app.http.inject({ method: 'POST', url: address, payload, headers });
    expect([type, statusCode]).toEqual([type, 200]);
  }
  expect((await company.call('GET', '/alerts/preferences')).data).toMatchObject({
    frequency: 'off',
    kinds: ['balance', 'rule'],
  });
  moveTo('2026-03-02T13:00:00Z');
  await happens(company);
  await send();
  expect([mailsTo(to).length, mailsTo(theirs).length]).toEqual([1, 2]);
});

test('a person who has left the company gets no mail, also not the waiting ones', async () => {
  const { company } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'editor');
  const to = await giveMail(colleague);
  await choose(colleague, { frequency: 'hourly' });
  await happens(company);
  await send();
  expect((await company.call('DELETE', `/people/${colleague.userId}`)).status).toBe(200);
  moveTo('2026-03-02T13:00:00Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
});

test('two servers send one mail, and another one later sends the mails that a killed one had begun', async () => {
  const { company, to } = await companyWithMail();
  await happens(company);
  await planAlerts(app.ctx);
  await Promise.all([mailAlerts(app.ctx), mailAlerts(app.ctx)]);
  expect(mailsTo(to)).toHaveLength(1);
  moveTo('2026-03-02T12:30:00Z');
  await happens(company);
  await planAlerts(app.ctx);
  const waiting = () =>
    app.ctx.db.selectFrom('messages').selectAll().where('company_uuid', '=', company.companyId).execute();
  const killed = { ...app.ctx, mailer: { ...app.ctx.mailer!, sendOnce: () => new Promise<void>(() => {}) } };
  void mailAlerts(killed);
  await eventually(async () => expect(await waiting()).toMatchObject([{ attempts: 1 }]));
  await mailAlerts(app.ctx);
  expect(mailsTo(to)).toHaveLength(1);
  moveTo('2026-03-02T12:41:00Z');
  await mailAlerts(app.ctx);
  expect(mailsTo(to)).toHaveLength(2);
});

test('a mail that was acknowledged before a kill is repeated with the same alerts and the same id, and later alerts are in the next one', async () => {
  const { company, to } = await companyWithMail();
  await happens(company, 'First');
  await planAlerts(app.ctx);
  // The mail server has it, and the process ends before it has the response.
  const sendOnce: NonNullable<typeof app.ctx.mailer>['sendOnce'] = async (...mail) => {
    await app.ctx.mailer!.sendOnce(...mail);
    return new Promise(() => {});
  };
  void mailAlerts({ ...app.ctx, mailer: { ...app.ctx.mailer!, sendOnce } });
  await eventually(() => expect(mailsTo(to)).toHaveLength(1));
  await happens(company, 'Second');
  moveTo('2026-03-02T12:01:00Z');
  await send();
  expect(subjectsTo(to)).toEqual(['First', 'First']);
  const ids = mailsTo(to).map((mail) => /^Message-ID: (\S+)/im.exec(mail)![1]);
  expect(ids[1]).toBe(ids[0]);
  moveTo('2026-03-02T12:06:00Z');
  await send();
  expect(subjectsTo(to)).toEqual(['First', 'First', 'Second']);
});

test('a company whose mails take long delays the mails of another company by one of its own', async () => {
  const { company, to } = await companyWithMail();
  const addresses = [to];
  for (let count = 0; count < 2; count += 1)
    addresses.push(await giveMail(await app.freshPerson(company, 'finance')));
  const other = await companyWithMail();
  await happens(company);
  await happens(other.company);
  await planAlerts(app.ctx);
  const held: (() => void)[] = [];
  const { mailer } = app.ctx;
  const sendOnce: NonNullable<typeof mailer>['sendOnce'] = async (mail, signal) => {
    if (addresses.includes(mail.to)) await new Promise<void>((done) => held.push(done));
    return mailer!.sendOnce(mail, signal);
  };
  const run = mailAlerts({ ...app.ctx, mailer: { ...mailer!, sendOnce } });
  await eventually(() => expect(mailsTo(other.to)).toHaveLength(1));
  for (let count = 0; count < 3; count += 1) {
    await eventually(() => expect(held).toHaveLength(1));
    held.shift()!();
  }
  await run;
  expect(addresses.map((address) => mailsTo(address).length)).toEqual([1, 1, 1]);
});

test('a mail that the mail server refuses is tried again later', async () => {
  const { company, to } = await companyWithMail();
  await happens(company);
  await planAlerts(app.ctx);
  const down = async () => Promise.reject(new Error('down'));
  await mailAlerts({ ...app.ctx, mailer: { ...app.ctx.mailer!, sendOnce: down } });
  await mailAlerts(app.ctx);
  expect(mailsTo(to)).toEqual([]);
  moveTo('2026-03-02T12:02:00Z');
  await mailAlerts(app.ctx);
  expect(mailsTo(to)).toHaveLength(1);
});

test('a mail to an address that the mail server refuses for good is not tried again', async () => {
  const { company, to } = await companyWithMail();
  refusals.set(to, 550);
  await happens(company);
  await send();
  refusals.delete(to);
  moveTo('2026-03-02T13:00:00Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
  await happens(company, 'Later');
  await send();
  expect(subjectsTo(to)).toEqual(['Later']);
});

test.each([
  ['one quiet hour alone', { quiet_from: 22 }],
  ['equal quiet hours', { quiet_from: 7, quiet_until: 7 }],
  ['an unknown time zone', { time_zone: 'Mars/Olympus' }],
  ['an unknown kind', { kinds: ['weather'] }],
  ['an hour that no day has', { daily_hour: 24 }],
])('preferences with %s are rejected', async (_what, over) => {
  const company = await app.freshCompany();
  expect((await company.call('PUT', '/alerts/preferences', { ...preferences, ...over })).status).toBe(422);
});
