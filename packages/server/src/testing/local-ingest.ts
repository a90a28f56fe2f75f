import { pino } from 'pino';
import type { CountedEvents } from '../delivery/counting/counted-events.ts';
import { countedEvents } from '../delivery/counting/counted-events.ts';
import { eventTable } from '../delivery/counting/event-table.ts';
import { openLocalEvents } from '../delivery/counting/local-events.ts';
import type { Ingest } from '../delivery/event-log/ingest.ts';
import type { ClickHouse } from '../platform/clickhouse/client.ts';

/** Opens the event log of a tracker that counts its own events, without spend. `now` is its clock. */
export async function openLocalIngest(options: {
  clickhouse: ClickHouse;
  dataDir: string;
  now: () => Date;
  recover?: (work: () => Promise<void>) => Promise<unknown>;
}): Promise<Ingest & CountedEvents> {
  const { announce, onCounted } = countedEvents();
  const { ingest } = await openLocalEvents({
    ...options,
    table: eventTable(options.clickhouse),
    booking: null,
    log: pino({ level: 'silent' }),
    recover: options.recover ?? ((work) => work()),
    onCounted: announce,
  });
  return { ...ingest, onCounted };
}
