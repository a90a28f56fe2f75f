import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { appendTo } from '../../platform/group-by.ts';
import { DeduplicationWindow } from '../event-log/deduplication-window.ts';
import { type EventRow, monthOf } from '../event-store/event-store.ts';
import type { BatchOfEvents, SpendBooking } from '../event-log/spend-booking.ts';
import type { WriteAheadLogOptions } from '../event-log/write-ahead-log.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { decide, remember } from './decide.ts';
import { type EventTable, fillWindows } from './event-table.ts';
import type { LogOwnership } from './log-ownership.ts';
import type { Round } from './ownership.ts';
import { type Ingest, type IngestOptions, openIngest } from '../event-log/ingest.ts';

/** Dependencies of a {@link createLocalCounter}. */
interface LocalCounterDeps {
  table: EventTable;
  booking: Pick<SpendBooking, 'book' | 'booked'> | null;
  log: Logger;
  now: () => Date;
  /** Called with events of this process's life, once they are stored. */
  onCounted: (events: readonly DeliveryEvent[]) => void;
  /** Ownership of the log; null where no other process can count events, and the event table is in this process. */
  ownership?: Pick<LogOwnership, 'fence' | 'lastRound' | 'check'> | null;
}

/** Counts the events of this process's log. */
interface LocalCounter {
  /** Counts segments of the log: spend in one transaction, then one insert. Repeated by the log until it succeeds. */
  load: WriteAheadLogOptions['load'];
  /** Reads the recent events for deduplication; until then every event is looked up. */
  fill(): Promise<void>;
  /** Pairs in the deduplication window. */
  pairs(): number;
}

/** Creates the counter of a single tracker: its log takes the place of the event stream, in one partition. */
export function createLocalCounter(deps: LocalCounterDeps): LocalCounter {
  const { table, booking, now, log, ownership = null } = deps;
  /** The round whose insert may still arrive; undefined while it is not known which one that is. */
  let doubtful: Round | null | undefined = ownership ? undefined : null;
  const window = new DeduplicationWindow(now().getTime());
  return {
    async load(segments) {
      window.expire(now().getTime());
      if (doubtful === undefined) doubtful = ownership?.lastRound() ?? null;
      // The look-ups after it see all that this round will ever store.
      if (doubtful) await table.fence(doubtful);
      doubtful = null;
      const batches = segments.map((segment) => ({ ...segment, window }));
      const { rows, unreadable } = await decide(table, batches);
      const missing = rows.filter(({ isStored }) => !isStored);
      // The spend of stored events was booked before they were stored.
      const round = ownership && {
        id: uuidv4(),
        months: [...new Set(missing.map(({ event }) => monthOf(event)))],
      };
      await booking?.book(byBatch(missing), (round && ownership?.fence(round)) ?? undefined);
      doubtful = round;
      await table.insert(missing, round ? { round } : undefined);
      // The next owner has fenced this round, whose insert then stored nothing.
      await ownership?.check();
      doubtful = null;
      booking?.booked(segments.map(({ batch }) => batch));
      remember(batches, rows);
      const recovered = new Set(segments.flatMap((segment) => (segment.recovered ? [segment.batch] : [])));
      const counted = rows.filter(({ batch }) => !recovered.has(batch));
      if (counted.length > 0) deps.onCounted(counted.map(({ event }) => event));
      return { unreadable: [...unreadable.keys()] };
    },
    async fill() {
      await fillWindows(table, new Map([[0, window]]), 1, now().getTime()).catch((err: unknown) => {
        log.error({ err }, 'recent events could not be read; every event is looked up in ClickHouse');
        throw err;
      });
    },
    pairs: () => window.size,
  };
}

function byBatch(rows: readonly EventRow[]): BatchOfEvents[] {
  const batches = new Map<string, DeliveryEvent[]>();
  for (const { batch, event } of rows) appendTo(batches, batch, event);
  return [...batches].map(([batch, events]) => ({ batch, events }));
}

/** Options of {@link openLocalEvents}. */
interface LocalEventsOptions extends LocalCounterDeps, Omit<IngestOptions, 'sink'> {
  /** Runs the part of the start that queries ClickHouse: at once, or once it is available again. */
  recover: (work: () => Promise<void>) => Promise<unknown>;
}

/** Longest wait of the start for the deduplication window to be filled; until then duplicates are looked up. */
const FILL_WAIT_MS = 2000;
/** Each insert makes parts in the table and its aggregates, which ClickHouse merges: few large ones take less time. */
const INSERT_EVERY_MS = 1000;

/**
 * Opens the event log of a tracker that counts its own events, and counts the events that an earlier process left
 * there.
 */
export async function openLocalEvents(
  options: LocalEventsOptions,
): Promise<{ ingest: Ingest; counter: LocalCounter }> {
  const counter = createLocalCounter(options);
  const opened = await openIngest({
    ...options,
    sink: {
      load: counter.load,
      loadEveryMs: INSERT_EVERY_MS,
      // `load` returns once the events are counted.
      checkpoint: async () => async () => true,
      flushed: async () => {},
    },
  });
  // Until the window is filled, all events are looked up.
  let filling = Promise.resolve();
  const recovering = options.recover(async () => {
    await opened.recovered;
    await (filling = counter.fill());
  });
  recovering.catch(() => {});
  await Promise.race([recovering, after(FILL_WAIT_MS)]);
  const ingest = {
    ...opened,
    async close() {
      await opened.close();
      await filling.catch(() => {});
    },
  };
  return { ingest, counter };
}

async function after(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
