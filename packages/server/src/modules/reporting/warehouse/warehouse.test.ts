import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WarehouseManifest, WarehouseRun } from '@bidwell/contract/warehouse/schema';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { eventually } from '@bidwell/testing/eventually';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import fc from 'fast-check';
import { S3mini } from 's3mini';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createMessenger } from '../../messaging/messenger.ts';
import { planReports, reportMessages } from '../schedules/report-messages.ts';
import { planWarehouseRuns, warehouseRuns } from './export-run.ts';

const s3 = await startS3Server();
afterAll(async () => s3.stop());
const app = await testApp({ ALERT_INTERNAL_HOSTS: `127.0.0.1:${s3.port}`, LOG_LEVEL: 'silent' }, undefined, {
  alertsEveryMs: 3_600_000,
});
const { ctx } = app;
const stored = new S3mini({ ...s3.settings, endpoint: `${s3.settings.endpoint}/${s3.settings.bucket}` });
const HOUR_MS = 3_600_000;
const DAY = new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10);

beforeEach(async () => {
  app.clock.now = new Date();
  await ctx.db.deleteFrom('warehouse_exports').execute();
  await ctx.db.deleteFrom('messages').execute();
});

async function bucketOf(company: TestCompany, over: object = {}): Promise<string> {
  const { status, data } = await company.call('POST', '/report-destinations', {
    type: 's3',
    name: 'Bucket',
    url: s3.settings.endpoint,
    region: s3.settings.region,
    bucket: s3.settings.bucket,
    prefix: company.companyId,
    access_key_id: s3.settings.accessKeyId,
    secret_access_key: s3.settings.secretAccessKey,
    ...over,
  });
  expect([status, data]).toMatchObject([201, {}]);
  return data.uuid as string;
}

/** A company whose events are exported, and a campaign of it. */
async function exporting(kinds: readonly string[]) {
  const company = await app.freshCompany();
  const destination = await bucketOf(company);
  const { status } = await company.call('PUT', '/warehouse-export', { destination_uuid: destination, kinds });
  expect(status).toBe(200);
  return { company, destination, campaignId: await makeCampaign(ctx, company, 'Summer') };
}

/** Plans the hours up to some hours from now, and sends what is due. */
async function exportAfter(hours: number): Promise<void> {
  app.clock.now = new Date(Date.now() + hours * HOUR_MS);
  await planWarehouseRuns(ctx);
  await send();
}
async function send(): Promise<void> {
  const sender = createMessenger(ctx, [warehouseRuns(ctx)], { stopMs: 1000 });
  for (let before = -1, left = 0; left !== before;) {
    before = left;
    await sender.tick();
    await sender.idle();
    left = (await ctx.db.selectFrom('messages').select('uuid').where('due_at', '<=', app.clock.now).execute())
      .length;
  }
}

/** A call of the company at the present time: its session ends before the hours of an export do. */
async function callNow(company: TestCompany, ...call: Parameters<TestCompany['call']>) {
  const { now } = app.clock;
  app.clock.now = new Date();
  const response = await company.call(...call);
  app.clock.now = now;
  return response;
}

const runsOf = async (company: TestCompany): Promise<WarehouseRun[]> =>
  (await callNow(company, 'GET', '/warehouse-export/runs')).data.runs;

/** The manifests in the bucket of a company. */
async function manifestsOf({ companyId }: TestCompany): Promise<WarehouseManifest[]> {
  const objects = (await stored.listObjects('/', companyId)) ?? [];
  const names = objects.map(({ Key }) => Key).filter((key) => key.includes('/_manifests/'));
  return Promise.all(
    names.map(async (key) => JSON.parse((await stored.getObject(key))!) as WarehouseManifest),
  );
}

/** The rows of all files that the manifests name, read back from the Parquet files. */
async function rowsIn(manifests: readonly WarehouseManifest[]): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const { files } of manifests)
    for (const { name, sha256, bytes, rows: count } of files) {
      const content = Buffer.from((await stored.getObjectArrayBuffer(name))!);
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      const path = join(tmpdir(), `${randomUUID()}.parquet`);
      await writeFile(path, content);
      const read = await ctx.clickhouse.query<Record<string, unknown>>(
        `select * from file('${path}', Parquet)`,
      );
      expect(read).toHaveLength(count);
      rows.push(...read);
    }
  return rows;
}

