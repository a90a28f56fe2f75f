import { addToSum } from '../../platform/group-by.ts';
import { decodeEvent } from '../event-log/event-record.ts';
import type { EventRow } from '../event-store/event-store.ts';
import type { DeduplicationWindow } from '../event-log/deduplication-window.ts';
import { type DeliveryEvent, kindIndexOf } from '../model/event.ts';
import { BidCharges, needsPrice, rememberCharge } from './bid-charges.ts';
import type { EventTable } from './event-table.ts';

/** A batch of records to be counted: a message of the event stream, or a segment of the event log. */
export interface RecordBatch {
  /** Id of the batch, the same at each try. */
  batch: string;
  /** Its records, the same at each try. */
  records: readonly Buffer[];
  /** True when an earlier try may have stored some of it. */
  doubtful: boolean;
  /** The deduplication window of its bids. */
  window: DeduplicationWindow;
}

/** An event that counts. */
export interface CountedRow extends EventRow {
  /** An earlier try stored it. */
  isStored: boolean;
}

/** Which events of some batches count. */
export interface Decision {
  /** In the order of the batches: each pair of bid and kind once, and each bid charged once. */
  rows: CountedRow[];
  /** Batches with records that cannot be decoded, and how many these are. */
  unreadable: ReadonlyMap<string, number>;
}

/**
 * Decides which events count, and what they charge. An event is a duplicate when its pair is stored in another batch, or
 * occurs earlier in `batches`; its charge depends on the events of its bid that count before it ({@link BidCharges}). The
 * decision depends on nothing else, so that a batch that comes again is decided again the same way. What the windows do
 * not know is looked up with one query.
 */
export async function decide(table: EventTable, batches: readonly RecordBatch[]): Promise<Decision> {
  const unreadable = new Map<string, number>();
  const entries = batches.flatMap((batch) => readEntries(batch, unreadable));
  const stored = await lookUp(table, entries);
  const seen = new Set<string>();
  const charges = new BidCharges(stored);
  const rows = entries.flatMap(({ event, batch, seq, from }): CountedRow[] => {
    const { bidId } = event.ref;
    const key = `${bidId} ${event.kind}`;
    const storedIn = stored.get(bidId)?.batches.get(event.kind);
    const isStored = storedIn === batch;
    if (seen.has(key) || (!isStored && (storedIn !== undefined || isKnown(event, from)))) return [];
    seen.add(key);
    return [{ event: charges.charge(event, { batch, window: from.window, isStored }), batch, seq, isStored }];
  });
  return { rows, unreadable };
}

/** Adds stored events to the window of their batch, so that their duplicates are recognised without a query. */
export function remember(batches: readonly RecordBatch[], rows: readonly EventRow[]): void {
  const windows = new Map(batches.map(({ batch, window }) => [batch, window]));
  for (const { event, batch } of rows) {
    const window = windows.get(batch)!;
    window.add(event.ref.bidId, kindIndexOf(event.kind));
    rememberCharge(window, event);
  }
}

interface Entry extends EventRow {
  from: RecordBatch;
}

function readEntries(from: RecordBatch, unreadable: Map<string, number>): Entry[] {
  const { batch, records } = from;
  return records.flatMap((record, seq) => {
    const event = decodeEvent(record);
    if (event) return [{ event, batch, seq, from }];
    addToSum(unreadable, batch, 1);
    return [];
  });
}

function isKnown({ kind, ref }: DeliveryEvent, { window, doubtful }: RecordBatch): boolean {
  // The window may have the event from a try of this batch, which the look-up tells apart.
  return !doubtful && window.has(ref.bidId, kindIndexOf(kind));
}

async function lookUp(table: EventTable, entries: readonly Entry[]) {
  const bidIds = new Set<string>();
  for (const { event, from } of entries) {
    const { bidId } = event.ref;
    const { doubtful, window } = from;
    if (doubtful || (!isKnown(event, from) && (!window.covers(bidId) || needsPrice(event, window))))
      bidIds.add(bidId);
  }
  return bidIds.size > 0 ? table.storedByBid([...bidIds]) : new Map<string, never>();
}
