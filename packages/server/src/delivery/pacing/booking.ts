import type { Database } from '../../platform/postgres/client.ts';
import type { DeliveryEvent } from '../events/event.ts';
import { chargesAt } from '../events/price.ts';
import { bookBatch } from './lease-store.ts';
import type { BidOutcome, Spend } from './leases.ts';
import { tagOf } from './leases.ts';

/** Books spend where all bidders see it, before the events that spent it can be queried. */
export interface Booking {
  /** Books a batch of stored events; the same batch again changes nothing. Throws when the database is away. */
  book(batch: string, events: readonly DeliveryEvent[]): Promise<void>;
  /** Makes a bidder of this process hear of its bids' outcomes as soon as they are booked. */
  listen(bidderId: string, listener: (outcome: BidOutcome) => void): void;
}

/** Batches of one event log come one after the other: the next only once the one before cannot come again. */
export function createBooking(db: Database): Booking {
  const listeners = new Map<string, (outcome: BidOutcome) => void>();
  let before: string | null = null;
  return {
    async book(batch, events) {
      const { spends, outcomes } = readEvents(events);
      const isOurs = ({ bidId }: BidOutcome) => listeners.has(tagOf(bidId));
      const elsewhere = outcomes.filter((outcome) => !isOurs(outcome));
      if (spends.length > 0 || elsewhere.length > 0) {
        await bookBatch(db, batch, before === batch ? null : before, spends, elsewhere);
        before = batch;
      }
      for (const outcome of outcomes) listeners.get(tagOf(outcome.bidId))?.(outcome);
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
    if (kind === 'loss') outcomes.push({ bidId, charged: false });
    if (!chargesAt(ref.chargeOn, kind)) continue;
    outcomes.push({ bidId, charged: true });
    const spend = spends.get(adsetId);
    if (spend) spend.micros += spendMicros;
    else spends.set(adsetId, { adsetId, companyId, micros: spendMicros });
  }
  return { spends: [...spends.values()], outcomes };
}
