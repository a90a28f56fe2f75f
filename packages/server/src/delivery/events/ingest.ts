import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { SpendBooking } from './spend-booking.ts';
import { sharesCharge } from './claims.ts';
import { createEventLoader } from './event-loader.ts';
import { encodeEvent } from './event-record.ts';
import { countSince, readStoredPairs } from './event-store.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { CHARGE_INDEX, INSTALL_KINDS, kindIndexOf } from '../model/event.ts';
import { BUCKET_MS, DeduplicationWindow, uuidTimeMs } from './deduplication-window.ts';
import type { IntakeError } from './intake.ts';
import { watchIntake } from './intake.ts';
import { openWriteAheadLog } from './write-ahead-log.ts';

/** Longest age of a bid at which its events are accepted, in days. */
const LATENESS_DAYS = 7;
export const INSTALL_LATENESS_DAYS = 30;
const DAY_MS = 86_400_000;
const EXPIRE_EVERY_MS = 60_000;

/** Longest wait of the start for the deduplication window to be filled; until then duplicates are looked up. */
const FILL_WAIT_MS = 2000;
/** Above this many stored events the window is filled in steps, the newest first. */
const FILL_AT_ONCE = 4_000_000;

export type Outcome = 'stored' | 'duplicate' | 'expired';

/** Intake of all events: an acknowledged event is stored, and counted exactly once. */
export interface Ingest {
  /**
   * Resolves when the event is on disk, or was before (`duplicate`, also only once the first one is on disk). An event of
   * a bid that is too old is `expired`. A repeated event of a bid outside the deduplication window may be answered
   * `stored`; it is dropped when its batch is loaded. Throws Unavailable when the log is full or the disk fails.
   */
  record(event: DeliveryEvent): Promise<Outcome>;
  /** Calls `listener` once for each stored event, after it is on disk and known to be the first of its kind. */
  onStored(listener: (event: DeliveryEvent) => void): void;
  /** Resolves when all acknowledged events can be queried. */
  flushed(): Promise<void>;
  /** The reason to stop bidding because this log may have no room for the notices; null for none. */
  fault(): IntakeError | null;
  /** State for metrics and operators. */
  state(): { waitingBytes: number; damagedSegments: number; rememberedPairs: number };
  close(): Promise<void>;
}

export interface IngestOptions {
  clickhouse: ClickHouse;
  /** Database shared by several trackers; null where this is the only process. */
  claims?: Database | null;
  dataDir: string;
  log: Logger;
  now: () => Date;
  /** Books spend before its events can be queried; called again for a batch until it is stored. */
  booking?: Pick<SpendBooking, 'book' | 'booked'> | null;
  /** Runs the part of the start that queries ClickHouse: at once, or once it is available again. */
  recover?: (work: () => Promise<void>) => Promise<unknown>;
  /** Bytes that may wait on disk before events are rejected. */
  bytesMax?: number;
}

/**
 * Opens the event log under `dataDir`, and stores what an earlier process acknowledged but did not store. The (bid, kind)
 * pairs of the last two hours' bids are in memory and identify duplicates at once; other events are looked up when their
 * batch is loaded. While the event database is unavailable, all are looked up.
 */
