import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { confirmMail } from '@bidwell/testing/people';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type ApiResponse, type Method, type TestCompany, testApp } from '@bidwell/testing/test-app';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { startSession } from '../../identity/service.ts';
import { planReports, reportMessages } from './report-messages.ts';
import { deleteExpiredRuns } from './runs.ts';
import { createMessenger } from '../../messaging/messenger.ts';

const { url, mails, refusals } = await mailServer();
// Reports are planned and sent where a test says so.
const app = await testApp(
  { SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test', LOG_LEVEL: 'silent' },
  undefined,
  { alertsEveryMs: 3_600_000 },
);
const { ctx } = app;
const reportSender = (context: typeof ctx, stopMs = 1000) =>
  createMessenger(context, [reportMessages(context)], { stopMs });

const { mailer } = ctx as { mailer: Mailer };
/** A context whose mail server does this with a mail. */
const withMailer = (sendOnce: Mailer['sendOnce']) => ({ ...ctx, mailer: { ...mailer, sendOnce } });

/** Calls as a person in a session that begins now: days pass in these tests. */
async function call({ companyId, userId }: TestCompany, method: Method, path: string, body?: object) {
  const { tokens } = await startSession(ctx, { companyId, userId });
  const response = await app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${tokens.access_token}` },
    ...(body && { payload: body }),
  });
  const { data, errors } = response.json<Pick<ApiResponse, 'data' | 'errors'>>();
  return { status: response.statusCode, data, errors };
}

let people = 0;
async function giveMail({ userId }: TestCompany): Promise<string> {
  const to = `reports${(people += 1)}@example.com`;
  await confirmMail(app.ctx, userId, to);
  return to;
}
/** A company whose first person has a mail address of their own. */
async function companyWithMail() {
  const company = await app.freshCompany();
  return { company, to: await giveMail(company) };
}

const daily = ({ userId }: TestCompany) => ({
  name: 'Morning',
  report: { levels: { campaign: '', bundle: '' }, metrics: ['spends', 'installs', 'cpi'] },
  format: 'csv',
  frequency: 'daily',
  weekday: null,
  hour: 8,
  user_uuids: [userId],
  is_enabled: true,
});
async function schedule(company: TestCompany, over: object = {}) {
  const { status, data } = await call(company, 'POST', '/report-schedules', { ...daily(company), ...over });
  expect([status, data]).toMatchObject([201, over]);
  return data;
}
const moveTo = (time: string) => (app.clock.now = new Date(time));
async function send(context = ctx) {
  await planReports(context);
  const sender = reportSender(context);
  await sender.tick();
  await sender.idle();
}
const mailsTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ text }) => text);
const subjectsTo = (to: string) => mailsTo(to).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim());
const runsOf = async (company: TestCompany, { uuid }: { uuid: string }) =>
  (await call(company, 'GET', `/report-schedules/${uuid}/runs`)).data.runs;
const listOf = async (company: TestCompany) =>
  (await call(company, 'GET', '/report-schedules')).data.schedules;

/** The content of the part of a mail that is of a type. */
function partOf(mail: string, type: string): Buffer {
  const from = mail.indexOf(`Content-Type: ${type}`);
  expect(from).toBeGreaterThan(0);
  const [content] = /\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail.slice(from))!.slice(1) as [string];
  return Buffer.from(content, 'base64');
}

/** Money and installs of 2026-03-01 and the day before. */
async function spend(company: TestCompany): Promise<string> {
  const campaignId = await makeCampaign(ctx, company, 'Summer <b>');
  await storeEvents(ctx, company.companyId, [
    { at: '2026-02-28T12:00:00Z', kind: 'billing', campaignId, bundle: 'a.b', spendMicros: 7_000_000 },
    { at: '2026-03-01T09:00:00Z', kind: 'billing', campaignId, bundle: 'a.b', spendMicros: 1_500_000 },
    { at: '2026-03-01T12:00:00Z', kind: 'billing', campaignId, bundle: 'c.d', spendMicros: 2_500_000 },
    { at: '2026-03-01T12:00:00Z', kind: 'install', campaignId, bundle: 'c.d' },
  ]);
  return campaignId;
}

beforeEach(async () => {
  moveTo('2026-03-01T12:00:00Z');
  // Schedules of other tests' companies would be due too.
  await ctx.db.deleteFrom('report_schedules').execute();
  await ctx.db.deleteFrom('messages').execute();
});

test('a report is mailed as CSV at its hour, with the rows of the day before', async () => {
  const { company, to } = await companyWithMail();
  const campaignId = await spend(company);
  const made = await schedule(company);
  expect(made).toMatchObject({ next_at: '2026-03-02T08:00:00.000Z', last_run: null });
  moveTo('2026-03-02T07:59:59Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
  moveTo('2026-03-02T08:00:00Z');
  await send();
  const [mail] = mailsTo(to) as [string];
  expect(mail).toContain('filename=report-2026-03-01-2026-03-01.csv');
  expect(partOf(mail, 'text/csv').toString()).toBe(
    [
      '\uFEFFcampaign,campaign_name,bundle,bundle_name,spends,installs,cpi',
      `${campaignId},Summer <b>,c.d,c.d,2.5,1,2.5`,
      `${campaignId},Summer <b>,a.b,a.b,1.5,0,`,
      '',
    ].join('\r\n'),
  );
  expect(await listOf(company)).toMatchObject([
    {
      next_at: '2026-03-03T08:00:00.000Z',
      last_run: {
        status: 'sent',
        start_date: '2026-03-01',
        end_date: '2026-03-01',
        rows: 2,
        mailed: 1,
        error: null,
      },
    },
  ]);
});

test('a report is mailed as Parquet with the same rows', async () => {
  const { company, to } = await companyWithMail();
  await spend(company);
  await schedule(company, { format: 'parquet' });
  moveTo('2026-03-02T08:00:00Z');
  await send();
  const path = join(tmpdir(), `${randomUUID()}.parquet`);
  onTestFinished(() => rm(path));
  await writeFile(path, partOf(mailsTo(to)[0]!, 'application/vnd.apache.parquet'));
  const rows = await ctx.clickhouse.query(
    `select bundle, spends, installs, cpi from file('${path}', Parquet) order by spends`,
    {},
    'JSONCompact',
  );
  expect(rows).toEqual([
    ['a.b', 1.5, 0, null],
    ['c.d', 2.5, 1, 2.5],
  ]);
});

test('a report that is read in the mail has a table, its total and a picture of spend', async () => {
  const { company, to } = await companyWithMail();
  await spend(company);
  await schedule(company, { format: 'mail', frequency: 'weekly', weekday: 1 });
  moveTo('2026-03-02T08:00:00Z');
  await send();
  const [mail] = mailsTo(to) as [string];
  expect(subjectsTo(to)).toHaveLength(1);
  expect(mail).toContain('Summer &lt;b&gt;');
  expect(mail).toContain('Spend: $11.00');
  expect(mail).toContain('CPI: $11.00');
  expect(mail).toMatch(/<h1 [^>]*>[^<]+<\/h1>\s+<p [^>]*>[^<]*Feb 23 \/ 2026[^<]*Mar 01 \/ 2026<\/p>/);
  expect(mail).toMatch(/<td align="left">Feb 23 \/ 2026<\/td><td align="right">Mar 01 \/ 2026<\/td>/);
  expect(mail).toMatch(/<td align="right"[^>]*>\$11\.00<\/td>/);
  expect(mail).toContain('The highest is $7.00.');
  expect(mail).toContain('/reports?from=2026-02-23&to=2026-03-01&levels=campaign%2Cbundle');
  expect(partOf(mail, 'image/png').subarray(1, 4).toString()).toBe('PNG');
});

test('a mail of a report has no name in its subject, and links no name', async () => {
  const { company, to } = await companyWithMail();
  const name = 'Pay at https://evil.example';
  await call(company, 'PUT', `/company/${company.companyId}`, { name: 'www.evil.example' });
  for (const format of ['csv', 'mail'] as const) await schedule(company, { name, format });
  moveTo('2026-03-02T08:00:00Z');
  for (let count = 0; count < 2; count += 1) await send();
  expect(subjectsTo(to)).toEqual(Array(2).fill('Bidwell: scheduled report, Mar 01 / 2026'));
  for (const mail of mailsTo(to)) expect(mail).not.toMatch(/evil\.example|https?:\/\/(?!bidwell\.test)/);
});

test('reports missed while no server ran are sent once, for the latest period', async () => {
  const { company, to } = await companyWithMail();
  const made = await schedule(company);
  moveTo('2026-03-07T10:00:00Z');
  await send();
  await send();
  expect(mailsTo(to)).toHaveLength(1);
  expect(await runsOf(company, made)).toMatchObject([{ start_date: '2026-03-06', status: 'sent' }]);
});

test('two servers send a report once, and another one later sends the report that a killed one had begun', async () => {
  const { company, to } = await companyWithMail();
  const made = await schedule(company);
  moveTo('2026-03-02T08:00:00Z');
  await Promise.all([send(), send()]);
  expect(mailsTo(to)).toHaveLength(1);
  moveTo('2026-03-03T08:00:00Z');
  await planReports(ctx);
  await reportSender(withMailer(() => new Promise(() => {}))).tick();
  await eventually(async () => expect(await runsOf(company, made)).toMatchObject([{ attempts: 1 }, {}]));
  await send();
  expect(mailsTo(to)).toHaveLength(1);
  moveTo('2026-03-03T08:16:00Z');
  await send();
  expect(mailsTo(to)).toHaveLength(2);
});

test('a stop breaks off a report that is being sent, and the next start sends it to the recipients who have not got it', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'analyst');
  const theirs = await giveMail(colleague);
  const made = await schedule(company, { user_uuids: [company.userId, colleague.userId] });
  const hangs = withMailer(async (mail, signal) =>
    mail.to === to
      ? mailer.sendOnce(mail, signal)
      : new Promise((_sent, reject) => signal?.addEventListener('abort', () => reject(new Error()))),
  );
  moveTo('2026-03-02T08:00:00Z');
  await planReports(ctx);
  const sender = reportSender(hangs, 0);
  await sender.tick();
  await eventually(async () => expect(await runsOf(company, made)).toMatchObject([{ mailed: 1 }]));
  await sender.stop();
  // It stays stopped.
  await sender.tick();
  expect(await runsOf(company, made)).toMatchObject([{ status: 'waiting', attempts: 0, error: null }]);
  await send();
  expect([to, theirs].map((address) => mailsTo(address).length)).toEqual([1, 1]);
  expect(await runsOf(company, made)).toMatchObject([{ status: 'sent', attempts: 1, mailed: 2 }]);
});

test('a stop abandons a report that is being made, and the next start makes it', async () => {
  const { company, to } = await companyWithMail();
  const made = await schedule(company);
  let isReading = false;
  const stream: typeof ctx.clickhouse.stream = async function* () {
    isReading = true;
    yield await new Promise<Uint8Array>(() => {});
  };
  moveTo('2026-03-02T08:00:00Z');
  await planReports(ctx);
  const sender = reportSender({ ...ctx, clickhouse: { ...ctx.clickhouse, stream } });
  await sender.tick();
  await eventually(() => expect(isReading).toBe(true));
  await sender.stop();
  expect(await runsOf(company, made)).toMatchObject([{ status: 'waiting', attempts: 0 }]);
  await send();
  expect(mailsTo(to)).toHaveLength(1);
});

test('a company with many reports does not delay the report of another one', async () => {
  // As many as are sent at once.
  const many = [];
  for (let count = 0; count < 4; count += 1) many.push(await companyWithMail());
  const other = await companyWithMail();
  for (const { company } of many) for (const hour of [5, 6]) await schedule(company, { hour });
  await schedule(other.company);
  moveTo('2026-03-02T06:00:00Z');
  await planReports(ctx);
  moveTo('2026-03-02T08:00:00Z');
  await planReports(ctx);
  const sender = reportSender(ctx);
  for (let turn = 1; turn <= 2; turn += 1) {
    await sender.tick();
    await sender.idle();
  }
  expect(mailsTo(other.to)).toHaveLength(1);
  expect(many.every(({ to }) => mailsTo(to).length >= 1)).toBe(true);
});

test('a further try mails only recipients whose mail was not sent, and the company is notified of a report that was never sent', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'analyst');
  const theirs = await giveMail(colleague);
  const made = await schedule(company, { user_uuids: [company.userId, colleague.userId] });
  const refuses = withMailer(async (mail) => {
    if (mail.to === theirs) throw Object.assign(new Error('full'), { responseCode: 452 });
    return mailer.sendOnce(mail);
  });
  moveTo('2026-03-02T08:00:00Z');
  await send(refuses);
  expect(await runsOf(company, made)).toMatchObject([
    { status: 'waiting', mailed: 1, error: 'The mail server refused one address.' },
  ]);
  moveTo('2026-03-02T08:02:00Z');
  await send();
  expect([mailsTo(to).length, mailsTo(theirs).length]).toEqual([1, 1]);
  expect(await runsOf(company, made)).toMatchObject([{ status: 'sent', mailed: 2, error: null }]);

  const down = withMailer(async () => Promise.reject(new Error('down')));
  moveTo('2026-03-03T08:00:00Z');
  for (let hours = 0; hours < 60; hours += 4) {
    app.clock.now = new Date(Date.parse('2026-03-03T08:00:00Z') + hours * 3_600_000);
    const sender = reportSender(down);
    if (hours === 0) await planReports(down);
    await sender.tick();
    await sender.idle();
  }
  expect(await runsOf(company, made)).toMatchObject([{ status: 'failed', attempts: 12, mailed: 0 }, {}]);
  const { data } = await call(company, 'GET', '/notifications');
  expect(data).toContainEqual(
    expect.objectContaining({ kind: 'report_schedule', title: 'Scheduled report not sent' }),
  );
});

test('a mail that the server never answers for does not keep the report from other people', async () => {
  const { company, to } = await companyWithMail();
  const colleagues = [];
  for (let count = 0; count < 4; count += 1) colleagues.push(await app.freshPerson(company, 'analyst'));
  const addresses = [to];
  for (const colleague of colleagues) addresses.push(await giveMail(colleague));
  const made = await schedule(company, {
    user_uuids: [company, ...colleagues].map(({ userId }) => userId),
  });
  let tries = 0;
  const sendTo = async (silent: readonly string[]) =>
    send(
      withMailer(async (mail, signal) => {
        tries += 1;
        if (silent.includes(mail.to)) throw Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' });
        return mailer.sendOnce(mail, signal);
      }),
    );
  const counts = () => addresses.map((address) => mailsTo(address).length);
  const silent = addresses.slice(0, 3);
  moveTo('2026-03-02T08:00:00Z');
  await sendTo(silent);
  // The first two say enough of the server, for this try.
  expect([tries, counts()]).toEqual([2, [0, 0, 0, 0, 0]]);
  for (const time of ['08:02', '08:06']) {
    moveTo(`2026-03-02T${time}:00Z`);
    await sendTo(silent);
  }
  expect(counts()).toEqual([0, 0, 0, 1, 1]);
  expect(await runsOf(company, made)).toMatchObject([
    { status: 'waiting', mailed: 2, error: 'The mail server could not be reached, or refused the mail.' },
  ]);
  moveTo('2026-03-02T08:30:00Z');
  await sendTo([]);
  expect(counts()).toEqual([1, 1, 1, 1, 1]);
  expect(await runsOf(company, made)).toMatchObject([{ status: 'sent', mailed: 5, error: null }]);
});

test('an address that the mail server refuses for good is not tried again, the others are', async () => {
  const { company, to } = await companyWithMail();
  const [gone, full] = [await app.freshPerson(company, 'analyst'), await app.freshPerson(company, 'analyst')];
  const [theirs, later] = [await giveMail(gone), await giveMail(full)];
  const users = { user_uuids: [company.userId, gone.userId, full.userId] };
  const made = await schedule(company, users);
  refusals.set(theirs, 550).set(later, 452);
  moveTo('2026-03-02T08:00:00Z');
  await send();
  const error = 'The mail server refused one address. The mail server refused one address for good.';
  expect(await runsOf(company, made)).toMatchObject([{ status: 'waiting', mailed: 1, error }]);
  refusals.clear();
  moveTo('2026-03-02T08:02:00Z');
  await send();
  expect([to, theirs, later].map((address) => mailsTo(address).length)).toEqual([1, 0, 1]);
  const reason = 'The mail server refused one address for good.';
  expect(await runsOf(company, made)).toMatchObject([
    { status: 'failed', attempts: 2, mailed: 2, error: reason },
  ]);
  const { data } = await call(company, 'GET', '/notifications');
  expect(data).toContainEqual(
    expect.objectContaining({ kind: 'report_schedule', text: expect.stringContaining(reason) }),
  );
  // Sent once more, it is for all recipients again.
  await call(company, 'POST', `/report-schedules/${made.uuid}/send`);
  await send();
  expect([to, theirs, later].map((address) => mailsTo(address).length)).toEqual([2, 1, 2]);
});

test('only people of the company who may read reports get one, also of people chosen before', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'editor');
  const theirs = await giveMail(colleague);
  const finance = await app.freshPerson(company, 'finance');
  const stranger = await app.freshCompany();
  for (const userId of [finance.userId, stranger.userId])
    expect(
      await call(company, 'POST', '/report-schedules', {
        ...daily(company),
        user_uuids: [company.userId, userId],
      }),
    ).toMatchObject({ status: 422, errors: [{ field: 'user_uuids' }] });
  const users = { user_uuids: [company.userId, colleague.userId] };
  const made = await schedule(company, users);
  const role = await call(company, 'PATCH', `/people/${colleague.userId}`, { role: 'finance' });
  expect(role.status).toBe(200);
  // A recipient who gets no mails any more does not block other changes.
  const renamed = { ...daily(company), ...users, name: 'Noon' };
  expect((await call(company, 'PUT', `/report-schedules/${made.uuid}`, renamed)).status).toBe(200);
  moveTo('2026-03-02T08:00:00Z');
  await send();
  expect([mailsTo(to).length, mailsTo(theirs).length]).toEqual([1, 0]);
});

test('the link of a mail ends the mails of that report to that person', async () => {
  const { company, to } = await companyWithMail();
  const colleague = await app.freshPerson(company, 'analyst');
  const theirs = await giveMail(colleague);
  const users = { user_uuids: [company.userId, colleague.userId] };
  const made = await schedule(company, users);
  const other = await schedule(company, { ...users, name: 'Later', hour: 9 });
  moveTo('2026-03-02T08:00:00Z');
  await send();
  const [mail] = mailsTo(theirs) as [string];
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const address = /^List-Unsubscribe:\s+<https:\/\/bidwell\.test([^>]+)>/m.exec(mail)![1]!;
  // The request of a mail program.
  const end = async (target: string) =>
    app.http.inject({
      method: 'POST',
      url: target,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    });
  const inBrowser = await app.http.inject({ url: address });
  expect(inBrowser.headers.location).toBe(`/unsubscribe-report#${address.split('/').at(-1)}`);
  expect((await end(`${address.slice(0, -4)}AAAA`)).statusCode).toBe(404);
  for (let count = 0; count < 2; count += 1) {
    const response = await end(address);
    expect([response.statusCode, response.json()]).toMatchObject([200, { data: { name: 'Morning' } }]);
  }
  expect(await listOf(company)).toMatchObject([{ unsubscribed_uuids: [colleague.userId] }, {}]);
  // A change of something else does not choose them again.
  const path = `/report-schedules/${made.uuid}`;
  expect((await call(company, 'PUT', path, { ...daily(company), ...users, name: 'Noon' })).status).toBe(200);
  moveTo('2026-03-03T08:00:00Z');
  // One report of a company is under way at a time.
  for (let count = 0; count < 2; count += 1) await send();
  expect(subjectsTo(to)).toHaveLength(3);
  const namesTo = (receiver: string) =>
    mailsTo(receiver).map((text) => /^=E2=80=9C(\w+)|^“(\w+)/m.exec(text)?.slice(1).find(Boolean));
  expect(namesTo(theirs)).toEqual(['Morning', 'Later']);
  expect(other.unsubscribed_uuids).toEqual([]);
  await call(company, 'PUT', path, daily(company));
  await call(company, 'PUT', path, { ...daily(company), ...users });
  moveTo('2026-03-04T08:00:00Z');
  for (let count = 0; count < 2; count += 1) await send();
  expect(subjectsTo(theirs)).toHaveLength(4);
});

