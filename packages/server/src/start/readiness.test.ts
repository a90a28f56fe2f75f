import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type App, createApp } from './app.ts';
import { register } from '../modules/identity/service.ts';
import { transact } from '../platform/postgres/transaction.ts';
import { sql } from 'kysely';
import { readConfig } from '../config/config.ts';
import { API_TOKEN_PREFIX } from '@bidwell/contract/accounts/api-token';
import { installEmptyClickHouse } from '@bidwell/testing/empty-engines';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { addressOf, migratedDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { eventually } from '@bidwell/testing/eventually';
import { exhaustive } from '@bidwell/testing/whole-run';

const database = await migratedDatabase(process.env['DATABASE_URL']);
afterAll(() => database?.remove());

const secret = 'a_secret_of_at_least_thirty_two_characters';
const exchange = { name: 'AdX', secret: 'known-to-adx-and-us' };
const bidRequest = { id: 'r', imp: [{ id: '1', banner: { w: 320, h: 50 } }], app: { bundle: 'com.example' } };

describe.runIf(database)('a server whose databases are unavailable', async () => {
  if (!database) return;
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-ready-'));
  await installEmptyClickHouse(folder);
  const fakeClickhouse = await startClickHouseServer(join(folder, 'clickhouse'));
  const clickhouse = await tcpRelay(() => fakeClickhouse.port);
  const postgres = await tcpRelay(() => addressOf(database));
  const DATABASE_URL = throughRelay(database, postgres.port, { connect_timeout: '5', query_timeout: '5000' });
  const s3 = await startS3Server();
  afterAll(async () => {
    await fakeClickhouse.stop();
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const running: App[] = [];
  afterEach(async () => {
    clickhouse.mend();
    postgres.mend();
    for (const app of running.splice(0)) await app.close();
  });

  async function start(roles: string): Promise<App> {
    const app = await createApp(
      readConfig({
        NODE_ENV: 'test',
        CAPTCHA: 'off',
        LOG_LEVEL: 'silent',
        PORT: '0',
        DATA_DIR: join(folder, roles),
        ROLES: roles,
        DATABASE_URL,
        CLICKHOUSE_URL: `http://127.0.0.1:${clickhouse.port}`,
        // No server listens there: no role but the counter needs NATS to be ready.
        NATS_URL: 'nats://127.0.0.1:1',
        ACCESS_TOKEN_SECRET: secret,
        SIGNING_SECRET: secret,
        OPERATOR_TOKEN: secret,
        ENCRYPTION_KEYS: secret,
        ...s3.environment,
      }),
    );
    running.push(app);
    await app.listen();
    return app;
  }
  const ready = async (app: App) => {
    const response = await app.http.inject({ url: '/readyz' });
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
    return { status: response.statusCode, ...response.json<{ data: any }>().data };
  };
  const operator = async (app: App, url: string, payload: object) =>
    app.http.inject({
      method: 'PUT',
      url: `/api/operator${url}`,
      payload,
      headers: { authorization: `Bearer ${secret}` },
    });
  const bid = async (app: App) =>
    (await app.http.inject({ method: 'POST', url: `/openrtb/adx/${exchange.secret}`, payload: bidRequest }))
      .statusCode;

  exhaustive(
    'every role starts without ClickHouse, is ready, reports what is degraded, and completes its startup later',
    async () => {
      clickhouse.cut(true);
      const app = await start('api,bidder,tracker,jobs');
      await eventually(async () => {
        const state = await ready(app);
        expect(state).toMatchObject({
          status: 200,
          roles: { api: true, bidder: true, tracker: true, jobs: true },
          postgres: true,
          clickhouse: false,
        });
        expect(state.degraded[0]).toBe(
          'ClickHouse is unavailable: reports fail, and events wait in the event log.',
        );
      });
      expect((await operator(app, '/ssps/adx', exchange)).statusCode).toBe(200);
      clickhouse.mend();
      await eventually(async () =>
        expect(await ready(app)).toMatchObject({
          status: 200,
          clickhouse: true,
          // There is no NATS here.
          degraded: [
            'NATS is unavailable: events wait in the event logs of trackers, and live updates reach only the pages of their own process.',
            'It is not known which notices of the last hour are counted: the money of their bids stays reserved.',
          ],
        }),
      );
    },
  );

  test('a bidder says how far the counting of notices is behind', async () => {
    const app = await start('bidder');
    const { db } = app.ctx;
    await sql`
      insert into tracker_states (uuid, seen_at, counted_at)
      select gen_random_uuid(), clock_timestamp(), clock_timestamp() - interval '5 minutes'`.execute(db);
    await eventually(async () =>
      expect((await ready(app)).degraded).toEqual([
        'Notices of the last 5 minutes are not counted yet: the money of their bids stays reserved.',
      ]),
    );
    await sql`delete from tracker_states`.execute(db);
    await eventually(async () => expect((await ready(app)).degraded).toEqual([]));
  });

  const noTracker =
    'No tracker has reported in the last thirty seconds: no bids are sent, as their notices would be lost.';

  test('a bidder that starts while there is no tracker says so and does not bid before one reports', async () => {
    const bidder = await start('bidder');
    expect((await operator(await start('api'), '/ssps/adx', exchange)).statusCode).toBe(200);
    expect(await ready(bidder)).toMatchObject({ status: 200, degraded: [noTracker] });
    const reasonOf = async () =>
      (
        await bidder.http.inject({
          method: 'POST',
          url: `/openrtb/adx/${exchange.secret}`,
          payload: { ...bidRequest, ext: { nbr: 1 } },
        })
      ).body;
    await eventually(async () => expect(await reasonOf()).toContain('no_tracker'));
    await start('tracker');
    await eventually(async () => expect(await reasonOf()).not.toContain('no_tracker'));
    await eventually(async () => expect((await ready(bidder)).degraded).not.toContain(noTracker));
  });

  test('a bidder starts without PostgreSQL from its snapshot on disk, and bids again once it is back', async () => {
    const first = await start('bidder');
    const snapshot = await eventually(async () => {
      const state = await ready(first);
      expect(state).toMatchObject({ status: 200, snapshot: { source: 'postgres' } });
      return state.snapshot;
    });
    expect(await bid(first)).toBe(204);
    await first.close();
    postgres.cut(true);
    const second = await start('bidder');
    const state = await ready(second);
    expect(state).toMatchObject({
      status: 503,
      postgres: false,
      snapshot: { version: snapshot.version, source: 'disk' },
    });
    expect(state.roles.bidder).toMatch(/leases/);
    expect(state.snapshot.age_seconds).toBeLessThan(60);
    expect(await bid(second)).toBe(204);
    postgres.mend();
    await eventually(async () =>
      expect(await ready(second)).toMatchObject({
        status: 200,
        degraded: [noTracker],
        snapshot: { source: 'postgres' },
      }),
    );
  });

  test('a server that starts under a flood of requests refuses them unread until it is ready', async () => {
    // Left by an earlier start in this file's tests.
    const earlier = await start('api,bidder,tracker,jobs');
    await eventually(async () => expect((await ready(earlier)).status).toBe(200));
    expect((await operator(earlier, '/ssps/adx', exchange)).statusCode).toBe(200);
    await earlier.close();
    postgres.cut(true);
    const app = await start('api,bidder,tracker,jobs');
    const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
    const unreadable = async () =>
      (await fetch(`${origin}/openrtb/adx/${exchange.secret}`, { method: 'POST', body: '{' })).status;
    const call = async () => (await fetch(`${origin}/api/internal/campaign`)).status;
    // The key would be looked up.
    const assistant = async () => {
      const headers = { authorization: `Bearer ${API_TOKEN_PREFIX}${'a'.repeat(43)}` };
      return (await fetch(`${origin}/mcp`, { method: 'POST', headers, signal: AbortSignal.timeout(20_000) }))
        .status;
    };
    expect([await unreadable(), await call(), await assistant()]).toEqual([204, 503, 503]);
    const flood = { isOver: false };
    const clients = Array.from({ length: 32 }, async () => {
      while (!flood.isOver) await Promise.all([unreadable(), call()]);
    });
    postgres.mend();
    await eventually(async () => expect((await ready(app)).status).toBe(200));
    flood.isOver = true;
    await Promise.all(clients);
    expect([await unreadable(), await call()]).toEqual([400, 401]);
  });

  test('changes in one process reach another soon, by notification or by polling', async () => {
    const [api, bidder] = [await start('api'), await start('bidder')];
    // A bidder loads everything again in half a minute also without them.
    const soon = async (holds: () => Promise<void>) => eventually(holds, 20_000);
    const version = async (): Promise<string> => (await ready(bidder)).snapshot.version;
    const late = { name: 'Late', secret: 'known-to-late-and-us' };
    const bidTo = async () =>
      (
        await bidder.http.inject({
          method: 'POST',
          url: `/openrtb/late/${late.secret}`,
          payload: bidRequest,
        })
      ).statusCode;
    expect(await bidTo()).toBe(404);
    await operator(api, '/ssps/late', late);
    await soon(async () => expect(await bidTo()).toBe(204));
    await operator(api, '/ssps/late', { ...late, active: false });
    await soon(async () => expect(await bidTo()).toBe(404));
    const { companyId } = await register(
      api.ctx,
      {
        login: 'a.pausing.person',
        password: 'correct horse battery',
        email: 'tester@example.com',
        first_name: 'Test',
        last_name: 'Er',
        contact: 'none',
      },
      '192.0.2.1',
    );
    const paused = await version();
    await transact(api.ctx.db, async (tx) => tx.changes(companyId));
    await soon(async () => expect(await version()).not.toBe(paused));
    const suspended = await version();
    await operator(api, `/companies/${companyId}/suspension`, { suspended: true });
    await soon(async () => expect(await version()).not.toBe(suspended));
    // A connection pooler may not forward notifications; the row is then found by polling.
    await sql`alter table currency_rates disable trigger announce`.execute(api.ctx.db);
    const before = await version();
    await sql`
      insert into currency_rates (currency, dollars) values ('EUR', 1.08)`.execute(api.ctx.db);
    await sql`insert into bidding_changes (kind) values ('snapshot')`.execute(api.ctx.db);
    await soon(async () => expect(await version()).not.toBe(before));
  });

  exhaustive(
    'a silent PostgreSQL makes the roles that need it not ready, but no tracker, and both answer /readyz and stop',
    async () => {
      const [api, tracker] = [await start('api'), await start('tracker')];
      for (const app of [api, tracker])
        await eventually(async () => expect((await ready(app)).status).toBe(200));
      postgres.silence();
      await eventually(async () => expect((await ready(api)).status).toBe(503));
      await eventually(async () =>
        expect(await ready(tracker)).toMatchObject({ status: 200, postgres: false }),
      );
      await Promise.all([api.close(), tracker.close()]);
      expect([api, tracker].map(({ http }) => http.server.listening)).toEqual([false, false]);
    },
  );
});
