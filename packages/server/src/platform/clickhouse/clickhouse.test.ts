import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { installEmptyClickHouse } from '@bidwell/testing/empty-engines';
import { exhaustive } from '@bidwell/testing/whole-run';
import { QueryTooLarge } from './client.ts';
import { openClickHouse } from './open.ts';
import { personEventsSql } from './person-events.ts';
import { setRetention } from './retention.ts';
import type { SmallMemory } from '../memory.ts';
import { migrate, migrations } from './migrate.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-clickhouse-'));
await installEmptyClickHouse(dataDir);
const clickhouse = await openClickHouse({ dataDir });
afterAll(async () => {
  await clickhouse.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('migrating again changes nothing', async () => {
  const read = () =>
    clickhouse.query<{ version: number; times: number }>(
      'select version, count() as times from schema_migrations group by version order by version',
    );
  const before = await read();
  expect(before.map(({ times }) => times)).toEqual(before.map(() => 1));
  await migrate(clickhouse);
  expect(await read()).toEqual(before);
});

exhaustive('a migration that was interrupted before it was recorded runs again without harm', async () => {
  await clickhouse.command(
    'alter table schema_migrations delete where version > 0 settings mutations_sync = 1',
  );
  await migrate(clickhouse);
  const tables = await clickhouse.query<{ name: string }>('show tables');
  expect(tables.map(({ name }) => name).sort()).toEqual([
    'bid_prices',
    'bid_sample',
    'device_ids',
    'events',
    'funnel',
    'postbacks',
    'publisher_apps',
    'request_sample',
    'schema_migrations',
  ]);
});

exhaustive('a server that waited while another one migrated applies nothing again', async () => {
  await clickhouse.command(
    'alter table schema_migrations delete where version > 15 settings mutations_sync = 1',
  );
  await migrate(clickhouse, {
    async alone(work) {
      await migrate(clickhouse);
      await work();
    },
  });
  const applied = await clickhouse.query<{ version: number }>('select version from schema_migrations');
  expect(applied.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
    migrations.map((_, index) => index + 1),
  );
  const alone = vi.fn();
  await migrate(clickhouse, { alone });
  expect(alone).not.toHaveBeenCalled();
});

exhaustive(
  'two servers that migrate at once, with a new table and one with events, get the same result',
  async () => {
    await clickhouse.command(
      `insert into events (time, kind, company_id, bundle) select toDateTime64('2026-01-10 00:00:00', 3, 'UTC') + number,
       'click', toUUID('00000000-0000-0000-0000-000000000001'), 'a.b' from numbers(1000)`,
    );
    await clickhouse.command(
      'alter table schema_migrations delete where version > 2 settings mutations_sync = 1',
    );
    await Promise.all([migrate(clickhouse), migrate(clickhouse)]);
    const [aggregated] = await clickhouse.query<{ clicks: number }>(
      `select countIf(kind = 'click') as clicks from events where toDate(time) = '2026-01-10' and bundle = 'a.b'
     settings force_optimize_projection_name = 'daily_bundles'`,
    );
    expect(aggregated).toEqual({ clicks: 1000 });
    await clickhouse.command('alter table events delete where 1 settings mutations_sync = 1');
  },
);

test('events of an earlier release are in the projection of people after the migration, and the two before it are gone', async () => {
  await clickhouse.command('alter table events drop projection person_events settings mutations_sync = 1');
  await clickhouse.command(
    'alter table schema_migrations delete where version > 21 settings mutations_sync = 1',
  );
  await migrate(clickhouse, { last: 23 });
  const company = "company_id = toUUID('00000000-0000-0000-0000-000000000002')";
  await clickhouse.command(
    `insert into events (time, kind, company_id, bid_id, click_bid_id)
     select toDateTime64('2026-01-10 00:00:00', 3, 'UTC') + number, if(number = 0, 'install', 'app_event'),
       toUUID('00000000-0000-0000-0000-000000000002'), generateUUIDv4(), generateUUIDv4() from numbers(10)`,
  );
  await migrate(clickhouse);
  const events = personEventsSql({ fields: ['flags'], where: [company] });
  expect(
    await clickhouse.query(
      `select flags, count() as events from (${events}) group by flags order by flags
       settings force_optimize_projection_name = 'person_events'`,
    ),
  ).toEqual([
    { flags: 0, events: 1 },
    { flags: 1, events: 9 },
  ]);
  const [table] = await clickhouse.query<{ statement: string }>('show create table events');
  expect(table!.statement).not.toMatch(/app_event_values|person_values/);
  await clickhouse.command('alter table events delete where 1 settings mutations_sync = 1');
});

test('rows have the configured retention, and whole months are deleted with their aggregates', async () => {
  const ttlOf = async (table: string) => {
    const [row] = await clickhouse
      .query<{ sql: string }>(`show create table ${table}`)
      .then((rows) => rows.map((each) => ({ sql: Object.values(each)[0]! })));
    return /toIntervalDay\((\d+)\)/.exec(row!.sql)?.[1];
  };
  await setRetention(clickhouse, { events: 100, postbacks: 30 });
  await setRetention(clickhouse, { events: 100, postbacks: 30 });
  expect([await ttlOf('events'), await ttlOf('postbacks')]).toEqual(['100', '30']);
  await clickhouse.command(
    `insert into events (time, kind, company_id, bundle) select now() - toIntervalDay(400 * (number % 2)), 'click',
       toUUID('00000000-0000-0000-0000-000000000001'), 'a.b' from numbers(1000)`,
  );
  await clickhouse.command('optimize table events final');
  const counts = async (settings: string) =>
    clickhouse.query<{ clicks: number }>(
      `select countIf(kind = 'click') as clicks from events where toDate(time) > '2000-01-01' and bundle = 'a.b' settings ${settings}`,
    );
  expect(await counts('optimize_use_projections = 0')).toEqual([{ clicks: 500 }]);
  expect(await counts("force_optimize_projection_name = 'daily_bundles'")).toEqual([{ clicks: 500 }]);
  await setRetention(clickhouse, { events: null, postbacks: 90 });
  expect([await ttlOf('events'), await ttlOf('postbacks')]).toEqual([undefined, '90']);
});

test('values are bound, never read as SQL', async () => {
  const text = "'; drop table events; --";
  expect(await clickhouse.query('select {text:String} as text', { text })).toEqual([{ text }]);
});

test('a query beyond its limits fails as too large, and leaves nothing in the next responses', async () => {
  const sql = 'select number, count() from numbers(3000000) group by number';
  for (const format of ['JSON', 'JSONCompact'] as const) {
    for (const setting of ['max_memory_usage', 'max_result_rows']) {
      const failing = clickhouse.query(sql, {}, format, { [setting]: 8_000_000 / 8 });
      await expect(failing).rejects.toThrow(QueryTooLarge);
      const next = [1, 2, 3].map(async (value) =>
        clickhouse.query<{ value: number }>(`select ${value} as value, '{\n\t"meta":\n' as text`),
      );
      const text = '{\n\t"meta":\n';
      expect(await Promise.all(next)).toEqual([1, 2, 3].map((value) => [{ value, text }]));
    }
  }
});

test('64-bit integers are read as numbers', async () => {
  expect(await clickhouse.query('select toInt64(9007199254740991) as micros')).toEqual([
    { micros: Number.MAX_SAFE_INTEGER },
  ]);
});

/** Output of another process that opens a data folder, and then does `work` with `clickhouse`. */
async function openedElsewhere(folder: string, memory: SmallMemory | null = null, work = '') {
  const client = fileURLToPath(new URL('./client.ts', import.meta.url));
  const program = `
    import { connectClickHouse } from ${JSON.stringify(client)};
    connectClickHouse(${JSON.stringify({ dataDir: folder, memory })}).then(
      async (clickhouse) => { console.log('opened'); ${work} },
      (error) => { console.log(error.constructor.name, error.message); },
    ).finally(() => process.exit());`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  return printed.trim();
}

test('where memory is small, the embedded engine uses little of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-small-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const work = `
    const rows = await clickhouse.query("select name, value from system.server_settings where name in ('max_server_memory_usage', 'mark_cache_size') order by name");
    console.log(rows.map(({ value }) => value).join());
    await clickhouse.query('select arraySort(groupArray(number)) from numbers(50000000)').catch((error) => console.log(error.constructor.name));
    await clickhouse.close();`;
  const said = await openedElsewhere(folder, { chdb: 192, chdbCache: 8, sharedBuffers: 8 }, work);
  expect(said.split('\n')).toEqual(['opened', `${8 * 2 ** 20},${192 * 2 ** 20}`, 'QueryTooLarge']);
});

test('a second process gets an error that the data folder is in use', async () => {
  expect(await openedElsewhere(dataDir)).toBe(
    `DataFolderInUse Another Bidwell process already uses the data folder ${dataDir}.`,
  );
  expect(await clickhouse.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a busy engine is not reported as unavailable', async () => {
  let isDone = false;
  const busy = ['a', 'b', 'c'].map((name) =>
    clickhouse.query(`select sleep(0.1), '${name}'`).finally(() => (isDone = true)),
  );
  expect([await clickhouse.ping(), isDone]).toEqual([true, false]);
  await Promise.all(busy);
});

test('a folder that cannot be opened for another reason is not reported as in use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-unusable-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'clickhouse', 'status'), { recursive: true });
  expect(await openedElsewhere(folder)).toMatch(/^DataFolderUnusable The reports' database cannot be opened/);
});
