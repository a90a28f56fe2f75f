import { addToSum } from '../../platform/group-by.ts';
import { decodeEvent } from '../event-log/event-record.ts';
import type { EventRow, StoredCharge, StoredOfBid } from '../event-store/event-store.ts';
import type { DeduplicationWindow } from '../event-log/deduplication-window.ts';
import {
  type DeliveryEvent,
  kindIndexOf,
  type BidRef,
  CHARGE_INDEX,
  NAMED_PRICE_INDEX,
} from '../model/event.ts';
import type { EventTable } from './event-table.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { impressionAt } from '../trackers/price.ts';
import { isEarlierBatch } from './message.ts';

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
 * decision depends on nothing else, so that a batch that comes again is decided again the same way. One query looks up
 * the pairs that the windows do not know.
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

/** Where an event comes from, for its charge. */
interface ChargeOrigin {
  batch: string;
  window: DeduplicationWindow;
  /** An earlier try stored it. */
  isStored: boolean;
}

/**
 * Charges the events of bids in their order. It sees all events of a bid, from every tracker, and looks up earlier charges
 * and named prices in the event table, so that restarts and other processes change nothing.
 *
 * An event from a device charges the bid, or the price that the exchange's server named before for that bid. If two events
 * share a charge, the first one charges; a billing notice after it charges the amount by which its price exceeds that
 * charge.
 */
class BidCharges {
  readonly #stored: ReadonlyMap<string, StoredOfBid>;
  readonly #named = new Map<string, Micros>();
  readonly #charges = new Map<string, StoredCharge>();

  /** `stored` are the events of the bids that were looked up. */
  constructor(stored: ReadonlyMap<string, StoredOfBid>) {
    this.#stored = stored;
  }

  /** The event with its charge. To be called once for each event that counts. */
  charge(event: DeliveryEvent, origin: ChargeOrigin): DeliveryEvent {
    const { ref, kind, namedCpmMicros = 0 } = event;
    if (namedCpmMicros > 0) this.#named.set(ref.bidId, Math.max(this.#namedOf(ref, origin), namedCpmMicros));
    if (event.spendMicros <= 0) return event;
    const priced = this.#confirm(event, origin);
    const before = sharesCharge(event) ? this.#chargeOf(event, origin) : null;
    if (before) return kind === 'billing' ? topUp(priced, before) : chargeNothing(priced);
    const { spendMicros, marginMicros = 0 } = priced;
    this.#charges.set(ref.bidId, { kind, spendMicros, marginMicros });
    return priced;
  }

  #confirm(event: DeliveryEvent, origin: ChargeOrigin): DeliveryEvent {
    if (!event.isUnconfirmed) return event;
    const cpmMicros = this.#namedOf(event.ref, origin);
    return cpmMicros > 0 ? withCharge(event, impressionAt(cpmMicros, event.ref)) : event;
  }

  /** The highest price that was named for the bid before; 0 for none. */
  #namedOf({ bidId }: BidRef, { batch, window }: ChargeOrigin): Micros {
    // Rows of later batches that an earlier try stored did not count when it decided this one.
    const stored = this.#stored.get(bidId)?.named.filter((named) => isEarlierBatch(named.batch, batch)) ?? [];
    return Math.max(
      this.#named.get(bidId) ?? 0,
      window.prices.get(bidId)?.namedCpmMicros ?? 0,
      ...stored.map(({ cpmMicros }) => cpmMicros),
    );
  }

  /** The charge of another event of the bid; null for none. */
  #chargeOf({ ref, kind }: DeliveryEvent, { window, isStored }: ChargeOrigin): StoredCharge | null {
    const { bidId } = ref;
    const seen = this.#charges.get(bidId);
    if (seen) return seen;
    const stored = this.#stored.get(bidId)?.charge;
    if (stored) return isStored && stored.kind === kind ? null : stored;
    if (isStored || !window.has(bidId, CHARGE_INDEX)) return null;
    // A bid is charged less only at a named price, which is remembered or looked up.
    return window.prices.get(bidId)?.charge ?? { kind, ...impressionAt(ref.bidCpmMicros, ref) };
  }
}

/** Whether another event of the same bid could charge the same money. */
function sharesCharge({ ref }: DeliveryEvent): boolean {
  return ref.chargeOn === 'first';
}

/** Whether the charge of an event depends on a price that was named before and is remembered no more. */
function needsPrice(event: DeliveryEvent, window: DeduplicationWindow): boolean {
  const { ref, spendMicros, isUnconfirmed } = event;
  if (spendMicros <= 0 || !(isUnconfirmed || sharesCharge(event))) return false;
  if (!window.has(ref.bidId, NAMED_PRICE_INDEX)) return false;
  const recent = window.prices.get(ref.bidId);
  return !recent || (recent.charge === null && window.has(ref.bidId, CHARGE_INDEX));
}

/** Remembers the charge of an event that is stored, and the price that it names. */
function rememberCharge(window: DeduplicationWindow, event: DeliveryEvent): void {
  const { ref, kind, spendMicros, marginMicros = 0, namedCpmMicros = 0, isTopUp } = event;
  if (namedCpmMicros > 0) {
    window.add(ref.bidId, NAMED_PRICE_INDEX);
    window.prices.add(ref.bidId, namedCpmMicros);
  }
  // A top-up is not remembered as a charge: a try that stored only the top-up repeats the charge.
  if (spendMicros <= 0 || isTopUp) return;
  window.add(ref.bidId, CHARGE_INDEX);
  window.prices.charged(ref.bidId, { kind, spendMicros, marginMicros });
}

/** The billing notice of a bid that is charged: it charges the amount by which its price exceeds the earlier charge. */
function topUp(event: DeliveryEvent, before: StoredCharge): DeliveryEvent {
  const spendMicros = Math.max(0, event.spendMicros - before.spendMicros);
  // Rounding may make the margin of the higher price a micro smaller.
  const marginMicros = Math.max(0, (event.marginMicros ?? 0) - before.marginMicros);
  const charged = withCharge(event, { spendMicros, marginMicros: Math.min(marginMicros, spendMicros) });
  return spendMicros > 0 ? { ...charged, isTopUp: true } : charged;
}

function chargeNothing(event: DeliveryEvent): DeliveryEvent {
  return withCharge(event, { spendMicros: 0, marginMicros: 0 });
}

function withCharge(
  event: DeliveryEvent,
  { spendMicros, marginMicros }: { spendMicros: Micros; marginMicros: Micros },
): DeliveryEvent {
  return { ...event, spendMicros, marginMicros };
}