export async function openIngest(options: IngestOptions): Promise<Ingest> {
  const { clickhouse, now, log } = options;
  const window = new DeduplicationWindow(now().getTime());
  const listeners: ((event: DeliveryEvent) => void)[] = [];
  const notifyListeners = (event: DeliveryEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const folder = join(options.dataDir, 'event-log');
  let damagedSegments = 0;
  const wal = await openWriteAheadLog({
    folder,
    ...(options.bytesMax !== undefined && { bytesMax: options.bytesMax }),
    load: createEventLoader({
      clickhouse,
      claims: options.claims ?? null,
      booking: options.booking ?? null,
      onVerified: notifyListeners,
    }),
    onLoadError: (err) =>
      log.error(
        { err },
        'events could not be stored in ClickHouse; they stay in the event log and are retried',
      ),
    onDamage(damaged) {
      log.error(
        damaged,
        'a segment of the event log is damaged; its intact records are stored and the file is quarantined',
      );
      damagedSegments += 1;
    },
  });
  const intake = watchIntake(wal, folder);
  // Until the window is filled, all events are looked up.
  let filling = Promise.resolve();
  const recover = options.recover ?? ((work: () => Promise<void>) => work());
  const recovering = recover(async () => {
    await wal.recovered;
    await (filling = fillWindow(clickhouse, window, now().getTime()));
  });
  await Promise.race([recovering, after(FILL_WAIT_MS)]);
  recovering.catch((err: unknown) =>
    log.error({ err }, 'recent events could not be read; every event is looked up in ClickHouse'),
  );
  const pending = new Map<string, Promise<void>>();
  let expiredAtMs = 0;

  return {
    async record(event) {
      const nowMs = now().getTime();
      const { bidId } = event.ref;
      if (isExpired(event, nowMs)) return 'expired';
      if (Math.abs(nowMs - expiredAtMs) > EXPIRE_EVERY_MS) {
        expiredAtMs = nowMs;
        window.expire(nowMs);
      }
      const kindIndex = kindIndexOf(event.kind);
      const key = `${bidId}${kindIndex}`;
      if (!window.add(bidId, kindIndex)) {
        await pending.get(key);
        return 'duplicate';
      }
      const isCharged = sharesCharge(event);
      const isFirst = !isCharged || window.add(bidId, CHARGE_INDEX);
      const accepted = isFirst ? event : { ...event, spendMicros: 0 };
      const unverified = !window.covers(bidId);
      const stored = wal.append(encodeEvent({ event: accepted, unverified }));
      pending.set(key, stored);
      try {
        await stored;
      } catch (error) {
        window.remove(bidId, kindIndex);
        if (isCharged && isFirst) window.remove(bidId, CHARGE_INDEX);
        throw error;
      } finally {
        pending.delete(key);
      }
      if (!unverified) notifyListeners(accepted);
      return 'stored';
    },
    onStored: (listener) => void listeners.push(listener),
    flushed: () => wal.flushed(),
    fault: () => intake.fault(),
    state: () => ({ waitingBytes: wal.waiting().bytes, damagedSegments, rememberedPairs: window.size }),
    async close() {
      intake.stop();
      await wal.close();
      await filling.catch(() => {});
    },
  };
}

/** Whether a bid is too old for an event of this kind, or more than a day in the future. */
function isExpired({ kind, ref }: DeliveryEvent, nowMs: number): boolean {
  const days = INSTALL_KINDS.includes(kind) ? INSTALL_LATENESS_DAYS : LATENESS_DAYS;
  const ageMs = nowMs - uuidTimeMs(ref.bidId);
  return ageMs > days * DAY_MS || ageMs < -DAY_MS;
}

/** Fills the window with the stored events of its bids, the newest first where they are more than it holds. */
async function fillWindow(clickhouse: ClickHouse, window: DeduplicationWindow, nowMs: number): Promise<void> {
  const { floorMs } = window;
  // A bidder's clock may be ahead of this one.
  let beforeMs = nowMs + DAY_MS + BUCKET_MS;
  const stored = await countSince(clickhouse, floorMs);
  if (stored === 0) return window.coverFrom(floorMs);
  window.expect(stored);
  const stepMs = stored > FILL_AT_ONCE ? BUCKET_MS : beforeMs - floorMs;
  const newestMs = Math.max(floorMs, Math.ceil(nowMs / BUCKET_MS) * BUCKET_MS - stepMs);
  for (let fromMs = newestMs; fromMs >= window.floorMs; fromMs -= stepMs) {
    await readStoredPairs(clickhouse, { fromMs, beforeMs }, (bid, kindIndex) =>
      window.addWords(bid, kindIndex),
    );
    window.coverFrom(fromMs);
    beforeMs = fromMs;
  }
}

async function after(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
