import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import type { DeliveryEvent } from '../model/event.ts';
import { EventFile } from './event-file.ts';
import { insertEvents } from '../event-store/event-store.ts';
import { sampleRef } from '../trackers/sample-ref.ts';

const app = await testApp();
const { clickhouse, config } = app.ctx;

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
    'select * except batch from events where batch = {batch:UUID} order by seq',
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
