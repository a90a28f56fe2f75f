import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openClickHouse } from './client.ts';
import { migrate } from './migrate.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-clickhouse-'));
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

test('a migration that was interrupted before it was noted runs again without harm', async () => {
  await clickhouse.command(
    'alter table schema_migrations delete where version > 0 settings mutations_sync = 1',
  );
  await migrate(clickhouse);
  const tables = await clickhouse.query<{ name: string }>('show tables');
  expect(tables.map(({ name }) => name).sort()).toEqual(['events', 'postbacks', 'schema_migrations']);
});

test('values are bound, never read as SQL', async () => {
  const text = "'; drop table events; --";
  expect(await clickhouse.query('select {text:String} as text', { text })).toEqual([{ text }]);
});

test('numbers of 64 bits come as numbers', async () => {
  expect(await clickhouse.query('select toInt64(9007199254740991) as micros')).toEqual([
    { micros: Number.MAX_SAFE_INTEGER },
  ]);
});

test('a second process is told that the data folder is in use', async () => {
  const client = fileURLToPath(new URL('./client.ts', import.meta.url));
  const program = `
    import { openClickHouse, DataFolderInUse } from ${JSON.stringify(client)};
    openClickHouse({ dataDir: ${JSON.stringify(dataDir)} }).then(
      () => { console.log('opened'); },
      (error) => { console.log(error instanceof DataFolderInUse, error.message); },
    ).finally(() => process.exit());`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  expect(printed.trim()).toBe(`true Another Bidwell process already uses the data folder ${dataDir}.`);
  expect(await clickhouse.ping()).toBe(true);
});
