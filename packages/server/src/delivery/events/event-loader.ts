import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { BatchOfEvents, SpendBooking } from './spend-booking.ts';
import { withoutClaimedElsewhere, sharesCharge } from './claims.ts';
import { decodeEvent } from './event-record.ts';
import type { EventRow, StoredOfBid } from './event-store.ts';
import { insertEvents, storedByBid } from './event-store.ts';
import type { DeliveryEvent } from '../model/event.ts';
import type { LoggedSegment, WriteAheadLogOptions } from './write-ahead-log.ts';

export interface EventLoaderDeps {
  clickhouse: ClickHouse;
  /** Database shared by several trackers; null where this is the only process. */
  claims: Database | null;
  /** Books spend before its events can be queried. */
  booking: Pick<SpendBooking, 'book' | 'booked'> | null;
  /**
   * Called for an event that this process acknowledged unverified, once it is stored and known to be the first of its
   * kind.
   */
  onVerified: (event: DeliveryEvent) => void;
}

/** An event that is being loaded, with its position in its segment. */
interface Entry extends EventRow {
  unverified: boolean;
  recovered: boolean;
  /** Whether it may be stored already and must be looked up. */
  needsLookup: boolean;
}

/**
 * Creates the loader that stores segments of the event log in ClickHouse with one insert: each (bid, kind) once, and of
 * the events that share a charge, one charged. Events that were acknowledged unverified, and those that an earlier try
 * may have stored, are looked up in one query first. Those found are left out: their spend was booked before they were
 * stored.
 */
export function createEventLoader(deps: EventLoaderDeps): WriteAheadLogOptions['load'] {
  return async (segments) => {
    const unreadable: string[] = [];
    const entries = segments.flatMap((segment) => readEntries(segment, unreadable));
    const fresh = await withoutStored(deps.clickhouse, entries);
    const own = deps.claims ? await withoutClaimedElsewhere(deps.claims, fresh) : fresh;
    await deps.booking?.book(byBatch(own));
    await insertEvents(deps.clickhouse, own);
    deps.booking?.booked(segments.map(({ batch }) => batch));
    for (const { event, unverified, recovered } of own) if (unverified && !recovered) deps.onVerified(event);
    return { unreadable };
  };
}

function readEntries({ batch, records, recovered, doubtful }: LoggedSegment, unreadable: string[]): Entry[] {
  const entries: Entry[] = [];
  for (const [seq, record] of records.entries()) {
    const read = decodeEvent(record);
    if (read) entries.push({ ...read, batch, seq, recovered, needsLookup: read.unverified || doubtful });
    else if (unreadable.at(-1) !== batch) unreadable.push(batch);
  }
  return entries;
}

/** Leaves out stored and repeated events, and sets the spend to 0 where the bid is charged already. */
async function withoutStored(clickhouse: ClickHouse, entries: readonly Entry[]): Promise<Entry[]> {
  const lookupIds = new Set(
    entries.filter(({ needsLookup }) => needsLookup).map(({ event }) => event.ref.bidId),
  );
  const stored =
    lookupIds.size > 0 ? await storedByBid(clickhouse, [...lookupIds]) : new Map<string, StoredOfBid>();
  const seen = new Set<string>();
  const charged = new Set<string>();
  return entries.flatMap((entry) => {
    const { event } = entry;
    const { bidId } = event.ref;
    const key = `${bidId} ${event.kind}`;
    const before = stored.get(bidId);
    if (seen.has(key) || before?.kinds.includes(event.kind)) return [];
    seen.add(key);
    if (!sharesCharge(event)) return [entry];
    if (charged.has(bidId) || before?.charged) return [{ ...entry, event: { ...event, spendMicros: 0 } }];
    charged.add(bidId);
    return [entry];
  });
}

function byBatch(rows: readonly EventRow[]): BatchOfEvents[] {
  const batches = new Map<string, DeliveryEvent[]>();
  for (const { batch, event } of rows) {
    const events = batches.get(batch);
    if (events) events.push(event);
    else batches.set(batch, [event]);
  }
  return [...batches].map(([batch, events]) => ({ batch, events }));
}