test('events are in Parquet files by the hour in which they happened, and the spend adds up to the report', async () => {
  const { company, campaignId } = await exporting(['billings', 'impressions', 'installs', 'losses']);
  const event = { campaignId, bundle: 'a.b', country: 'US', exchange: 'alpha' };
  await storeEvents(ctx, company.companyId, [
    { ...event, at: `${DAY}T10:15:00Z`, kind: 'billing', spendMicros: 1_500_001 },
    { ...event, at: `${DAY}T10:59:59Z`, kind: 'billing', spendMicros: 7 },
    { ...event, at: `${DAY}T11:00:00Z`, kind: 'impression', spendMicros: 250 },
    { ...event, at: `${DAY}T11:00:01Z`, kind: 'install' },
    { ...event, at: `${DAY}T11:00:01Z`, kind: 'loss', chargedCpmMicros: 2_000_000, lossReason: 102 },
  ]);
  await exportAfter(2);

  const manifests = await manifestsOf(company);
  const withRows = manifests.filter(({ rows }) => rows > 0);
  expect(
    withRows.flatMap(({ files }) => files.map(({ name }) => name.split('/').slice(1, -1).join('/'))),
  ).toEqual(
    expect.arrayContaining([
      `warehouse/v1/${company.companyId}/billings/dt=${DAY}/hour=10`,
      `warehouse/v1/${company.companyId}/impressions/dt=${DAY}/hour=11`,
      `warehouse/v1/${company.companyId}/installs/dt=${DAY}/hour=11`,
      `warehouse/v1/${company.companyId}/losses/dt=${DAY}/hour=11`,
    ]),
  );
  const rows = await rowsIn(withRows);
  const spend = rows.reduce((sum, { spend_micros: micros }) => sum + Number(micros ?? 0), 0);
  const reported = await callNow(company, 'POST', '/analytics/level', {
    start_date: DAY,
    end_date: DAY,
    levels: { campaign: '' },
  });
  expect(spend).toBe(1_500_258);
  expect(JSON.stringify(reported.data)).toContain('1.500258');
  expect(rows.find(({ loss_code: code }) => code === 102)).toMatchObject({
    bid_cpm_micros: 2_000_000,
    country: 'US',
    exchange: 'alpha',
    campaign_id: campaignId,
    is_test: false,
  });
  expect((await runsOf(company)).every(({ status }) => status === 'stored')).toBe(true);
  const exported = (await callNow(company, 'GET', '/warehouse-export')).data;
  expect(exported.stored_until).toBe(exported.planned_until);
});

test('an event that arrives after its hour was exported is in an additional file, and no file changes', async () => {
  const { company, campaignId } = await exporting(['clicks']);
  const click = { campaignId, kind: 'click' as const, at: `${DAY}T10:15:00Z` };
  await storeEvents(ctx, company.companyId, [click]);
  await exportAfter(2);
  const before = await manifestsOf(company);

  // It arrives in the present hour of ClickHouse, which a run of a test cannot wait for: the hour is exported once more.
  await storeEvents(ctx, company.companyId, [click]);
  const [latest] = (await runsOf(company)).filter(({ rows }) => rows === 1);
  const repeated = await callNow(company, 'POST', `/warehouse-export/runs/${latest!.uuid}/repeat`);
  expect(repeated.status).toBe(200);
  await send();
  const after = await manifestsOf(company);
  expect(after).toHaveLength(before.length);
  expect(await rowsIn(after)).toHaveLength(2);
});

test('a bucket that is away for an hour gets each event once, also after a kill between two files', async () => {
  const { company, campaignId } = await exporting(['clicks', 'installs']);
  const kinds = ['click', 'install'] as const;
  const events = kinds.flatMap((kind) =>
    Array.from({ length: 5 }, (_, at) => ({ campaignId, kind, at: `${DAY}T1${at}:00:00Z` })),
  );
  await storeEvents(ctx, company.companyId, events);
  const away = { ...ctx, putObject: putting(async () => ({ status: 503, code: 'SlowDown', failure: null })) };
  app.clock.now = new Date(Date.now() + 2 * HOUR_MS);
  await planWarehouseRuns(ctx);
  for (let tries = 0; tries < 5; tries += 1) {
    const sender = createMessenger(away, [warehouseRuns(away)], { stopMs: 1000 });
    await sender.tick();
    await sender.idle();
    app.clock.now = new Date(app.clock.now.getTime() + HOUR_MS / 5);
  }
  expect(await manifestsOf(company)).toEqual([]);
  const failed = await runsOf(company);
  expect(failed.some(({ status, error }) => status === 'waiting' && error?.includes('SlowDown'))).toBe(true);

  // Killed after its third object.
  let puts = 0;
  const killed = {
    ...ctx,
    putObject: putting(async (...args) => {
      puts += 1;
      if (puts > 3) throw new Error('killed');
      return ctx.putObject(...args);
    }),
  };
  app.clock.now = new Date(app.clock.now.getTime() + 6 * HOUR_MS);
  const sender = createMessenger(killed, [warehouseRuns(killed)], { stopMs: 1000 });
  await sender.tick();
  await sender.idle();
  app.clock.now = new Date(app.clock.now.getTime() + 6 * HOUR_MS);
  await send();

  const rows = await rowsIn(await manifestsOf(company));
  expect(rows).toHaveLength(events.length);
  expect(new Set(rows.map(({ bid_id: id }) => id)).size).toBe(events.length);
});

const putting = (put: typeof ctx.putObject): typeof ctx.putObject => put;

