import { Session } from 'chdb';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, expect, test } from 'vitest';
import {
  countSince,
  fenceInsert,
  historyOfDay,
  insertEvents,
  readStoredPairs,
  spendOfAllTime,
  spendSince,
  storedByBid,
  storedEventsOf,
} from '../delivery/event-store/event-store.ts';
import { countedClickIds, storePostbacks, storedOutcomes } from '../delivery/postbacks/postback-store.ts';
import { sampleRef } from '../delivery/trackers/sample-ref.ts';
import type { DeliveryEvent } from '../delivery/model/event.ts';
import { countEvents } from '../modules/reporting/query/counts-store.ts';
import { eventDateRange, streamEvents } from '../modules/reporting/query/event-store.ts';
import { connectClickHouse } from '../platform/clickhouse/client.ts';
import { migrate } from '../platform/clickhouse/migrate.ts';
import { setRetention } from '../platform/clickhouse/retention.ts';

/*
 * The queries through Distributed tables, with chDB. It has no replication and no statements on clusters, so tables are
 * plain there, and both shards of the cluster are this process: sums over the shards are twice the true value.
 */
const SHARD =
  '<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>19991</port></replica></shard>';
const CONFIG = `<clickhouse><tcp_port>19991</tcp_port><remote_servers><two>${SHARD}${SHARD}</two></remote_servers></clickhouse>`;

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-cluster-'));
const path = join(dataDir, 'clickhouse');
await mkdir(path);
await writeFile(join(dataDir, 'cluster.xml'), CONFIG);
// The constructor's type lacks its second argument.
const Configured = Session as unknown as new (path: string, options: { connectionArgs: string[] }) => Session;
const session = new Configured(path, { connectionArgs: [`--config-file=${join(dataDir, 'cluster.xml')}`] });
const connected = await connectClickHouse({ dataDir, cluster: 'two' });
const clickhouse = {
  ...connected,
  command: async (sql: string) =>
    connected.command(
      sql
        .replace(" on cluster 'two'", '')
        .replace(/Replicated(\w*MergeTree)\([^)]*\)/, '$1')
        .replace(' replicated_dedup', ' non_replicated_dedup'),
    ),
};
await migrate(clickhouse);
afterAll(async () => {
  await connected.close();
  session.cleanup();
  await rm(dataDir, { recursive: true, force: true });
});

const NOW_MS = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 86_400_000;
const ref = sampleRef({}, NOW_MS);
const period = { fromMs: Date.UTC(2026, 4, 1), beforeMs: Date.UTC(2026, 5, 1) };

const eventOf = (more: Partial<DeliveryEvent>): DeliveryEvent => ({
  kind: 'billing',
  atMs: NOW_MS,
  ref: { ...ref, bidId: sampleRef({}, NOW_MS).bidId },
  spendMicros: 100,
  lossReason: 0,
  mark: '',
  ...more,
});

const events = [
  ...Array.from({ length: 20 }, () => eventOf({})),
  ...Array.from({ length: 10 }, () => eventOf({ kind: 'impression', spendMicros: 0, atMs: NOW_MS - DAY_MS })),
];
const batch = uuidv4();
await insertEvents(
  clickhouse,
  events.map((event, seq) => ({ event, batch, seq })),
);

test('migrating again, and a retention, change nothing else', async () => {
  await migrate(clickhouse);
  await setRetention(clickhouse, { events: 10_000, postbacks: 90 });
  const [{ sql } = { sql: '' }] = await clickhouse.query<{ sql: string }>(
    "select create_table_query as sql from system.tables where name = 'events_local'",
  );
  expect(sql).toContain('toIntervalDay(10000)');
});

