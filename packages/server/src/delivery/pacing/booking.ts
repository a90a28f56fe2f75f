import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../../platform/postgres/client.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { invariant } from '../../platform/invariant.ts';
import { impressionMicros } from '../auction/price.ts';
import { chargesAt } from '../trackers/price.ts';
import type { SpendBooking } from '../event-log/spend-booking.ts';
import { bookBatches, bookOnce } from './lease-store.ts';
import { type BidOutcome, type Spend, accountKey, tagOf } from './leases.ts';

/** Books the spend of events, and notifies bidders. */
export interface Booking extends SpendBooking {
  /** Calls `listener` with the outcomes of a bidder's bids as soon as they are booked in this process. */
  listen(bidderId: string, listener: (outcome: BidOutcome) => void): void;
  /**
   * Calls `listener` with the events by which bids of ad sets with frequency caps ended, once they are booked; those of a repeated round
   * again.
   */
  onCappedEvents(listener: (events: readonly DeliveryEvent[]) => void): void;
  /** Calls `publish` with the outcomes of the bids of other processes' bidders, once they are booked. */
  publishTo(publish: (outcomes: readonly BidOutcome[]) => void): void;
}

export function createBooking(db: Database): Booking {
  const listeners = new Map<string, (outcome: BidOutcome) => void>();
  const marked = new Set<string>();
  const finished = new Set<string>();
  let publish = (_outcomes: readonly BidOutcome[]): void => {};
  let capped = (_events: readonly DeliveryEvent[]): void => {};
  const notifyCapped = (events: readonly DeliveryEvent[]): void => {
    const ended = events.filter(isCappedOutcome);
    if (ended.length > 0) capped(ended);
  };
  const isOurs = ({ bidId }: BidOutcome) => listeners.has(tagOf(bidId));
  const notify = (outcomes: readonly BidOutcome[]): void => {
    for (const outcome of outcomes) listeners.get(tagOf(outcome.bidId))?.(outcome);
  };
  return {
    async book(batches, fence) {
      const read = batches.map(({ batch, events }) => ({ batch, ...readEvents(events) }));
      const due = read
        .map(({ outcomes, ...rest }) => ({
          ...rest,
          outcomes: outcomes.filter((outcome) => !isOurs(outcome)),
        }))
        .filter(({ spends, outcomes }) => spends.length > 0 || outcomes.length > 0);
      if (due.length > 0 || fence) {
        const past = [...finished];
        await transact(db, async (tx) => {
          await fence?.(tx.db);
          if (due.length > 0) await bookBatches(tx.db, due, past);
        });
        if (due.length > 0) for (const batch of past) finished.delete(batch);
        // A batch that is repeated was published before.
        publish(due.filter(({ batch }) => !marked.has(batch)).flatMap(({ outcomes }) => outcomes));
        for (const { batch } of due) marked.add(batch);
      }
      for (const { outcomes } of read) notify(outcomes);
      for (const { events } of batches) notifyCapped(events);
    },
    async bookRound(events, repeated, fence) {
      const { spends, outcomes } = readEvents(events);
      const theirs = outcomes.filter((outcome) => !isOurs(outcome));
      await transact(db, async (tx) => {
        await fence(tx.db);
        await bookOnce(tx.db, { batch: uuidv4(), spends, outcomes: theirs });
      });
      notify(outcomes);
      // Their other bidders take repeated ones from PostgreSQL.
      notify(readEvents(repeated).outcomes);
      notifyCapped(events);
      notifyCapped(repeated);
      publish(theirs);
    },
    booked(batches) {
      // Batches that booked nothing have no mark to delete.
      for (const batch of batches) if (marked.delete(batch)) finished.add(batch);
    },
    listen: (bidderId, listener) => void listeners.set(tagOf(bidderId), listener),
    onCappedEvents: (listener) => void (capped = listener),
    publishTo: (to) => void (publish = to),
  };
}

/** Whether an event ended a bid of an ad set with frequency caps: its impression was charged, or it was lost. */
function isCappedOutcome({ kind, ref }: DeliveryEvent): boolean {
  return ref.personKey !== undefined && !ref.test && (kind === 'loss' || chargesAt(ref.chargeOn, kind));
}

/**
 * Sums the spend of events by ad set and country, and lists the bids that they ended. Skips test bids, which neither spend nor
 * reserve money.
 */
export function readEvents(events: readonly DeliveryEvent[]): { spends: Spend[]; outcomes: BidOutcome[] } {
  const spends = new Map<string, Spend>();
  const outcomes: BidOutcome[] = [];
  let eventMicros = 0;
  for (const { kind, ref, spendMicros } of events) {
    if (ref.test) continue;
    eventMicros += spendMicros;
    const { adsetId, companyId, bidId } = ref;
    const country = ref.country === '' ? undefined : ref.country;
    const held = {
      adsetId,
      ...(country && { country }),
      micros: impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints),
    };
    if (kind === 'loss') outcomes.push({ bidId, charged: false, held });
    if (!chargesAt(ref.chargeOn, kind)) continue;
    // Only one of the events that may charge a bid has spend.
    outcomes.push({ bidId, charged: true, ...(spendMicros > 0 && { held }) });
    const key = accountKey({ adsetId, country });
    const spend = spends.get(key);
    if (spend) spend.micros += spendMicros;
    else spends.set(key, { adsetId, companyId, ...(country && { country }), micros: spendMicros });
  }
  const bookedMicros = [...spends.values()].reduce((sum, { micros }) => sum + micros, 0);
  invariant(bookedMicros === eventMicros, 'what is booked is not the spend of the events', () => ({
    bookedMicros,
    eventMicros,
    events: events.length,
  }));
  return { spends: [...spends.values()], outcomes };
}
