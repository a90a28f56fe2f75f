import { pino } from 'pino';
import { type CountedEvents, countedEvents } from '@bidwell/server/delivery/counting/counted-events';
import { eventTable } from '@bidwell/server/delivery/counting/event-table';
import { openLocalEvents } from '@bidwell/server/delivery/counting/local-counter';
import type { Ingest } from '@bidwell/server/delivery/event-log/ingest';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';

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
