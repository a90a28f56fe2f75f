import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import { deleteExpiredClaims, takeClaims } from './claims-store.ts';
import { withoutClaimedElsewhere } from './claims.ts';
import type { BidRef, DeliveryEvent, EventKind } from '../model/event.ts';
import { openIngest } from './ingest.ts';
import type { IntakeError } from './intake.ts';
import { shareIntake } from './shared-intake.ts';
import { sampleRef } from './sample-ref.ts';

const { engines } = await testApp();
const { db, clickhouse } = engines;

const eventOf = (ref: BidRef, kind: EventKind, spendMicros = 0): DeliveryEvent => ({
  kind,
  atMs: Date.now(),
  ref,
  spendMicros,
  lossReason: 0,
  mark: '',
});

/** A tracker that shares only its databases with others. */
async function trackerProcess() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-claims-'));
  const log = pino({ level: 'silent' });
  const ingest = await openIngest({ clickhouse, claims: db, dataDir, log, now: () => new Date() });
  onTestFinished(async () => {
    await ingest.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return ingest;
}

async function storedOf(ref: BidRef) {
  return clickhouse.query<{ kind: string; spend: number }>(
    'select kind, spend_micros as spend from events where bid_id = {bid:UUID} order by kind',
    { bid: ref.bidId },
  );
}

test('an event received by two processes is stored once', async () => {
  const ref = sampleRef();
  const processes = [await trackerProcess(), await trackerProcess()];
  for (const { record } of processes) expect(await record(eventOf(ref, 'billing', 2500))).toBe('stored');
  for (const { flushed } of processes) await flushed();
  expect(await storedOf(ref)).toEqual([{ kind: 'billing', spend: 2500 }]);
});

test('a bid whose billing notice and impression reach two processes is charged once', async () => {
  const ref = sampleRef({ chargeOn: 'first' });
  const [one, other] = [await trackerProcess(), await trackerProcess()];
  await one.record(eventOf(ref, 'impression', 2500));
  await other.record(eventOf(ref, 'billing', 2500));
  await one.flushed();
  await other.flushed();
  const stored = await storedOf(ref);
  expect(stored.map(({ kind }) => kind)).toEqual(['billing', 'impression']);
  expect(stored.map(({ spend }) => spend).sort()).toEqual([0, 2500]);
});

test('a repeated batch gets the same result', async () => {
  const events = [eventOf(sampleRef(), 'win'), eventOf(sampleRef({ chargeOn: 'first' }), 'billing', 9)];
  const rowsOf = (batch: string) => events.map((event, seq) => ({ event, batch, seq }));
  const own = rowsOf(uuidv7());
  expect(await withoutClaimedElsewhere(db, own)).toEqual(own);
  expect(await withoutClaimedElsewhere(db, own)).toEqual(own);
  expect(await withoutClaimedElsewhere(db, rowsOf(uuidv7()))).toEqual([]);
});

test('claims of old bids are deleted, and no others', async () => {
  const nowMs = Date.now();
  const [old, young] = [sampleRef({}, nowMs - 1000), sampleRef({}, nowMs)];
  const claimsOf = (batch: string) => [old, young].map(({ bidId }) => ({ bidId, kindIndex: 0, batch }));
  await takeClaims(db, claimsOf(uuidv7()));
  await deleteExpiredClaims(db, nowMs);
  const claims = claimsOf(uuidv7());
  expect(await takeClaims(db, claims)).toEqual([claims[0]]);
});

test('bidding stops while one tracker fills up or none can write, and ignores stopped trackers', async () => {
  const log = pino({ level: 'silent' });
  const faults = new Map<string, IntakeError | null>([
    ['one', null],
    ['other', null],
  ]);
  const trackers = [...faults.keys()].map((name) =>
    shareIntake({ db, log, own: () => faults.get(name)!, bids: false }),
  );
  const bidder = shareIntake({ db, log, own: null, bids: true });
  onTestFinished(async () => {
    for (const { stop } of [...trackers, bidder]) await stop();
  });
  const closes = (closed: boolean) =>
    vi.waitFor(() => expect(bidder.isClosed()).toBe(closed), { timeout: 15_000, interval: 50 });
  await closes(false);
  faults.set('one', 'log_filling');
  await closes(true);
  faults.set('one', 'disk_failing');
  await closes(false);
  faults.set('other', 'disk_failing');
  await closes(true);
  await trackers[1]!.stop();
  faults.set('one', null);
  await closes(false);
});
