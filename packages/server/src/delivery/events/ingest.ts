import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { claimed, sharesCharge } from './claims.ts';
import { storeBatch, storedPairs } from './event-store.ts';
import type { DeliveryEvent, EventKind } from './event.ts';
import { CHARGE_INDEX, EVENT_KINDS, INSTALL_KINDS, kindIndexOf } from './event.ts';
import { SeenWindow } from './seen-window.ts';
import { openWriteAheadLog } from './write-ahead-log.ts';

/** Days after the bid that an event may still come. */
export const LATENESS_DAYS = 7;
export const INSTALL_LATENESS_DAYS = 30;
const DAY_MS = 86_400_000;

export type Outcome = 'stored' | 'duplicate' | 'expired';

/** The one way in for events: an acknowledged event is a stored event, counted exactly once. */
export interface Ingest {
  /**
   * Resolves when the event is safe on disk, or was before (`duplicate`: also only once the first is safe). An event of
   * a bid that is too old is `expired`. Throws Unavailable when the log is full or the disk fails.
   */
  record(event: DeliveryEvent): Promise<Outcome>;
  /** Calls `listener` once for each stored event, after it is safe. */
  onStored(listener: (event: DeliveryEvent) => void): void;
  /** Resolves when all that was acknowledged can be queried. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the event log under `dataDir`, finishing first what an earlier process acknowledged and did not store. `claims`
 * is the state that several trackers share; null where this is the only process.
 */
export async function openIngest(options: {
  clickhouse: ClickHouse;
  claims?: Database | null;
  dataDir: string;
  log: Logger;
  now: () => Date;
  /** Is given each batch before it can be queried; the batch comes again until this and the insert have succeeded. */
  book?: (batch: string, events: readonly DeliveryEvent[]) => Promise<void>;
  /** Runs what has to ask ClickHouse at the start: at once, or when it is there again. */
  recover?: (work: () => Promise<void>) => Promise<unknown>;
}): Promise<Ingest> {
  const { clickhouse, now, book } = options;
  const wal = await openWriteAheadLog({
    folder: join(options.dataDir, 'event-log'),
    load: async (batch, records, doubtful) => {
      const events = records.map(decode);
      const own = options.claims ? await claimed(options.claims, batch, events) : events;
      await book?.(
        batch,
        own.filter((event) => event !== null),
      );
      await storeBatch(clickhouse, batch, own, doubtful);
    },
    onLoadError: (err) =>
      options.log.error({ err }, 'the event log could not be stored; it is kept and tried again'),
  });
  const windows = newWindows();
  const recover = options.recover ?? ((work: () => Promise<void>) => work());
  await recover(async () => {
    await wal.recovered;
    await rememberStored(windows, clickhouse, now().getTime());
  });
  const pending = new Map<string, Promise<void>>();
  const listeners: ((event: DeliveryEvent) => void)[] = [];
  let forgotAtMs = 0;

  return {
    async record(event) {
      const nowMs = now().getTime();
      const window = windows[event.kind];
      const { bidId } = event.ref;
      if (window.expired(bidId, nowMs)) return 'expired';
      if (nowMs - forgotAtMs > 3_600_000) {
        forgotAtMs = nowMs;
        for (const kind of EVENT_KINDS) windows[kind].forget(nowMs);
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
      const stored = wal.append(encode(accepted));
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
      for (const listener of listeners) listener(accepted);
      return 'stored';
    },
    onStored: (listener) => void listeners.push(listener),
    flushed: () => wal.flushed(),
    close: () => wal.close(),
  };
}

type Windows = Record<EventKind, SeenWindow>;

function newWindows(): Windows {
  const delivery = new SeenWindow(LATENESS_DAYS);
  const installs = new SeenWindow(INSTALL_LATENESS_DAYS);
  return Object.fromEntries(
    EVENT_KINDS.map((kind) => [kind, INSTALL_KINDS.includes(kind) ? installs : delivery]),
  ) as Windows;
}

async function rememberStored(windows: Windows, clickhouse: ClickHouse, nowMs: number): Promise<void> {
  const remember = async (days: number, kinds: readonly EventKind[]): Promise<void> => {
    // A bidder's clock may be ahead of this one by the day that `expired` forgives: the event is older than its bid.
    const sinceMs = nowMs - (days + 1) * DAY_MS;
    for await (const { bid_id, kind, charged } of storedPairs(clickhouse, sinceMs, nowMs, kinds)) {
      windows[kind].add(bid_id, kindIndexOf(kind));
      if (charged) windows[kind].add(bid_id, CHARGE_INDEX);
    }
  };
  await remember(
    LATENESS_DAYS,
    EVENT_KINDS.filter((kind) => !INSTALL_KINDS.includes(kind)),
  );
  await remember(INSTALL_LATENESS_DAYS, INSTALL_KINDS);
}

function encode(event: DeliveryEvent): Buffer {
  return Buffer.from(JSON.stringify(event));
}

/** Reads back what {@link encode} wrote: the log's checksum vouches for it. */
function decode(record: Buffer): DeliveryEvent {
  return JSON.parse(record.toString('utf8')) as DeliveryEvent;
}
