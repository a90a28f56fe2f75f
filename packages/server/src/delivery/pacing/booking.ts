import type { Database } from '../../platform/postgres/client.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { impressionMicros } from '../auction/price.ts';
import { chargesAt } from '../events/price.ts';
import type { SpendBooking } from '../events/spend-booking.ts';
import { bookBatches } from './lease-store.ts';
import type { BidOutcome, Spend } from './leases.ts';
import { tagOf } from './leases.ts';

/** The booking of this process, which its bidder listens to. */
export interface Booking extends SpendBooking {
  /** Makes a bidder of this process hear of its bids' outcomes as soon as they are booked. */
  listen(bidderId: string, listener: (outcome: BidOutcome) => void): void;
}

export function createBooking(db: Database): Booking {
  const listeners = new Map<string, (outcome: BidOutcome) => void>();
  const marked = new Set<string>();
  const finished = new Set<string>();
  const isOurs = ({ bidId }: BidOutcome) => listeners.has(tagOf(bidId));
  return {
    async book(batches) {
      const read = batches.map(({ batch, events }) => ({ batch, ...readEvents(events) }));
      const due = read
        .map(({ outcomes, ...rest }) => ({
          ...rest,
          outcomes: outcomes.filter((outcome) => !isOurs(outcome)),
        }))
        .filter(({ spends, outcomes }) => spends.length > 0 || outcomes.length > 0);
      if (due.length > 0) {
        const past = [...finished];
        await bookBatches(db, due, past);
        for (const batch of past) finished.delete(batch);
        for (const { batch } of due) marked.add(batch);
      }
      for (const { outcomes } of read)
        for (const outcome of outcomes) listeners.get(tagOf(outcome.bidId))?.(outcome);
    },
    booked(batches) {
      // What booked nothing left no mark behind.
      for (const batch of batches) if (marked.delete(batch)) finished.add(batch);
    },
    listen: (bidderId, listener) => void listeners.set(tagOf(bidderId), listener),
  };
}

/** What events spent, an entry for each ad set, and which bids they ended. Test bids neither spend nor hold money. */
export function readEvents(events: readonly DeliveryEvent[]): { spends: Spend[]; outcomes: BidOutcome[] } {
  const spends = new Map<string, Spend>();
  const outcomes: BidOutcome[] = [];
  for (const { kind, ref, spendMicros } of events) {
    if (ref.test) continue;
    const { adsetId, companyId, bidId } = ref;
    const held = { adsetId, micros: impressionMicros(ref.bidCpmMicros) };
    if (kind === 'loss') outcomes.push({ bidId, charged: false, held });
    if (!chargesAt(ref.chargeOn, kind)) continue;
    // Of the events that may charge a bid one does.
    outcomes.push({ bidId, charged: true, ...(spendMicros > 0 && { held }) });
    const spend = spends.get(adsetId);
    if (spend) spend.micros += spendMicros;
    else spends.set(adsetId, { adsetId, companyId, micros: spendMicros });
  }
  return { spends: [...spends.values()], outcomes };
}
