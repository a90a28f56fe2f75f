import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { MemoryEngines } from '@bidwell/testing/pacing/memory-counting';
import { encodeEvent } from '../event-log/event-record.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { SpendBooking } from '../event-log/spend-booking.ts';
import type { LoggedSegment } from '../event-log/write-ahead-log.ts';
import type { EventTable } from './event-table.ts';
import { createLocalCounter } from './local-counter.ts';
import { ownLog } from './log-ownership.ts';

const log = pino({ level: 'silent' });
const booking: Pick<SpendBooking, 'book' | 'booked'> = {
  book: async (_batches, fence) => fence?.(undefined as never),
  booked: () => {},
};

/** The counter of the only tracker of a database. */
async function counterOn(engines: MemoryEngines, table: EventTable = engines.table) {
  const store = engines.store(uuidv4());
  const ownership = await ownLog(store, { log, isReady: () => true, lost: () => {} });
  onTestFinished(() => ownership.stop());
  const now = () => new Date();
  return { ownership, ...createLocalCounter({ table, booking, ownership, log, now, onCounted: () => {} }) };
}

/** An event table in which the next insert seems to fail, and arrives when `arrive` is called. */
function lateTable(engines: MemoryEngines): { table: EventTable; arrive: () => Promise<void> } {
  const arrive = engines.holdInsert();
  let late: Promise<void> | undefined;
  const table: EventTable = {
    ...engines.table,
    async insert(rows, options) {
      if (late) return engines.table.insert(rows, options);
      late = engines.table.insert(rows, options);
      throw new Error('ClickHouse did not answer');
    },
  };
  return {
    table,
    async arrive() {
      arrive();
      await late;
    },
  };
}

const event = deliveryEvent(sampleRef(), 'win');
const segment: LoggedSegment = {
  batch: uuidv4(),
  records: [encodeEvent(event)],
  recovered: false,
  doubtful: false,
};
const again = [{ ...segment, doubtful: true }];

test('an insert that seemed to fail and arrives late stores nothing twice', async () => {
  const engines = new MemoryEngines(1);
  const { table, arrive } = lateTable(engines);
  const counter = await counterOn(engines, table);
  await expect(counter.load([segment])).rejects.toThrow('ClickHouse');
  await counter.load(again);
  await arrive();
  expect(engines.rows).toHaveLength(1);
});

test('that holds for an insert of the process before, too', async () => {
  const engines = new MemoryEngines(1);
  const { table, arrive } = lateTable(engines);
  const former = await counterOn(engines, table);
  await expect(former.load([segment])).rejects.toThrow('ClickHouse');
  await former.ownership.stop();
  const next = await counterOn(engines);
  await next.load([{ ...segment, recovered: true, doubtful: true }]);
  await arrive();
  expect(engines.rows).toHaveLength(1);
});

test('a tracker that was frozen while another took over does not take its insert for stored', async () => {
  const engines = new MemoryEngines(1);
  const former = await counterOn(engines);
  const arrive = engines.holdInsert();
  const loading = former.load([segment]);
  const failed = expect(loading).rejects.toThrow('another process');
  await new Promise((next) => setImmediate(next));
  engines.nowMs += 6000;
  const next = await counterOn(engines);
  await next.load([{ ...segment, batch: uuidv4(), records: [encodeEvent({ ...event, ref: sampleRef() })] }]);
  arrive();
  await failed;
  expect(engines.rows.map(({ event: stored }) => stored.ref.bidId)).not.toContain(event.ref.bidId);
});
