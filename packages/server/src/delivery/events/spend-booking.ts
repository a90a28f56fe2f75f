import type { DeliveryEvent } from '../model/event.ts';

/** A batch of the event log. */
export interface BatchOfEvents {
  batch: string;
  events: readonly DeliveryEvent[];
}

/** Books spend where all bidders see it, before the events that spent it can be queried. */
export interface SpendBooking {
  /** Books batches of events, each once however often it comes. Throws when the database is away. */
  book(batches: readonly BatchOfEvents[]): Promise<void>;
  /** These batches are stored and cannot come again. */
  booked(batches: readonly string[]): void;
}