/** Schedules a report into a bucket of a company. Resolves to a function that tells how many objects of it are there. */
async function reporting(company: TestCompany, destination: string): Promise<() => Promise<number>> {
  const { status, data } = await company.call('POST', '/report-schedules', {
    name: 'Morning',
    report: { levels: { campaign: '' }, metrics: ['spends'] },
    format: 'csv',
    frequency: 'daily',
    weekday: null,
    hour: 8,
    user_uuids: [],
    destination_uuids: [destination],
    is_enabled: true,
  });
  expect(status).toBe(201);
  return async () =>
    ((await stored.listObjects('/', company.companyId)) ?? []).filter(({ Key }) => Key.includes(data.uuid))
      .length;
}

test('exports whose bucket is silent hold up no report of their company or of another one, also not its second try', async () => {
  const { company, destination } = await exporting(['clicks', 'installs', 'impressions', 'losses']);
  const other = await app.freshCompany();
  const reports = [
    await reporting(company, destination),
    await reporting(other, await bucketOf(other)),
  ] as const;
  app.clock.now = new Date(Date.now() + 25 * HOUR_MS);
  await planWarehouseRuns(ctx);
  const silent: string[] = [];
  let isAway = false;
  const slow: typeof ctx = {
    ...ctx,
    async putObject(place, object, signal) {
      if (isAway) return { status: 503, code: 'SlowDown', failure: null };
      if (!object.name.includes('/warehouse/')) return ctx.putObject(place, object, signal);
      silent.push(object.name);
      return new Promise((done) =>
        signal?.addEventListener('abort', () => done({ status: null, code: null, failure: 'timeout' })),
      );
    },
  };
  const sender = createMessenger(slow, [warehouseRuns(slow), reportMessages(slow)], { stopMs: 1 });
  await sender.tick();
  await eventually(() => expect(silent).toHaveLength(1));
  // The reports are queued behind 96 runs.
  await planReports(ctx);
  await sender.tick();
  for (const count of reports) await eventually(async () => expect(await count()).toBe(1));
  await sender.stop();

  // All fail once, and then the bucket takes reports alone.
  isAway = true;
  app.clock.now = new Date(app.clock.now.getTime() + 24 * HOUR_MS);
  await planReports(ctx);
  const again = createMessenger(slow, [warehouseRuns(slow), reportMessages(slow)], { stopMs: 1 });
  await again.tick();
  await again.idle();
  isAway = false;
  app.clock.now = new Date(app.clock.now.getTime() + HOUR_MS / 6);
  await again.tick();
  for (const count of reports) await eventually(async () => expect(await count()).toBe(2));
  await eventually(() => expect(silent).toHaveLength(2));
  await again.stop();
});

test('in any order of planning and servers, each hour and kind has one run and none is left out', async () => {
  const { company } = await exporting(['clicks']);
  const startMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  let last = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(90), { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const minutes of steps) {
        last += minutes;
        app.clock.now = new Date(startMs + last * 60_000);
        await Promise.all([planWarehouseRuns(ctx), planWarehouseRuns(ctx)]);
      }
      const hours = (await runsOf(company)).map(({ stored_from: from }) => Date.parse(from)).toReversed();
      expect(hours).toEqual(hours.map((_, at) => hours[0]! + at * HOUR_MS));
    }),
    { numRuns: 10 },
  );
});

test('an export goes to a bucket of the company alone, and its bucket cannot be removed', async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  const webhook = await company.call('POST', '/report-destinations', {
    type: 'webhook',
    name: 'Ours',
    url: 'https://192.0.2.1/hook',
  });
  for (const uuid of [webhook.data.uuid, await bucketOf(other), randomUUID()])
    expect(
      (await company.call('PUT', '/warehouse-export', { destination_uuid: uuid, kinds: ['clicks'] })).status,
    ).toBe(422);
  const own = await bucketOf(company);
  await company.call('PUT', '/warehouse-export', { destination_uuid: own, kinds: ['clicks'] });
  expect((await company.call('DELETE', `/report-destinations/${own}`)).status).toBe(409);
  expect((await company.call('DELETE', '/warehouse-export')).status).toBe(200);
  expect((await company.call('GET', '/warehouse-export')).data).toEqual({
    export: null,
    planned_until: null,
    stored_until: null,
  });
  expect((await company.call('DELETE', `/report-destinations/${own}`)).status).toBe(200);
});

test('an export whose runs wait is planned no further than its bound, and goes on when they are stored', async () => {
  const { company } = await exporting(['clicks']);
  const planned = async (days: number) => {
    app.clock.now = new Date(Date.now() + days * 24 * HOUR_MS);
    for (let calls = 0; calls < 12; calls += 1) await planWarehouseRuns(ctx);
    return ctx.db
      .selectFrom('warehouse_runs')
      .where('company_uuid', '=', company.companyId)
      .select('uuid')
      .execute();
  };
  expect((await planned(100)).length).toBeLessThan(230);
  await ctx.db.updateTable('warehouse_runs').set({ status: 'stored' }).execute();
  expect((await planned(100)).length).toBeGreaterThan(400);
});
