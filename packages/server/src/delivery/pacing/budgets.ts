import { dateAt, startOfDayMs } from '@bidwell/contract/calendar';
import type { Micros } from '@bidwell/contract/money';
import type { NoBidReason } from '../auction/reasons.ts';
import type { Candidate } from '../snapshot/types.ts';

/** Spend that was counted elsewhere: what budgets start from. */
export interface SpendTotals {
  /** Micros per ad set since ever. */
  ever: ReadonlyMap<string, Micros>;
  /** Slices fine enough to add up to any company's day. */
  recent: readonly { adsetId: string; quarterMs: number; spentMicros: Micros }[];
  /** What each company may still spend. */
  balances: ReadonlyMap<string, Micros>;
}

/** What a bid holds back until it is settled, released or has expired. */
interface Reservation {
  bidId: string;
  adsetId: string;
  companyId: string;
  micros: Micros;
  expiresAtMs: number;
}

interface AdsetSpend {
  everMicros: Micros;
  /** The company's day that `dayMicros` belongs to. */
  day: string;
  dayStartMs: number;
  dayEndMs: number;
  dayMicros: Micros;
  outstandingMicros: Micros;
}

/** How long a bid may wait for its notice before its money is free again. */
export const RESERVATION_MS = 10 * 60_000;

/** Bids that may wait for their notice at once: beyond, there is no telling what is spent. */
const RESERVATIONS_MAX = 1_000_000;

/** So many expired reservations are freed at a time: a bid must not wait for the many that a quiet hour left. */
const EXPIRIES_PER_CALL = 64;

/** The share of a day's budget that even pacing lets run ahead of the clock. */
const PACING_SLACK = 0.02;

/**
 * What ad sets have spent and what their bids still may: a bid sent counts as spent until it is settled, released or
 * expired, so that a burst of wins cannot break a budget. In memory, for the bidder of one process.
 */
export class Budgets {
  readonly #reservationsMax: number;
  readonly #adsets = new Map<string, AdsetSpend>();
  #balances = new Map<string, Micros>();
  /** What each company has spent here since the start. */
  readonly #settled = new Map<string, Micros>();
  readonly #outstanding = new Map<string, Micros>();
  /** In the order in which they expire, since all live equally long. */
  readonly #reservations = new Map<string, Reservation>();
  // Kept between calls: a new iterator would step over all that was deleted in front.
  #oldestFirst = this.#reservations.values();
  #oldest: Reservation | undefined;
  #everMicros: ReadonlyMap<string, Micros> = new Map();
  #recent = new Map<string, SpendTotals['recent'][number][]>();

  constructor(reservationsMax = RESERVATIONS_MAX) {
    this.#reservationsMax = reservationsMax;
  }

