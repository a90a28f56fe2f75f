import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from './app.ts';
import { readConfig } from '../config/config.ts';
import { ROLES, type Role } from '../config/environment.ts';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { addressOf, emptyDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { eventually } from '@bidwell/testing/eventually';

const FAULTS = ['refused', 'silent'] as const;
/** As an engine in another region responds, or one that is busy: in each direction. */
const SLOW_MS = 100;
/** A bidder works with leases that are ten seconds old. */
const LONGEST_LIMIT_MS = 11_000;

/** The statements of docs/operators/recovery.md on an engine that is refused or silent. */
interface Outage {
  /** Why a role cannot work; the others are ready. */
  roles: Partial<Record<Role, RegExp>>;
  /** The entries of `degraded` of processes with these roles. */
  degraded: { of: readonly Role[]; text: RegExp } | null;
}
const noPostgres = /^PostgreSQL does not answer/;
const OUTAGES = {
  PostgreSQL: {
    roles: { bidder: /leases/, counter: /PostgreSQL/, api: noPostgres, jobs: noPostgres },
    degraded: { of: ROLES, text: /^PostgreSQL is unavailable/ },
  },
  ClickHouse: { roles: {}, degraded: { of: ROLES, text: /^ClickHouse is unavailable/ } },
  NATS: {
    roles: { counter: /^The event stream is unavailable/ },
    degraded: { of: ['tracker', 'counter', 'api'], text: /^NATS is unavailable/ },
  },
  // Noticed when a file is read or uploaded.
  S3: { roles: {}, degraded: null },
} satisfies Record<string, Outage>;
type Engine = keyof typeof OUTAGES;
const engines = Object.keys(OUTAGES) as Engine[];

const database = await emptyDatabase(process.env['DATABASE_URL']);
const folder = await mkdtemp(join(tmpdir(), 'bidwell-outages-'));
const nats = database && (await natsServer({ folder: join(folder, 'nats') }));
afterAll(async () => {
  await nats?.stop();
  await database?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(nats)('a process of each role', async () => {
  if (!database || !nats) return;
  const clickhouse = await startClickHouseServer(join(folder, 'clickhouse'));
  const s3 = await startS3Server();
  const lines = {
    PostgreSQL: await tcpRelay(() => addressOf(database)),
    ClickHouse: await tcpRelay(() => clickhouse.port),
    NATS: await tcpRelay(() => nats.port),
    S3: await tcpRelay(() => s3.port),
  };
  const secret = 'a_secret_of_at_least_thirty_two_characters';
  const shared = {
    NODE_ENV: 'test',
    CAPTCHA: 'off',
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATABASE_URL: throughRelay(database, lines.PostgreSQL.port),
    CLICKHOUSE_URL: `http://127.0.0.1:${lines.ClickHouse.port}`,
    NATS_URL: `nats://127.0.0.1:${lines.NATS.port}`,
    ACCESS_TOKEN_SECRET: secret,
    SIGNING_SECRET: secret,
    OPERATOR_TOKEN: secret,
    ENCRYPTION_KEYS: secret,
    ...s3.environment,
    S3_ENDPOINT: `http://127.0.0.1:${lines.S3.port}`,
  };
  const apps = new Map<Role, App>();
  beforeAll(async () => {
    for (const role of ROLES)
      apps.set(role, await createApp(readConfig({ ...shared, ROLES: role, DATA_DIR: join(folder, role) })));
  });
  afterAll(async () => {
    for (const line of Object.values(lines)) line.mend();
    for (const app of [...apps.values()].toReversed()) await app.close();
    await clickhouse.stop();
    await s3.stop();
  });

  const readinessOf = async (role: Role) => {
    const response = await apps.get(role)!.http.inject({ url: '/readyz' });
    const { data } = response.json<{ data: { roles: Record<string, unknown>; degraded: string[] } }>();
    return { status: response.statusCode, state: data.roles[role], degraded: data.degraded };
  };
  const isWell = async () => {
    for (const role of ROLES)
      await eventually(
        async () =>
          expect([role, await readinessOf(role)]).toEqual([role, { status: 200, state: true, degraded: [] }]),
        30_000,
      );
  };

  /** The expected response of /readyz of a role during an outage. */
  function expected(role: Role, { roles, degraded }: Outage) {
    const reason = roles[role];
    const isDegraded = degraded?.of.includes(role) ?? false;
    return [
      role,
      {
        status: reason ? 503 : 200,
        state: reason ? expect.stringMatching(reason) : true,
        ...(isDegraded && { degraded: expect.arrayContaining([expect.stringMatching(degraded!.text)]) }),
      },
    ];
  }

  test.each(engines.flatMap((engine) => FAULTS.map((fault) => [engine, fault] as const)))(
    'says what it cannot do while %s is %s, as the documentation promises, and is ready again afterwards',
    async (engine, fault) => {
      await isWell();
      if (fault === 'refused') lines[engine].cut(true);
      else lines[engine].silence();
      for (const role of ROLES)
        await eventually(
          async () => expect([role, await readinessOf(role)]).toMatchObject(expected(role, OUTAGES[engine])),
          30_000,
        );
      lines[engine].mend();
      await isWell();
    },
  );

  test('stays ready while all engines are slow, for longer than any of its limits', async () => {
    await isWell();
    for (const line of Object.values(lines)) line.slow(SLOW_MS);
    const untilMs = performance.now() + LONGEST_LIMIT_MS;
    while (performance.now() < untilMs)
      for (const role of ROLES)
        expect([role, await readinessOf(role)]).toEqual([role, { status: 200, state: true, degraded: [] }]);
    for (const line of Object.values(lines)) line.mend();
  });
});
