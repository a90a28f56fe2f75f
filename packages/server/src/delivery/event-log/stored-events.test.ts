import { v4 as uuidv4 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { openLocalIngest } from '@bidwell/testing/local-ingest';
import { testApp } from '@bidwell/testing/test-app';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import {
  fenceInsert,
  historyOfDay,
  insertEvents,
  storedByBid,
  storedEventsOf,
} from '../event-store/event-store.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { createStoredEvents } from './stored-events.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { EventFile } from './event-file.ts';

const app = await testApp();
const { clickhouse, config } = app.ctx;

async function openTracker() {
  return openLocalIngest({
    clickhouse,
    dataDir: `${config.dataDir}/stored-events`,
    now: () => new Date(),
  });
}

test('an insert that was fenced stores nothing in those months, and one that came before the fence stays', async () => {
  const row = (atMs: number) => ({
    event: deliveryEvent(sampleRef(), 'click', { atMs }),
    batch: uuidv4(),
    seq: 0,
  });
  const [early, march, april] = [Date.UTC(2026, 2, 3), Date.UTC(2026, 2, 31), Date.UTC(2026, 3, 1)].map(row);
  const [before, after] = [uuidv4(), uuidv4()];
  await insertEvents(clickhouse, [early!], { token: before });
  await fenceInsert(clickhouse, before, ['2026-03']);
  await fenceInsert(clickhouse, after, ['2026-03']);
  await insertEvents(clickhouse, [march!, april!], { token: after });
  const stored = await storedByBid(
    clickhouse,
    [early, march, april].map((each) => each!.event.ref.bidId),
  );
  expect([...stored.keys()].toSorted()).toEqual(
    [early, april].map((each) => each!.event.ref.bidId).toSorted(),
  );
});

test('the events of a bid are found without reading the events of other bids', async () => {
  const ref = sampleRef();
  await insertEvents(clickhouse, [{ event: deliveryEvent(ref, 'click'), batch: uuidv4(), seq: 0 }]);
  // Events of other bids, made years before and after.
  await clickhouse.command(
    `insert into events (time, kind, company_id, bid_id) select now64(3), 'impression', toUUID('00000000-0000-0000-0000-000000000001'), reinterpretAsUUID(number)
     from numbers(100000)`,
  );
  const limited: ClickHouse = {
    ...clickhouse,
    query: async (sql, params, format, settings) =>
      clickhouse.query(sql, params, format, { ...settings, max_rows_to_read: 50_000 }),
  };
  expect([...(await storedByBid(limited, [ref.bidId])).keys()]).toEqual([ref.bidId]);
  expect(await storedEventsOf(limited, [ref], ['click'])).toHaveLength(1);
});

test('an event is found as soon as it is acknowledged, with its flag; another bid has none', async () => {
  const ingest = await openTracker();
  const [ref, other] = [sampleRef(), sampleRef()];
  const atMs = Date.now() - 5000;
  await ingest.record(deliveryEvent(ref, 'click', { atMs, mark: 'bot' }));
  await ingest.record(deliveryEvent(ref, 'impression'));
  const found = await createStoredEvents(clickhouse, ingest).find([ref, other], ['click', 'install']);
  expect([...found]).toEqual([
    [ref.bidId, [{ bidId: ref.bidId, kind: 'click', atMs, mark: 'bot', untrained: '' }]],
  ]);
  await ingest.close();
});

test('an install keeps the reason why it is excluded from learning', async () => {
  const ingest = await openTracker();
  const ref = sampleRef();
  await ingest.record(deliveryEvent(ref, 'install', { untrained: 'too_fast' }));
  const found = await createStoredEvents(clickhouse, ingest).find([ref], ['install']);
  expect(found.get(ref.bidId)).toMatchObject([{ kind: 'install', untrained: 'too_fast' }]);
  await ingest.close();
});

test('while ClickHouse is unavailable a look-up fails instead of reporting no event', async () => {
  const failingQuery = vi.fn().mockRejectedValue(new Error('connection refused'));
  const storedEvents = createStoredEvents(
    { ...clickhouse, query: failingQuery },
    { flushed: async () => {} },
  );
  await expect(storedEvents.find([sampleRef()], ['click'])).rejects.toThrow('connection refused');
});

test('after a restart, bots, implausible installs and reversed installs are excluded from learning', async () => {
  const ingest = await openTracker();
  const adset = { adsetId: sampleRef().adsetId, companyId: sampleRef().companyId };
  const bid = () => sampleRef(adset);
  for (let count = 0; count < 30; count += 1) {
    const [marked, forged, rejected] = [bid(), bid(), bid()];
    await ingest.record(deliveryEvent(marked, 'click', { mark: 'bot' }));
    await ingest.record(deliveryEvent(marked, 'install', { mark: 'bot' }));
    await ingest.record(deliveryEvent(forged, 'install', { untrained: 'too_fast' }));
    await ingest.record(deliveryEvent(rejected, 'install'));
    await ingest.record(deliveryEvent(rejected, 'install_rejected'));
  }
  await ingest.record(deliveryEvent(bid(), 'impression'));
  await ingest.flushed();
  await ingest.close();
  const history = await historyOfDay(clickhouse, Date.now());
  const own = history.filter(({ adsetId }) => adsetId === adset.adsetId);
  expect(own).toMatchObject([{ ...adset, impressions: 1, clicks: 0, installs: 0 }]);
});

const ref = sampleRef({ valueCpmMicros: 5_000_000, marginBasisPoints: 2500, durationMs: 15_000, test: true });
const plain = { atMs: 1_765_432_109_876, ref, spendMicros: 0, lossReason: 0, mark: '' } as const;
const events: readonly DeliveryEvent[] = [
  {
    ...plain,
    kind: 'billing',
    spendMicros: 4321,
    marginMicros: 864,
    priceFault: 'not_a_number',
    priceText: '5,00',
  },
  { ...plain, kind: 'loss', lossReason: 102, minToWinCpmMicros: 4_400_001 },
  { ...plain, kind: 'install', mark: 'bot', untrained: 'too_fast' },
  {
    ...plain,
    kind: 'app_event',
    app: {
      name: 'purchase',
      revenueMicros: -4_990_001,
      amount: '-4.59',
      currency: 'EUR',
      eventAtMs: 1_765_432_100_001,
      installAtMs: 1_765_400_000_000,
      isAdRevenue: true,
      clickBidId: ref.bidId,
    },
  },
  { ...plain, kind: 'click', ref: { ...ref, bundle: 'com.another', test: false } },
];

/** All columns of the stored events of a batch. */
async function rowsOf(batch: string) {
  const rows = await clickhouse.query<Record<string, unknown>>(
    'select * except (batch, stored_at) from events where batch = {batch:UUID} order by seq',
    { batch },
  );
  expect(rows).toHaveLength(events.length);
  return rows;
}

test('the insert from a file stores the same rows as the insert of single events', async () => {
  const [single, file] = [uuidv4(), uuidv4()];
  const rows = (batch: string) => events.map((event, seq) => ({ event, batch, seq }));
  await insertEvents(clickhouse, rows(single));
  const written = new EventFile();
  for (const row of rows(file)) written.add(row);
  await written.insert(clickhouse, config.dataDir);
  const stored = await rowsOf(single);
  expect(await rowsOf(file)).toEqual(stored);
  // The price that would have won includes the margin.
  expect(stored[1]).toMatchObject({ loss_reason: 102, min_to_win_cpm_micros: 5_500_001 });
  expect(stored[3]).toMatchObject({ event_name: 'purchase', revenue_micros: -4_990_001, revenue_known: 1 });
});