test('a report is sent at once, and once more, also of a schedule that is off', async () => {
  const { company, to } = await companyWithMail();
  const made = await schedule(company, { is_enabled: false });
  expect(made.next_at).toBeNull();
  moveTo('2026-03-05T12:00:00Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
  for (const count of [1, 2]) {
    const { status, data } = await call(company, 'POST', `/report-schedules/${made.uuid}/send`);
    expect([status, data]).toMatchObject([200, { status: 'waiting', start_date: '2026-03-04' }]);
    expect((await call(company, 'POST', `/report-schedules/${made.uuid}/send`)).status).toBe(409);
    await send();
    expect(mailsTo(to)).toHaveLength(count);
  }
  expect(await runsOf(company, made)).toHaveLength(1);
});

test('a report that is too large for a mail is not sent, and says so', async () => {
  const { company, to } = await companyWithMail();
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle)
    select toDateTime64('2026-03-01 12:00:00', 3, 'UTC'), 'click', toUUID('${company.companyId}'),
      concat('b', toString(number)) from numbers(50001)`);
  const made = await schedule(company, { format: 'parquet', report: { levels: { bundle: '' } } });
  moveTo('2026-03-02T08:00:00Z');
  await send();
  expect(mailsTo(to)).toEqual([]);
  expect(await runsOf(company, made)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('too large for a mail') },
  ]);
});

test('a changed schedule sends its new report, and a removed one nothing', async () => {
  const { company, to } = await companyWithMail();
  const made = await schedule(company);
  const later = { ...daily(company), name: 'Evening', hour: 20, report: { levels: { os: '', day: '' } } };
  const path = `/report-schedules/${made.uuid}`;
  expect((await call(company, 'PUT', path, later)).data).toMatchObject({
    name: 'Evening',
    next_at: '2026-03-01T20:00:00.000Z',
  });
  moveTo('2026-03-01T20:00:00Z');
  await send();
  expect(mailsTo(to)).toHaveLength(1);
  expect(partOf(mailsTo(to)[0]!, 'text/csv').toString()).toMatch(/^\uFEFFos,os_name,day,day_name,/);
  expect((await call(company, 'DELETE', path)).status).toBe(200);
  moveTo('2026-03-05T20:00:00Z');
  await send();
  expect(mailsTo(to)).toHaveLength(1);
  const { data } = await call(company, 'GET', `/company/${company.companyId}/changes`);
  const entries = (data.changes as { entity_type: string; action: string }[])
    .filter(({ entity_type }) => entity_type === 'report_schedule')
    .map(({ action }) => action);
  expect(entries.toSorted()).toEqual(['create', 'delete', 'update']);
});

test('a change of the filters or the metrics alone is in the change log', async () => {
  const company = await app.freshCompany();
  const made = await schedule(company, { report: { levels: { os: '' }, metrics: ['clicks'] } });
  const put = (report: object) =>
    call(company, 'PUT', `/report-schedules/${made.uuid}`, { ...daily(company), report });
  expect((await put({ levels: { os: 'ios' }, metrics: ['clicks'] })).status).toBe(200);
  expect((await put({ levels: { os: 'ios' }, metrics: ['clicks', 'spends'] })).status).toBe(200);
  const { data } = await call(company, 'GET', `/company/${company.companyId}/changes`);
  expect(data.changes.slice(0, 2)).toMatchObject([
    { entity_type: 'report_schedule', fields: [{ field: 'metrics' }] },
    { entity_type: 'report_schedule', fields: [{ field: 'levels', before: ['os'], after: ['os: ios'] }] },
  ]);
});

test('reports of schedules are listed for ninety days', async () => {
  const { company } = await companyWithMail();
  const made = await schedule(company, { is_enabled: false });
  await call(company, 'POST', `/report-schedules/${made.uuid}/send`);
  await send();
  app.clock.now = new Date(app.clock.now.getTime() + 91 * 86_400_000);
  await deleteExpiredRuns(ctx);
  expect(await runsOf(company, made)).toEqual([]);
});

test('a schedule that cannot be is rejected, with the field that is wrong', async () => {
  const company = await app.freshCompany();
  for (const [field, over] of [
    ['weekday', { frequency: 'weekly', weekday: null }],
    ['weekday', { weekday: 1 }],
    ['hour', { hour: 24 }],
    ['user_uuids', { user_uuids: [] }],
    ['report.levels.campaign', { report: { levels: { campaign: 'x' } } }],
    ['report', { report: { levels: { bundle: 'b'.repeat(20_000) } } }],
  ] as const) {
    const { status, errors } = await company.call('POST', '/report-schedules', {
      ...daily(company),
      ...over,
    });
    expect([over, status, errors.map((error) => error.field)]).toEqual([over, 422, [field]]);
  }
});
