import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Database } from '../platform/postgres/client.ts';
import { eventTable } from './counting/event-table.ts';
import { openLocalEvents } from './counting/local-counter.ts';
import { createBooking } from './pacing/booking.ts';

/** What {@link countLeftEvents} reads and writes: the event log in DATA_DIR, and both databases. */
export interface LeftEvents {
  dataDir: string;
  eventLogMaxBytes: number;
  db: Database;
  clickhouse: ClickHouse;
  log: Logger;
}

/** Counts the events that a stopped server left in its log, as its next start would. */
export async function countLeftEvents(left: LeftEvents): Promise<void> {
  const { dataDir, eventLogMaxBytes, db, clickhouse, log } = left;
  const segments = await readdir(join(dataDir, 'event-log')).catch(() => []);
  if (segments.length === 0) return;
  const { ingest } = await openLocalEvents({
    table: eventTable(clickhouse),
    booking: createBooking(db),
    dataDir,
    bytesMax: eventLogMaxBytes,
    log,
    now: () => new Date(),
    recover: async (work) => work(),
    onCounted: () => {},
  });
  try {
    await ingest.flushed();
  } finally {
    await ingest.close();
  }
}
