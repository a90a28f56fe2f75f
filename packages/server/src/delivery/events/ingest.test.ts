import { mkdtemp, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openClickHouse } from '../../platform/clickhouse/client.ts';
import { Unavailable } from '../../platform/errors.ts';
import { storeBatch } from './event-store.ts';
import type { BidRef, DeliveryEvent } from './event.ts';
import { openIngest } from './ingest.ts';
import { sampleRef } from './sample-ref.ts';

const HOUR_MS = 3_600_000;
const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-ingest-'));
const clickhouse = await openClickHouse({ dataDir });
afterAll(async () => {
  await clickhouse.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** An ingest over the shared tables whose clock stands at `nowMs`. */
const ingestAt = (nowMs: number) =>
  openIngest({ clickhouse, dataDir, log: pino({ level: 'silent' }), now: () => new Date(nowMs) });

const eventOf = (ref: BidRef, atMs: number): DeliveryEvent => ({
  kind: 'impression',
  atMs,
  ref,
  spendMicros: 0,
  lossReason: 0,
  mark: '',
});

async function timesStored(ref: BidRef): Promise<number> {
  const [row] = await clickhouse.query<{ times: number }>(
    'select count() as times from events where bid_id = {bid:UUID}',
    { bid: ref.bidId },
  );
  return row!.times;
}

test('a restart remembers an event whose bid was made by a clock ahead of ours', async () => {
  const bidMs = Date.now();
  const ref = sampleRef({}, bidMs);
  const early = bidMs - 23 * HOUR_MS;
  const first = await ingestAt(early);
  expect(await first.record(eventOf(ref, early))).toBe('stored');
  await first.close();
  const late = bidMs + 6.9 * 24 * HOUR_MS;
  const second = await ingestAt(late);
  expect(await second.record(eventOf(ref, late))).toBe('duplicate');
  await second.close();
  expect(await timesStored(ref)).toBe(1);
});

test('when the first write fails, its duplicate fails with it, and the next try is stored', async () => {
  const nowMs = Date.now();
  const ingest = await ingestAt(nowMs);
  const ref = sampleRef({}, nowMs);
  const handle = await open(dataDir, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const disk = vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('the disk fails'));
  onTestFinished(() => disk.mockRestore());
  const both = await Promise.allSettled([
    ingest.record(eventOf(ref, nowMs)),
    ingest.record(eventOf(ref, nowMs)),
  ]);
  for (const outcome of both) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) as unknown });
  }
  expect(await ingest.record(eventOf(ref, nowMs))).toBe('stored');
  expect(await ingest.record(eventOf(ref, nowMs))).toBe('duplicate');
  await ingest.close();
  expect(await timesStored(ref)).toBe(1);
});

test('a doubtful batch gets only the rows that the table does not have, whatever their months', async () => {
  const refs = Array.from({ length: 9 }, () => sampleRef());
  const months = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-15T12:00:00.000Z'];
  const events = refs.map((ref, index) => eventOf(ref, Date.parse(months[index % 3]!)));
  const batch = sampleRef().bidId;
  await storeBatch(clickhouse, batch, events.slice(0, 4), false);
  await storeBatch(clickhouse, batch, events, true);
  await storeBatch(clickhouse, batch, events, true);
  const rows = await clickhouse.query<{ bid_id: string; seq: number; month: number }>(
    'select bid_id, seq, toYYYYMM(time) as month from events where batch = {batch:UUID} order by seq',
    { batch },
  );
  expect(rows).toEqual(refs.map((ref, seq) => ({ bid_id: ref.bidId, seq, month: 202_601 + (seq % 3) })));
});

test('the hourly sums agree with the rows', async () => {
  const companyId = sampleRef().companyId;
  const at = Date.parse('2026-05-01T10:30:00Z');
  const events = Array.from({ length: 50 }, (_, index) => ({
    ...eventOf(sampleRef({ companyId }), at + index * 60_000),
    kind: 'billing' as const,
    spendMicros: index,
  }));
  await storeBatch(clickhouse, sampleRef().bidId, events, false);
  const byHour = await clickhouse.query<{ hour: string; events: number; spend: number }>(
    `select toStartOfHour(time) as hour, count() as events, sum(spend_micros) as spend from events
     where company_id = {companyId:UUID} group by hour order by hour`,
    { companyId },
  );
  expect(byHour.map(({ events: count, spend }) => [count, spend])).toEqual([
    [30, 435],
    [20, 790],
  ]);
});