test('each event is stored on one shard, and found by its bid', async () => {
  const [stored] = await clickhouse.query<{ events: number }>('select count() as events from events_local');
  expect(stored).toEqual({ events: events.length });
  const bids = events.map((event) => event.ref.bidId);
  const found = await storedByBid(clickhouse, bids);
  expect([...found.keys()].toSorted()).toEqual(bids.toSorted());
  expect(found.get(bids[0]!)).toEqual({
    batches: new Map([['billing', batch]]),
    charge: { kind: 'billing', spendMicros: 100, marginMicros: 0 },
    named: [],
  });
  const [{ companyId, bidId }] = [events[0]!.ref];
  expect(await storedEventsOf(clickhouse, [{ companyId, bidId }], ['billing'])).toEqual([
    { bidId, kind: 'billing', atMs: NOW_MS, mark: '', untrained: '' },
  ]);
});

test('windows are filled with the pairs of all shards', async () => {
  const all = { count: 1, partitions: [0] };
  let pairs = 0;
  await readStoredPairs(clickhouse, { fromMs: NOW_MS - DAY_MS, beforeMs: NOW_MS + DAY_MS, ...all }, () => {
    pairs += 1;
  });
  // Each event, and each charge.
  expect(pairs % (events.length + 20)).toBe(0);
  expect(pairs).toBeGreaterThan(0);
  expect(await countSince(clickhouse, NOW_MS - DAY_MS, all)).toBe(2 * events.length);
});

test('reports and learning add up the shards, and read the aggregates there', async () => {
  const counts = await countEvents(clickhouse, ref.companyId, { period, by: ['campaign'], filters: {} });
  expect(counts).toMatchObject([{ values: [ref.campaignId], impressions: 20, spendMicros: 4000 }]);
  expect(await spendOfAllTime(clickhouse)).toEqual([
    { companyId: ref.companyId, adsetId: ref.adsetId, spentMicros: 4000 },
  ]);
  expect(await spendSince(clickhouse, NOW_MS - DAY_MS, [ref.adsetId])).toMatchObject([{ spentMicros: 4000 }]);
  expect(await historyOfDay(clickhouse, NOW_MS - DAY_MS)).toMatchObject([{ impressions: 20 }]);
  expect(await eventDateRange(clickhouse, ref.companyId)).toEqual({ start: '2026-04-30', end: '2026-06-01' });
  const plan = await clickhouse.query<{ explain: string }>(
    `explain projections = 1, distributed = 1
     select bundle, countIf(kind = 'impression') from events where toDate(time) = '2026-05-19' group by bundle`,
  );
  expect(plan.filter(({ explain }) => explain.includes('ReadFromMergeTree (daily_bundles)'))).toHaveLength(2);
});

test('an export has the events of all shards, in order', async () => {
  let text = '';
  for await (const bytes of streamEvents(clickhouse, ref.companyId, period, 'csv', { max_threads: 2 }))
    text += Buffer.from(bytes).toString();
  const times = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  expect(times).toHaveLength(2 * events.length);
  expect(times).toEqual(times.toSorted());
});

test('a fenced insert stores nothing on any shard', async () => {
  const token = uuidv4();
  await fenceInsert(clickhouse, token, ['2026-05']);
  const late = eventOf({});
  await insertEvents(clickhouse, [{ event: late, batch: uuidv4(), seq: 0 }], { token });
  expect(await storedByBid(clickhouse, [late.ref.bidId])).toEqual(new Map());
});

test('postbacks are stored once and recognised', async () => {
  const row = {
    id: uuidv4(),
    atMs: Date.now(),
    companyId: ref.companyId,
    mmp: 'appsflyer',
    outcome: 'stored',
    reason: '',
    clickId: 'a-click',
    parameters: '{}',
    campaignId: '',
    trackingLinkId: '',
    touchpoint: 'click',
    partnerReason: '',
    test: false,
    namedAppId: '',
    event: null,
  } as const;
  await storePostbacks(clickhouse, [row]);
  expect([...(await storedOutcomes(clickhouse, [row])).keys()]).toEqual([row.id]);
  expect([...(await countedClickIds(clickhouse, [row]))]).toEqual(['a-click']);
});
