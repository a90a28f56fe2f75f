import { createHmac } from 'node:crypto';
import type { ReportMessage } from '@bidwell/contract/report-schedules/destination-schema';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { eventually } from '@bidwell/testing/eventually';
import { localServer } from '@bidwell/testing/local-server';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { S3mini } from 's3mini';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createMessenger } from '../../../messaging/messenger.ts';
import { reportMessages } from '../report-messages.ts';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
let received: Received[] = [];
let status = 200;
const hook = await localServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(status).end('Thanks\n');
  });
});
const s3 = await startS3Server();
afterAll(async () => s3.stop());
const app = await testApp(
  { ALERT_INTERNAL_HOSTS: `127.0.0.1:${hook.port},127.0.0.1:${s3.port}`, LOG_LEVEL: 'silent' },
  undefined,
  { alertsEveryMs: 3_600_000 },
);
const { ctx } = app;
const reportSender = (context: typeof ctx, stopMs = 1000) =>
  createMessenger(context, [reportMessages(context)], { stopMs });
const stored = new S3mini({ ...s3.settings, endpoint: `${s3.settings.endpoint}/${s3.settings.bucket}` });

beforeEach(async () => {
  received = [];
  status = 200;
  // After the hour of the reports, which are of the last day that was due.
  app.clock.now = new Date('2026-03-03T12:00:00Z');
  // Schedules of other tests' companies would be due too.
  await ctx.db.deleteFrom('report_schedules').execute();
  await ctx.db.deleteFrom('messages').execute();
});

const webhook = { type: 'webhook', name: 'Ours', url: `http://127.0.0.1:${hook.port}/reports` };
const bucket = (over: object = {}) => ({
  type: 's3',
  name: 'Bucket',
  url: s3.settings.endpoint,
  region: s3.settings.region,
  bucket: s3.settings.bucket,
  prefix: 'reports/daily',
  access_key_id: s3.settings.accessKeyId,
  secret_access_key: s3.settings.secretAccessKey,
  ...over,
});

async function addDestination(company: TestCompany, body: object) {
  const { status: code, data } = await company.call('POST', '/report-destinations', body);
  expect([code, data]).toMatchObject([201, { name: expect.any(String) }]);
  return data;
}

/** A report of yesterday for destinations alone. */
const daily = (destinations: readonly { uuid: string }[], over: object = {}) => ({
  name: 'Morning',
  report: { levels: { bundle: '' }, metrics: ['spends', 'installs'] },
  format: 'csv',
  frequency: 'daily',
  weekday: null,
  hour: 8,
  user_uuids: [],
  destination_uuids: destinations.map(({ uuid }) => uuid),
  is_enabled: true,
  ...over,
});
async function schedule(company: TestCompany, body: object) {
  const { status: code, data } = await company.call('POST', '/report-schedules', body);
  expect([code, data]).toMatchObject([201, {}]);
  return data;
}

/** Money of yesterday. */
async function spend(company: TestCompany): Promise<void> {
  const campaignId = await makeCampaign(ctx, company, 'Summer');
  const at = new Date(app.clock.now.getTime() - 86_400_000).toISOString();
  await storeEvents(ctx, company.companyId, [
    { at, kind: 'billing', campaignId, bundle: 'a.b', spendMicros: 1_500_000 },
  ]);
}
async function sendNow(company: TestCompany, { uuid }: { uuid: string }) {
  expect((await company.call('POST', `/report-schedules/${uuid}/send`)).status).toBe(200);
  await send();
}
async function send() {
  const sender = reportSender(ctx);
  await sender.tick();
  await sender.idle();
}
const lastRun = async (company: TestCompany, { uuid }: { uuid: string }) =>
  (await company.call('GET', `/report-schedules/${uuid}/runs`)).data.runs[0];

const CSV = 'bundle,bundle_name,spends,installs\r\na.b,a.b,1.5,0\r\n';

