import type { DeliveryEvent } from '../model/event.ts';

/** A batch of the event log. */
export interface BatchOfEvents {
  batch: string;
  events: readonly DeliveryEvent[];
}

/** Books spend for all bidders, before its events can be queried. */
export interface SpendBooking {
  /** Books batches of events; idempotent for each batch. Throws when the database is unavailable. */
  book(batches: readonly BatchOfEvents[]): Promise<void>;
  /** Reports batches that are stored and will not be repeated. */
  booked(batches: readonly string[]): void;
}
