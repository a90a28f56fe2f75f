import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type App, createApp } from './app.ts';
import { readConfig } from '../config/config.ts';
import { pathOf, sampleRef } from '../delivery/trackers/sample-ref.ts';
import { createSigner } from '../delivery/trackers/signer.ts';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { installEmptyClickHouse } from '@bidwell/testing/empty-engines';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { migratedDatabase } from '@bidwell/testing/engines/postgres-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { eventually } from '@bidwell/testing/eventually';

const database = await migratedDatabase(process.env['DATABASE_URL']);
const folder = await mkdtemp(join(tmpdir(), 'bidwell-counted-'));
const nats = database && (await natsServer({ folder: join(folder, 'nats') }));
afterAll(async () => {
  await nats?.stop();
  await database?.remove();
  await rm(folder, { recursive: true, force: true });
});

const secret = 'a_secret_of_at_least_thirty_two_characters';
const signer = createSigner(secret, 'http://localhost');

describe.runIf(nats)('events of several processes', async () => {
  if (!database || !nats) return;
  const DATABASE_URL = database.url;
  await installEmptyClickHouse(folder);
  const clickhouse = await startClickHouseServer(join(folder, 'clickhouse'));
  const s3 = await startS3Server();
  afterAll(async () => {
    await clickhouse.stop();
    await s3.stop();
  });
  const running: App[] = [];
  afterEach(async () => {
    for (const app of running.splice(0).toReversed()) await app.close();
  });
  let folders = 0;
  async function start(environment: Record<string, string>): Promise<App> {
    folders += 1;
    const app = await createApp(
      readConfig({
        NODE_ENV: 'test',
        CAPTCHA: 'off',
        LOG_LEVEL: 'silent',
        PORT: '0',
        DATA_DIR: join(folder, String(folders)),
        DATABASE_URL,
        CLICKHOUSE_URL: clickhouse.url,
        ACCESS_TOKEN_SECRET: secret,
        SIGNING_SECRET: secret,
        OPERATOR_TOKEN: secret,
        ENCRYPTION_KEYS: secret,
        ...s3.environment,
        ...environment,
      }),
    );
    running.push(app);
    return app;
  }
  const NATS_URL = `nats://127.0.0.1:${nats.port}`;

  test('an event that reaches two trackers is counted once by a counter, which shows its work', async () => {
    const trackers = [
      await start({ ROLES: 'tracker', NATS_URL }),
      await start({ ROLES: 'tracker', NATS_URL }),
    ];
    const counter = await start({ ROLES: 'counter', NATS_URL });
    const readyz = async () =>
      (await counter.http.inject('/readyz')).json<{ data: { roles: object } }>().data.roles;
    await eventually(async () => expect(await readyz()).toEqual({ counter: true }));
    const ref = sampleRef();
    for (const { http } of trackers) {
      const { statusCode } = await http.inject(pathOf(signer.urlsFor(ref).billing, '4'));
      expect(statusCode).toBe(200);
    }
    for (const { settled } of trackers) await settled();
    const { clickhouse: events, db } = counter.ctx;
    expect(
      await events.query('select kind, spend_micros as spend from events where bid_id = {bid:UUID}', {
        bid: ref.bidId,
      }),
    ).toEqual([{ kind: 'billing', spend: 4000 }]);
    const booked = await db
      .selectFrom('adset_spend')
      .select('ever_micros')
      .where('adset_uuid', '=', ref.adsetId)
      .execute();
    expect(booked).toEqual([{ ever_micros: 4000 }]);
    const { body } = await counter.http.inject('/metrics');
    expect(body).toContain('bidwell_event_partitions_owned 32');
    expect(body).toContain('bidwell_counted_events_total 1');
    expect(body).toMatch(/bidwell_event_partition_lag_seconds\{partition="31"\} 0/);
  });
});