test('a webhook gets the file, signed by its secret as Standard Webhooks says', async () => {
  const company = await app.freshCompany();
  await spend(company);
  const made = await addDestination(company, webhook);
  const report = await schedule(company, daily([made]));
  await sendNow(company, report);
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [Received];
  const { data, type } = JSON.parse(body) as ReportMessage;
  expect(type).toBe('report.scheduled');
  expect(data).toMatchObject({ company_uuid: company.companyId, name: 'Morning', rows: 1 });
  expect(data.file).toMatchObject({ encoding: 'utf-8', content: CSV });
  const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`;
  const key = Buffer.from((made.signing_secret as string).replace('whsec_', ''), 'base64');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  expect(await lastRun(company, report)).toMatchObject({
    status: 'sent',
    mailed: 0,
    deliveries: [
      {
        destination_uuid: made.uuid,
        name: 'Ours',
        is_delivered: true,
        attempts: 1,
        response_status: 200,
        response_start: 'Thanks',
        error: null,
      },
    ],
  });
});

test('a bucket gets the file under its folder, and the same file when it is sent again', async () => {
  const company = await app.freshCompany();
  await spend(company);
  const report = await schedule(company, daily([await addDestination(company, bucket())]));
  for (let count = 0; count < 2; count += 1) await sendNow(company, report);
  const run = await lastRun(company, report);
  const day = run.start_date as string;
  const name = `reports/daily/${report.uuid}/report-${day}-${day}.csv`;
  expect(await stored.getObject(name)).toBe(CSV);
  expect(run).toMatchObject({ status: 'sent', deliveries: [{ is_delivered: true, attempts: 1 }] });
});

test('a report that one destination did not accept is tried again for it alone, and says why', async () => {
  const company = await app.freshCompany();
  const wrong = await addDestination(company, bucket({ bucket: 'not-there', name: 'Wrong' }));
  const ours = await addDestination(company, webhook);
  const report = await schedule(company, daily([wrong, ours]));
  await sendNow(company, report);
  expect(await lastRun(company, report)).toMatchObject({
    status: 'waiting',
    error: '“Wrong”: There is no such bucket.',
    deliveries: [
      { name: 'Wrong', is_delivered: false, attempts: 1, response_status: 404 },
      { name: 'Ours', is_delivered: true, attempts: 1 },
    ],
  });
  app.clock.now = new Date(app.clock.now.getTime() + 600_000);
  await send();
  expect(received).toHaveLength(1);
  expect(await lastRun(company, report)).toMatchObject({
    deliveries: [
      { name: 'Wrong', attempts: 2 },
      { name: 'Ours', attempts: 1 },
    ],
  });
});

test('a try that a kill has cut is in the log of the report', async () => {
  const company = await app.freshCompany();
  const report = await schedule(company, daily([await addDestination(company, webhook)]));
  expect((await company.call('POST', `/report-schedules/${report.uuid}/send`)).status).toBe(200);
  // The receiver gets the report, and the process ends before it has the response.
  let isPosted = false;
  const killed = reportSender({
    ...ctx,
    postMessage: async (address, message, signal) => {
      await ctx.postMessage(address, message, signal);
      isPosted = true;
      return new Promise(() => {});
    },
  });
  await killed.tick();
  await eventually(() => expect(isPosted).toBe(true));
  expect(await lastRun(company, report)).toMatchObject({
    status: 'waiting',
    attempts: 1,
    deliveries: [{ name: 'Ours', is_delivered: false, attempts: 1, response_status: null, error: null }],
  });
  app.clock.now = new Date(app.clock.now.getTime() + 120_000);
  await send();
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await lastRun(company, report)).toMatchObject({
    status: 'sent',
    attempts: 2,
    deliveries: [{ name: 'Ours', is_delivered: true, attempts: 2, response_status: 200 }],
  });
});

test('a webhook that is gone and a destination whose secret is lost are not tried again', async () => {
  const company = await app.freshCompany();
  const gone = await addDestination(company, webhook);
  const lost = await addDestination(company, { ...webhook, name: 'Lost' });
  await ctx.db
    .updateTable('report_destinations')
    .set({ secret: null })
    .where('uuid', '=', lost.uuid)
    .execute();
  const wrong = await addDestination(company, bucket({ bucket: 'not-there', name: 'Wrong' }));
  const both = await schedule(company, daily([gone, lost]));
  status = 410;
  await sendNow(company, both);
  expect(await lastRun(company, both)).toMatchObject({
    status: 'failed',
    error:
      '“Ours”: The server responded with the status 410. “Lost”: The secret of this destination is lost. Remove it and add it again.',
  });
  // Failed destinations get one try while another one may still accept the report.
  const three = await schedule(company, daily([gone, lost, wrong]));
  await sendNow(company, three);
  expect(await lastRun(company, three)).toMatchObject({ status: 'waiting' });
  app.clock.now = new Date(app.clock.now.getTime() + 600_000);
  await send();
  expect(await lastRun(company, three)).toMatchObject({
    attempts: 2,
    error: expect.stringContaining('“Ours”: The server responded with the status 410.'),
    deliveries: [
      { name: 'Ours', attempts: 1 },
      { name: 'Lost', attempts: 1 },
      { name: 'Wrong', attempts: 2 },
    ],
  });
  expect(received).toHaveLength(2);
});

test('receivers of other companies that do not respond delay no report', async () => {
  const hung: (() => void)[] = [];
  const putObject: typeof ctx.putObject = async () =>
    new Promise((done) => hung.push(() => done({ status: null, code: null, failure: 'timeout' })));
  const sender = reportSender({ ...ctx, putObject });
  const report = async (company: TestCompany, body: object) =>
    schedule(company, daily([await addDestination(company, body)]));
  for (let count = 0; count < 2; count += 1) {
    const slow = await app.freshCompany();
    await slow.call('POST', `/report-schedules/${(await report(slow, bucket())).uuid}/send`);
  }
  await sender.tick();
  await expect.poll(() => hung.length).toBe(2);
  const other = await app.freshCompany();
  await other.call('POST', `/report-schedules/${(await report(other, webhook)).uuid}/send`);
  await sender.tick();
  await expect.poll(() => received.length).toBe(1);
  for (const end of hung) end();
  await sender.idle();
});

test('a test says whether a destination works', async () => {
  const company = await app.freshCompany();
  const tried = async (body: object) => {
    const { uuid } = await addDestination(company, body);
    const { status: code, data } = await company.call('POST', `/report-destinations/${uuid}/test`);
    expect(code).toBe(200);
    return data;
  };
  expect(await tried(webhook)).toEqual({ is_delivered: true, response_status: 200, error: null });
  expect(JSON.parse(received[0]!.body)).toMatchObject({ type: 'report.test', data: { file: null } });
  status = 503;
  expect(await tried(webhook)).toEqual({
    is_delivered: false,
    response_status: 503,
    error: 'The server responded with the status 503.',
  });
  expect(await tried(bucket())).toMatchObject({ is_delivered: true, error: null });
  expect(await stored.getObject('reports/daily/bidwell-test.txt')).toBe('Reports can be stored here.\n');
  expect(await tried(bucket({ access_key_id: 'UNKNOWN' }))).toMatchObject({
    is_delivered: false,
    response_status: 403,
    error: 'S3 does not know the access key.',
  });
  expect(await tried({ ...webhook, url: 'https://127.0.0.1/' })).toMatchObject({
    is_delivered: false,
    response_status: null,
    error: expect.stringContaining('public internet'),
  });
  expect(await tried(bucket({ url: 'https://169.254.169.254' }))).toMatchObject({
    is_delivered: false,
    response_status: null,
    error: expect.stringContaining('public internet'),
  });
});

test('secrets are encrypted, and in no response after the creation', async () => {
  const company = await app.freshCompany();
  const signing = (await addDestination(company, webhook)).signing_secret as string;
  await addDestination(company, bucket({ access_key_id: 'AKIASECRET', secret_access_key: 'verysecretkey' }));
  const listed = JSON.stringify((await company.call('GET', '/report-destinations')).data);
  const changes = JSON.stringify((await company.call('GET', `/company/${company.companyId}/changes`)).data);
  const rows = JSON.stringify(
    await ctx.db
      .selectFrom('report_destinations')
      .selectAll()
      .where('company_uuid', '=', company.companyId)
      .execute(),
  );
  for (const text of [listed, changes, rows])
    for (const secret of [signing, 'AKIASECRET', 'verysecretkey']) expect(text).not.toContain(secret);
  expect(rows).toContain('enc:1:');
});

test('an API key adds no destination: one that may not read reports would get them', async () => {
  const company = await app.freshCompany();
  const key = await apiKeyOf(company, ['settings', 'campaigns']);
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/internal/report-destinations',
    headers: { authorization: `Bearer ${key}` },
    payload: webhook,
  });
  expect(response.statusCode).toBe(403);
  expect((await company.call('GET', '/report-destinations')).data.destinations).toEqual([]);
});

test('a destination that a report is sent to stays, and is removed once it is not', async () => {
  const company = await app.freshCompany();
  const made = await addDestination(company, webhook);
  const report = await schedule(company, daily([made]));
  const path = `/report-destinations/${made.uuid}`;
  expect(await company.call('DELETE', path)).toMatchObject({ status: 409 });
  await company.call('DELETE', `/report-schedules/${report.uuid}`);
  expect((await company.call('DELETE', path)).status).toBe(200);
  expect((await company.call('GET', '/report-destinations')).data.destinations).toEqual([]);
});

test('reports go to destinations of the own company alone, and a table for people to none', async () => {
  const company = await app.freshCompany();
  const theirs = await addDestination(await app.freshCompany(), webhook);
  const ours = await addDestination(company, webhook);
  const rejected = async (body: object, field: string) =>
    expect(await company.call('POST', '/report-schedules', body)).toMatchObject({
      status: 422,
      errors: [{ field }],
    });
  await rejected(daily([theirs]), 'destination_uuids');
  await rejected(daily([ours], { format: 'mail' }), 'format');
  await rejected(daily([]), 'user_uuids');
});

test.each([
  ['http', webhook, { url: 'http://hook.example/' }, 'url'],
  ['a path', bucket(), { url: 'https://s3.example/path' }, 'url'],
  ['http for a bucket', bucket(), { url: 'http://s3.example' }, 'url'],
  ['a bucket with a slash', bucket(), { bucket: 'a/b' }, 'bucket'],
  ['a folder that leads up', bucket(), { prefix: 'a/../b' }, 'prefix'],
  ['a region with a point', bucket(), { region: 'a.b' }, 'region'],
  ['a key with a line break', bucket(), { access_key_id: 'a\nb' }, 'access_key_id'],
])('an address with %s is rejected', async (_what, body, over, field) => {
  const company = await app.freshCompany();
  expect(await company.call('POST', '/report-destinations', { ...body, ...over })).toMatchObject({
    status: 422,
    errors: [{ field }],
  });
});
