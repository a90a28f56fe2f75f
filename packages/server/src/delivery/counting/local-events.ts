import { type Ingest, type IngestOptions, openIngest } from '../event-log/ingest.ts';
import { type LocalCounter, type LocalCounterDeps, createLocalCounter } from './local-counter.ts';

/** Options of {@link openLocalEvents}. */
export interface LocalEventsOptions extends LocalCounterDeps, Omit<IngestOptions, 'sink'> {
  /** Runs the part of the start that queries ClickHouse: at once, or once it is available again. */
  recover: (work: () => Promise<void>) => Promise<unknown>;
}

/** Longest wait of the start for the deduplication window to be filled; until then duplicates are looked up. */
const FILL_WAIT_MS = 2000;
/** Each insert makes parts in the table and its aggregates, which ClickHouse merges: few large ones take less time. */
const INSERT_EVERY_MS = 1000;

/** Opens the event log of a tracker that counts its own events, and counts what an earlier process left there. */
export async function openLocalEvents(
  options: LocalEventsOptions,
): Promise<{ ingest: Ingest; counter: LocalCounter }> {
  const counter = createLocalCounter(options);
  const opened = await openIngest({
    ...options,
    sink: {
      load: counter.load,
      loadEveryMs: INSERT_EVERY_MS,
      // What it loads, it has counted.
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
