import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from './client.ts';
import { definitionsOn } from './cluster.ts';
import { migrationStatements } from './migrate.ts';

const cluster = { name: 'main', database: 'bidwell' };

test('without a cluster, a statement is unchanged', () => {
  for (const statement of migrationStatements()) expect(definitionsOn(null, statement)).toEqual([statement]);
});

test('on a cluster, a table is replicated on each shard, with a Distributed one over it', () => {
  const statement =
    'create table if not exists postbacks (a UUID, b DateTime) engine = MergeTree partition by toYYYYMM(b) order by a';
  expect(definitionsOn(cluster, statement)).toEqual([
    "create table if not exists `bidwell`.postbacks_local on cluster 'main' (a UUID, b DateTime) engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') partition by toYYYYMM(b) order by a",
    "create table if not exists `bidwell`.postbacks on cluster 'main' as `bidwell`.postbacks_local engine = Distributed('main', 'bidwell', 'postbacks_local', sipHash64(click_id))",
  ]);
});

test('on a cluster, columns change in both tables, and all else in the replicated one', () => {
  expect(definitionsOn(cluster, 'alter table events add column if not exists mark String')).toEqual([
    "alter table `bidwell`.events_local on cluster 'main' add column if not exists mark String",
    "alter table `bidwell`.events on cluster 'main' add column if not exists mark String",
  ]);
  expect(definitionsOn(cluster, 'alter table events remove ttl')).toEqual([
    "alter table `bidwell`.events_local on cluster 'main' remove ttl",
  ]);
  expect(
    definitionsOn(cluster, 'alter table events modify setting non_replicated_deduplication_window = 5'),
  ).toEqual([
    "alter table `bidwell`.events_local on cluster 'main' modify setting replicated_deduplication_window = 5",
  ]);
});

test('a statement or table that cannot be put on a cluster is refused', () => {
  expect(() => definitionsOn(cluster, 'drop table events')).toThrow('cannot be run on a cluster');
  expect(() =>
    definitionsOn(cluster, 'create table if not exists other (a UUID) engine = MergeTree order by a'),
  ).toThrow('The table other has no sharding key.');
});

test('ClickHouse parses every migration as it is on a cluster', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-cluster-'));
  const clickhouse = await connectClickHouse({ dataDir });
  onTestFinished(async () => {
    await clickhouse.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const statements = migrationStatements().flatMap((statement) => definitionsOn(cluster, statement));
  const rows = await clickhouse.query<{ text: string }>(
    'select formatQuerySingleLine(arrayJoin({statements:Array(String)})) as text',
    { statements },
  );
  expect(rows).toHaveLength(statements.length);
  for (const { text } of rows) expect(text).toMatch(/^(CREATE TABLE|ALTER TABLE) .* ON CLUSTER main /);
});
