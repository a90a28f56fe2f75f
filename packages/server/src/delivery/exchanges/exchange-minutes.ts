import type { DeliveryEvent } from '../model/event.ts';
import { type BidCounters, BidCounts } from './bid-counts.ts';
import { EventCounts } from './event-counts.ts';

export const MINUTE_MS = 60_000;
/** Minutes that stay in memory, so that late events and what could not be stored are added to them. */
const RETAINED_MINUTES = 15;
/** How often counts are taken, ms: those of a turn belong to the minute in which it began. */
export const TAKE_EVERY_MS = 10_000;

/** What a process has counted of an exchange in a minute. */
export interface ExchangeMinute {
  exchange: string;
  /** Start of the minute, Unix ms. */
  minuteMs: number;
  bids: BidCounts;
  events: EventCounts;
}

interface Retained extends ExchangeMinute {
  isStored: boolean;
}

/** The counts of a process by exchange and minute. Their number is bounded by that of exchanges. */
export class ExchangeMinutes {
  readonly #now: () => Date;
  /** By exchange and minute, the first counted first. */
  readonly #minutes = new Map<string, Retained>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Takes what was counted in the last {@link TAKE_EVERY_MS}. */
  take(counters: BidCounters): void {
    const atMs = this.#now().getTime() - TAKE_EVERY_MS / 2;
    counters.take((slug, counts) => this.#at(slug, atMs).bids.add(counts));
  }

  /** Counts events in the minutes in which they arrived. */
  count(events: readonly DeliveryEvent[]): void {
    for (const event of events)
      if (!event.ref.test) this.#at(event.ref.exchange, event.atMs).events.count(event);
  }

  /**
   * Marks all minutes as stored while `store` runs, which gets those that are not, and again as not stored where it
   * fails. Evicts old minutes.
   */
  async save(store: (minutes: readonly ExchangeMinute[]) => Promise<void>): Promise<void> {
    const unsaved = [...this.#minutes.values()].filter(({ isStored }) => !isStored);
    for (const minute of unsaved) minute.isStored = true;
    try {
      if (unsaved.length > 0) await store(unsaved);
    } catch (error) {
      for (const minute of unsaved) minute.isStored = false;
      throw error;
    } finally {
      this.#evict();
    }
  }

  #at(exchange: string, atMs: number): ExchangeMinute {
    const nowMs = this.#now().getTime();
    const oldestMs = nowMs - (RETAINED_MINUTES - 1) * MINUTE_MS;
    const minuteMs = Math.floor(Math.max(oldestMs, Math.min(atMs, nowMs)) / MINUTE_MS) * MINUTE_MS;
    const key = `${exchange} ${minuteMs}`;
    let minute = this.#minutes.get(key);
    if (!minute) {
      minute = { exchange, minuteMs, bids: new BidCounts(), events: new EventCounts(), isStored: false };
      this.#minutes.set(key, minute);
    }
    minute.isStored = false;
    return minute;
  }

  /** Minutes that were never stored are lost here; nothing waits for a silent database. */
  #evict(): void {
    const beforeMs = this.#now().getTime() - RETAINED_MINUTES * MINUTE_MS;
    for (const [key, { minuteMs }] of this.#minutes) if (minuteMs < beforeMs) this.#minutes.delete(key);
  }
}
