import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from './app.ts';
import { readConfig } from '../config/config.ts';
import { sql } from 'kysely';
import { connectClickHouse } from '../platform/clickhouse/client.ts';
import { pathOf, sampleRef } from '../delivery/trackers/sample-ref.ts';
import { createSigner } from '../delivery/trackers/signer.ts';
import { S3Refused } from '../platform/files/s3.ts';
import { migrateAlone } from '../platform/postgres/migration-lock.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { installEmptyClickHouse } from '@bidwell/testing/empty-engines';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { eventually } from '@bidwell/testing/eventually';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { picture } from '@bidwell/testing/files/pictures';
import { migratedDatabase } from '@bidwell/testing/engines/postgres-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { testApp } from '@bidwell/testing/test-app';

const database = await migratedDatabase(process.env['DATABASE_URL']);
const folder = await mkdtemp(join(tmpdir(), 'bidwell-split-'));
const nats = database && (await natsServer({ folder: join(folder, 'nats') }));
afterAll(async () => {
  await nats?.stop();
  await database?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(nats)('processes with split roles', async () => {
  if (!database || !nats) return;
  await installEmptyClickHouse(folder);
  const clickhouse = await startClickHouseServer(join(folder, 'clickhouse'));
  const s3 = await startS3Server();
  afterAll(async () => {
    await clickhouse.stop();
    await s3.stop();
  });
  const secret = 'a_secret_of_at_least_thirty_two_characters';
  const shared = {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: clickhouse.url,
    NATS_URL: `nats://127.0.0.1:${nats.port}`,
    ACCESS_TOKEN_SECRET: secret,
    SIGNING_SECRET: secret,
    OPERATOR_TOKEN: secret,
    ENCRYPTION_KEYS: secret,
    ...s3.environment,
  };
  const api = await testApp({ ...shared, ROLES: 'api,jobs', MODERATION: 'auto' });
  let processes = 0;

  /** Starts a tracker with its own folder, as on another machine. */
  async function startTracker(
    environment: Record<string, string> = {},
    options: Parameters<typeof createApp>[1] = {},
  ): Promise<App> {
    const DATA_DIR = join(folder, `tracker-${(processes += 1)}`);
    const always = { NODE_ENV: 'test', CAPTCHA: 'off', LOG_LEVEL: 'silent', ROLES: 'tracker' };
    const app = await createApp(readConfig({ ...always, DATA_DIR, ...shared, ...environment }), options);
    onTestFinished(() => app.close());
    return app;
  }

  test('a tracker serves files uploaded to the API', async () => {
    const tracker = await startTracker();
    const company = await api.freshCompany();
    const content = await picture(320, 50);
    const { data } = await company.upload('POST', '/v2/internal_creative', {
      name: 'One',
      type: 'Banner',
      app_id: await make(company, '/app', appBody()),
      banner: { name: 'one.png', content },
    });
    const url = `/m/${data.internal_creative.banner.uuid}.png`;
    expect((await tracker.http.inject({ url })).rawPayload.equals(content)).toBe(true);
  });

  test('a process that starts leaves ClickHouse as it is while another one migrates it', async () => {
    const tables = await connectClickHouse({ url: clickhouse.url, dataDir: folder });
    onTestFinished(() => tables.close());
    const version = async () => {
      const [row] = await tables.query<{ last: number }>(
        'select max(version) as last from schema_migrations',
      );
      return row!.last;
    };
    const last = await version();
    // As the release before left it.
    await tables.command(`delete from schema_migrations where version = ${last}`);
    let starting: Promise<App> | undefined;
    await migrateAlone(database.url, {}, async () => {
      starting = startTracker();
      starting.catch(() => {});
      const sessions = sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where application_name = 'bidwell-migration' and datname = current_database()`;
      await eventually(async () => {
        const { rows } = await sessions.execute(api.ctx.db);
        expect(rows[0]!.count).toBe(2);
      });
      expect(await version()).toBe(last - 1);
    });
    await starting;
    await eventually(async () => expect(await version()).toBe(last));
  });

  test('a process whose key S3 refuses does not start, and says why', async () => {
    const wrong = startTracker({ S3_ACCESS_KEY_ID: 'nobody' });
    await expect(wrong).rejects.toThrow(new S3Refused('S3 does not know the key in S3_ACCESS_KEY_ID.'));
  });

  test('a process with another secret does not start, and says which one differs', async () => {
    const other = 'another_secret_of_at_least_thirty_two_characters';
    await expect(startTracker({ SIGNING_SECRET: other })).rejects.toThrow(
      /^SIGNING_SECRET is not that of another process on this database \(.+\): give this one the same, or theirs as SIGNING_SECRET_PREVIOUS\.$/,
    );
    for (const name of ['ACCESS_TOKEN_SECRET', 'OPERATOR_TOKEN'])
      await expect(startTracker({ ROLES: 'api', [name]: other })).rejects.toThrow(
        new RegExp(`^${name} is not that of another process`),
      );
    const { rows } = await sql<{ text: string }>`select process_secrets::text from process_secrets`.execute(
      api.ctx.db,
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('an in-app event counts whose click another tracker has acknowledged and not handed on', async () => {
    const [one, other] = [await startTracker(), await startTracker({}, { postbackAnswerMs: () => 500 })];
    const company = await api.freshCompany();
    const signer = createSigner(secret, 'http://bidwell.test');
    const { secret: address } = (await company.call('GET', '/postbacks')).data;
    const seenBy = async (tracker: App) => {
      const ref = sampleRef({ companyId: company.companyId });
      const url = pathOf(signer.urlsFor(ref).impression);
      expect((await tracker.http.inject({ url })).statusCode).toBe(200);
      const purchase = `event_name=purchase&revenue=4.99&currency=USD&click_id=${signer.clickIdFor(ref)}`;
      return { ref, purchase: { url: `/postback/appsflyer/${address}?${purchase}` } };
    };
    // The other tracker has handed on all that it has acknowledged itself.
    const counter = await startTracker({ ROLES: 'counter' });
    const before = await seenBy(other);
    await eventually(async () =>
      expect((await other.http.inject(before.purchase)).json()).toEqual({ data: { outcome: 'duplicate' } }),
    );
    await counter.close();
    const { ref, purchase } = await seenBy(one);
    expect((await other.http.inject(purchase)).json()).toEqual({ data: { outcome: 'pending' } });
    await startTracker({ ROLES: 'counter' });
    await eventually(async () => {
      const rows = await one.ctx.clickhouse.query(
        "select revenue_micros as micros from events where click_bid_id = {bid:UUID} and kind = 'app_event'",
        { bid: ref.bidId },
      );
      expect(rows).toEqual([{ micros: 4_990_000 }]);
    });
  });

  test('a rejection takes back what another tracker has acknowledged and not handed on', async () => {
    let answerMs = 2 ** 31 - 1;
    const options = { postbackAnswerMs: () => answerMs };
    const [one, other] = [await startTracker({}, options), await startTracker({}, options)];
    const company = await api.freshCompany();
    const ref = sampleRef({ companyId: company.companyId });
    const signer = createSigner(secret, 'http://bidwell.test');
    const { secret: address } = (await company.call('GET', '/postbacks')).data;
    const report = async (tracker: App, query: string) => {
      const url = `/postback/appsflyer/${address}?click_id=${signer.clickIdFor(ref)}&${query}`;
      return (await tracker.http.inject({ url })).json().data.outcome;
    };
    const kinds = async () => {
      const rows = await one.ctx.clickhouse.query<{ kind: string }>(
        'select kind from events where company_id = {company:UUID} order by kind',
        { company: company.companyId },
      );
      return rows.map(({ kind }) => kind);
    };
    const purchase = 'event_name=purchase&event_id=1&revenue=4.99&currency=USD';
    const counter = await startTracker({ ROLES: 'counter' });
    await one.http.inject({ url: pathOf(signer.urlsFor(ref).impression) });
    await eventually(async () => expect(await kinds()).toEqual(['impression']));
    await counter.close();
    expect(await report(one, 'event_name=install')).toBe('stored');
    answerMs = 500;
    // It is decided once the install is counted.
    expect(await report(one, purchase)).toBe('pending');
    expect(await report(other, 'event_name=install&is_rejected=true')).toBe('pending');
    expect(await report(other, `${purchase}&is_rejected=true`)).toBe('pending');
    await startTracker({ ROLES: 'counter' });
    const all = ['app_event', 'app_event_rejected', 'impression', 'install', 'install_rejected'];
    await eventually(async () => expect(await kinds()).toEqual(all));
    const { data } = await company.call('GET', '/postbacks');
    expect(data.counts).toContainEqual({ mmp: 'appsflyer', outcome: 'taken_back', reason: '', count: 1 });
  });

  test('the signing secret is changed process by process', async () => {
    const changed = {
      SIGNING_SECRET: 'a new secret of at least 32 characters',
      SIGNING_SECRET_PREVIOUS: secret,
    };
    const first = await startTracker(changed);
    const second = await startTracker(changed);
    // A tracker with neither the new secret nor an address for it would reject links that the first two sign.
    await expect(startTracker()).rejects.toThrow(/^SIGNING_SECRET/);
    await first.close();
    await second.close();
    await startTracker();
  });
});