  /** Starts from what was counted elsewhere; reservations stay. */
  load(totals: SpendTotals): void {
    this.#everMicros = totals.ever;
    this.#recent = new Map();
    for (const slice of totals.recent) {
      const slices = this.#recent.get(slice.adsetId);
      if (slices) slices.push(slice);
      else this.#recent.set(slice.adsetId, [slice]);
    }
    const outstanding = new Map(
      [...this.#adsets].map(([adsetId, { outstandingMicros }]) => [adsetId, outstandingMicros]),
    );
    this.#adsets.clear();
    for (const [adsetId, outstandingMicros] of outstanding) {
      if (outstandingMicros > 0) this.#adsets.set(adsetId, { ...this.#fresh(adsetId), outstandingMicros });
    }
    this.#balances = new Map(totals.balances);
  }

  /**
   * Takes the companies' balances anew; reservations stay. What is settled while `read` runs is taken off its answer,
   * which may know of it already: too little for a moment, never too much. When `read` fails nothing has changed.
   */
  async reloadBalances(read: () => Promise<ReadonlyMap<string, Micros>>): Promise<void> {
    const before = new Map(this.#settled);
    const balances = new Map(await read());
    for (const [companyId, micros] of this.#settled) {
      const meanwhile = micros - (before.get(companyId) ?? 0);
      balances.set(companyId, (balances.get(companyId) ?? 0) - meanwhile);
    }
    this.#balances = balances;
  }

  /**
   * Why an ad set may not spend `micros` more now; null when it may. `placedMicros` is what its company is about to
   * reserve for other bids.
   */
  refusal(candidate: Candidate, micros: Micros, nowMs: number, placedMicros: Micros = 0): NoBidReason | null {
    this.#expire(nowMs);
    if (this.#reservations.size >= this.#reservationsMax) return 'overloaded';
    const spend = this.#spendOf(candidate, nowMs);
    const committed = spend.outstandingMicros + micros;
    const { dailyBudgetMicros, totalBudgetMicros, companyId } = candidate;
    if (dailyBudgetMicros !== null) {
      if (spend.dayMicros + committed > dailyBudgetMicros) return 'daily_budget';
      if (
        candidate.algorithm === 'Max installs' &&
        spend.dayMicros + committed > paceMicros(spend, dailyBudgetMicros, nowMs)
      )
        return 'pacing';
    }
    if (totalBudgetMicros !== null && spend.everMicros + committed > totalBudgetMicros) return 'total_budget';
    const balance = this.#balances.get(companyId) ?? 0;
    const held = (this.#outstanding.get(companyId) ?? 0) + placedMicros;
    return held + micros > balance ? 'balance' : null;
  }

  /**
   * By which share of its day's budget an ad set has spent more than even pacing planned by now; below 0 when less. Null without a
   * daily budget.
   */
  aheadOfPlan(candidate: Candidate, nowMs: number): number | null {
    const { dailyBudgetMicros } = candidate;
    if (dailyBudgetMicros === null) return null;
    const spend = this.#spendOf(candidate, nowMs);
    const elapsed = (nowMs - spend.dayStartMs) / (spend.dayEndMs - spend.dayStartMs);
    return (spend.dayMicros + spend.outstandingMicros) / dailyBudgetMicros - elapsed;
  }

  /** Holds back the price of a bid that is being sent. */
  reserve(bidId: string, candidate: Candidate, micros: Micros, nowMs: number): void {
    const { adsetId, companyId } = candidate;
    this.#spendOf(candidate, nowMs).outstandingMicros += micros;
    this.#outstanding.set(companyId, (this.#outstanding.get(companyId) ?? 0) + micros);
    const expiresAtMs = nowMs + RESERVATION_MS;
    this.#reservations.set(bidId, { bidId, adsetId, companyId, micros, expiresAtMs });
  }

  /** Frees what a bid held back: it lost. */
  release(bidId: string): void {
    const held = this.#reservations.get(bidId);
    if (!held) return;
    this.#reservations.delete(bidId);
    const spend = this.#adsets.get(held.adsetId);
    if (spend) spend.outstandingMicros -= held.micros;
    this.#outstanding.set(held.companyId, (this.#outstanding.get(held.companyId) ?? 0) - held.micros);
  }

  /** Books what a bid cost, whether its reservation is still there or not. */
  settle(
    bid: { bidId: string; adsetId: string; companyId: string; timeZone: string },
    micros: Micros,
    atMs: number,
  ): void {
    this.release(bid.bidId);
    const spend = this.#spendOf(bid, atMs);
    spend.everMicros += micros;
    spend.dayMicros += micros;
    this.#balances.set(bid.companyId, (this.#balances.get(bid.companyId) ?? 0) - micros);
    this.#settled.set(bid.companyId, (this.#settled.get(bid.companyId) ?? 0) + micros);
  }

  #spendOf({ adsetId, timeZone }: { adsetId: string; timeZone: string }, nowMs: number): AdsetSpend {
    let spend = this.#adsets.get(adsetId);
    if (!spend) this.#adsets.set(adsetId, (spend = this.#fresh(adsetId)));
    if (nowMs >= spend.dayEndMs) this.#startDay(spend, adsetId, timeZone, nowMs);
    return spend;
  }

  #fresh(adsetId: string): AdsetSpend {
    const everMicros = this.#everMicros.get(adsetId) ?? 0;
    return { everMicros, day: '', dayStartMs: 0, dayEndMs: -Infinity, dayMicros: 0, outstandingMicros: 0 };
  }

  #startDay(spend: AdsetSpend, adsetId: string, timeZone: string, nowMs: number): void {
    // Only the first day of an ad set here can have spend from before this process.
    const inherits = spend.day === '';
    spend.day = dateAt(nowMs, timeZone);
    spend.dayStartMs = startOfDayMs(spend.day, timeZone);
    spend.dayEndMs = startOfDayMs(dateAt(spend.dayStartMs + 36 * 3_600_000, timeZone), timeZone);
    spend.dayMicros = 0;
    if (!inherits) return;
    for (const slice of this.#recent.get(adsetId) ?? []) {
      if (slice.quarterMs >= spend.dayStartMs) spend.dayMicros += slice.spentMicros;
    }
  }

  #expire(nowMs: number): void {
    for (let left = EXPIRIES_PER_CALL; left > 0; left -= 1) {
      this.#oldest ??= this.#nextOldest();
      if (!this.#oldest || this.#oldest.expiresAtMs > nowMs) return;
      this.release(this.#oldest.bidId);
      this.#oldest = undefined;
    }
  }

  #nextOldest(): Reservation | undefined {
    let next = this.#oldestFirst.next();
    if (next.done) {
      // An iterator that came to the end stays there, whatever is added later.
      this.#oldestFirst = this.#reservations.values();
      next = this.#oldestFirst.next();
    }
    return next.done ? undefined : next.value;
  }
}

/** What even pacing allows by now: the day's share of the clock, and a little ahead of it. */
function paceMicros({ dayStartMs, dayEndMs }: AdsetSpend, budgetMicros: Micros, nowMs: number): Micros {
  const elapsed = (nowMs - dayStartMs) / (dayEndMs - dayStartMs);
  return Math.floor(Math.min(1, elapsed + PACING_SLACK) * budgetMicros);
}
