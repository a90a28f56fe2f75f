import type { Db } from '../../platform/postgres/transaction.ts';
import type { DeliveryEvent } from '../model/event.ts';

/** A batch of the event log. */
export interface BatchOfEvents {
  batch: string;
  events: readonly DeliveryEvent[];
}

/** A step of the booking's transaction; a throw rolls it back. */
export type Fence = (db: Db) => Promise<void>;

/** Books spend for all bidders, before its events can be queried. Throws when the database is unavailable. */
export interface SpendBooking {
  /** Books batches of the local event log; idempotent for each batch. */
  book(batches: readonly BatchOfEvents[], fence?: Fence): Promise<void>;
  /** Reports batches that are stored and will not be repeated. */
  booked(batches: readonly string[]): void;
  /**
   * Books events of the event stream. `fence` records in the same transaction how far the stream is booked. `repeated`
   * are events that an earlier transaction booked; the bidder of this process is notified of them again.
   */
  bookRound(
    events: readonly DeliveryEvent[],
    repeated: readonly DeliveryEvent[],
    fence: Fence,
  ): Promise<void>;
}
