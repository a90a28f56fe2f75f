import type { Micros } from '@bidwell/contract/money';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { runToCompletion } from '../../platform/jobs/yielding.ts';
import type { Bitset } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';
import { ReservationTimes } from './reservation-times.ts';
import type { BidOutcome, Lease, LeaseAnswer, LeaseAsk } from './leases.ts';
import type { Day } from './pace.ts';
import { dayAt, sharePerSecond } from './pace.ts';
import type { Reservation } from './reservations.ts';
import { Reservations } from './reservations.ts';
import { Resting } from './resting.ts';

/** Budget state of one ad set in this bidder. */
interface Holding {
  candidate: Candidate;
  /** False once the ad set is no longer in the snapshot. */
  runs: boolean;
  /** The lease, and the part of it that bids reserve. */
  leaseMicros: Micros;
  heldMicros: Micros;
  /** Charged since the last ask, and so still part of the lease in the store's answer. */
  chargedMicros: Micros;
  /** Whether the store may hold a lease of it, and the lease in its last answer. */
  stored: boolean;
  storedMicros: Micros;
  /** Money reserved, or likely to be soon, as the last ask reported it. */
  toldMicros: Micros;
  /** Since the last ask: money bid, whether the lease was too small for a bid, and matching offers. */
  committedMicros: Micros;
  missed: boolean;
  offers: number;
  /** Offers that `takeOffers` has not returned yet. */
  uncountedOffers: number;
  /** Time since the last offer. */
  idleSeconds: number;
  /** When the store was last asked. */
  askedAtMs: number;
  microsPerSecond: number;
  /** Unreserved money wanted in the lease. */
  targetMicros: Micros;
  bound: Lease['bound'];
  pace: number;
  /** The company's day, for pacing. */
  day: Day & { timeZone: string };
  /** Planned share of the day's remaining money per second, and when it was planned by the store's clock. */
  sharePerSecond: number;
  plannedAtMs: number;
}

/** Dependencies of {@link Budgets}. */
export interface BudgetsWorld {
  /** Uniform between 0 and 1; selects the offers that a paced ad set bids on. */
  random: () => number;
  /** Distribution of an ad set's traffic over the quarter hours of a UTC day. */
  shapeOf: (adsetId: string) => readonly number[];
}

/** The properties of a bid request that decide how long a reservation is held. */
export interface HeldOffer {
  /** The exchange's slug. */
  exchange: string;
  /** Null where the request does not say. */
  expiresAfterSeconds: number | null;
}
const ANY_OFFER: HeldOffer = { exchange: '', expiresAfterSeconds: null };

/** Most reservations at once; beyond it ad sets answer `overloaded`, since their spend could not be tracked. */
const RESERVATIONS_MAX = 1_000_000;
/** Expired reservations that one bid frees, bounded so that a backlog does not delay it. */
const EXPIRIES_PER_BID = 64;
const EXPIRIES_PER_ASK = 50_000;

/** A lease covers this long at the recent rate of bidding … */
const LEASE_SECONDS = 3;
/** … at least this many impressions, */
const LEASE_IMPRESSIONS_MIN = 50;
/** … and at most this part of a budget, and this amount. */
const LEASE_PART_MAX = 0.01;
const LEASE_MICROS_MAX = 20_000_000;
/** Money likely to be bid before the next ask: this long at the recent rate. */
const NEXT_SECONDS = 3;
/** How long a planned rate of spending is used. */
const PLAN_EVERY_MS = 10_000;
/** Ad sets whose lease needs no change take turns in asking whether their limits have changed, this many a second … */
const TURNS_PER_SECOND = 500;
/** … and wait at most this long: without room in a budget, paced, any other. */
const TURN_MAX_MS = { bound: 5000, paced: 15_000, other: 60_000 };
/** After this long without an offer an ad set leases one impression only, enough for the next offer. */
const IDLE_SECONDS = 30;

/**
 * Decides in memory what one bidder may spend: on each ad set no more than its lease. A sent bid reserves its price until
 * it is charged, lost or expired. A state machine without timers or I/O: its caller passes in bids, outcomes, the time
 * and the answers of the lease store.
 */
export class Budgets {
  readonly #world: BudgetsWorld;
  readonly #reservationsMax: number;
  readonly #holdings = new Map<string, Holding>();
  readonly #resting = new Resting();
  readonly #reservations = new Reservations<Holding>();
  readonly #reservationTimes = new ReservationTimes();
  #funds: ReadonlyMap<string, Micros> = new Map();
  #askedAtMs: number | null = null;
  /** Time of the store's clock minus this one, ms. */
  #aheadMs = 0;
  #suspended = false;

  constructor(world: BudgetsWorld, reservationsMax = RESERVATIONS_MAX) {
    this.#world = world;
    this.#reservationsMax = reservationsMax;
  }

  /** The reason why an ad set may not spend `micros` more now; null when it may. Counts the offer. */
  noBidReason(candidate: Candidate, micros: Micros, nowMs: number): NoBidReason | null {
    this.#reservations.expire(nowMs, EXPIRIES_PER_BID, this.#free);
    const holding = this.#holdingOf(candidate);
    holding.offers += 1;
    if (this.#reservations.size >= this.#reservationsMax) return 'overloaded';
    if (this.#suspended) return 'no_lease';
    if (holding.pace < 1 && this.#world.random() >= holding.pace) return 'pacing';
    if (micros <= holding.leaseMicros - holding.heldMicros) return null;
    holding.missed = true;
    this.#rest(holding);
    return holding.bound ?? 'no_lease';
  }

  /**
   * Ad sets that were refused money and have less left than an impression may cost. Auctions skip them until they are
   * given more, for a second at most. Null when `candidates` is not the followed list.
   */
  resting(candidates: readonly Candidate[]): Bitset | null {
    return this.#resting.among(candidates);
  }

  /** The share of offers that an evenly paced ad set bids on now, 0 to 1; null when it is not paced. */
  paceOf(candidate: Candidate): number | null {
    return isPaced(candidate) ? this.#holdingOf(candidate).pace : null;
  }

  /**
   * Reserves the price of a bid that is being sent, for as long as its exchange may take to send the notice; `exchange`
   * and `expiresAfterSeconds` come from the bid request.
   */
  reserve(
    bidId: string,
    candidate: Candidate,
    micros: Micros,
    nowMs: number,
    { exchange, expiresAfterSeconds }: HeldOffer = ANY_OFFER,
  ): void {
    const holding = this.#holdingOf(candidate);
    holding.heldMicros += micros;
    holding.committedMicros += micros;
    const reservationMs = this.#reservationTimes.reservationMs(exchange, expiresAfterSeconds);
    this.#reservations.add(bidId, holding, micros, nowMs, reservationMs);
    this.#reservationTimes.sent(bidId, exchange, nowMs);
  }

  /**
   * Ends a bid's reservation; does nothing when it has ended already. The spend of a charged bid must be booked by now.
   */
  settle({ bidId, charged }: BidOutcome, nowMs: number): void {
    this.#reservationTimes.ended(bidId, charged, nowMs);
    const reservation = this.#reservations.take(bidId);
    if (!reservation) return;
    const { holder, micros } = reservation;
    if (!charged) return this.#free(reservation);
    holder.heldMicros -= micros;
    holder.leaseMicros -= micros;
    holder.chargedMicros += micros;
  }

  /** Sets what companies paid in, before any spend. */
  setFunds(funds: ReadonlyMap<string, Micros>): void {
    this.#funds = funds;
  }

  /** Follows the ad sets that run now: new ones ask for a lease, those that no longer run give theirs back. */
  follow(candidates: readonly Candidate[]): void {
    for (const holding of this.#holdings.values()) holding.runs = false;
    for (const candidate of candidates) {
      const holding = this.#holdingOf(candidate);
      // A changed budget is asked about at once.
      if (!isBoundAlike(holding.candidate, candidate)) holding.askedAtMs = -Infinity;
      holding.candidate = candidate;
      holding.runs = true;
    }
    this.#resting.follow(candidates);
  }

  /** Stops bidding until the store answers. */
  suspend(): void {
    this.#suspended = true;
  }

  /**
   * Collects the asks for the store. What an ask gives back is not used any more, whether an answer comes or not. With
   * `leaving` everything but reservations is given back. Yields after each ad set, so that bids may run in between.
   */
  *asking(nowMs: number, leaving = false): Generator<undefined, LeaseAsk[]> {
    this.#reservations.expire(nowMs, EXPIRIES_PER_ASK, this.#free);
    const elapsedSeconds = Math.max(0.001, (nowMs - (this.#askedAtMs ?? nowMs - 1000)) / 1000);
    this.#askedAtMs = nowMs;
    const asks: LeaseAsk[] = [];
    for (const [adsetId, holding] of this.#holdings) {
      yield;
      plan(holding, this.#smallestBudget(holding.candidate), elapsedSeconds);
      this.#resting.delete(holding.candidate);
      if (leaving || !holding.runs) holding.targetMicros = 0;
      // After a long silence of the store other bidders may hold what was free here.
      if (this.#suspended) holding.askedAtMs = -Infinity;
      const freeMicros = this.#suspended ? 0 : Math.max(0, holding.leaseMicros - holding.heldMicros);
      holding.leaseMicros = holding.heldMicros + Math.min(freeMicros, holding.targetMicros);
      const idle = holding.targetMicros === 0 && holding.leaseMicros === 0 && !holding.stored;
      if (!idle && (leaving || this.#isDue(holding, nowMs))) asks.push(this.#askOf(holding, nowMs));
      else if (!idle) continue;
      else if (!holding.runs) this.#holdings.delete(adsetId);
    }
    return asks;
  }

  /** Like {@link Budgets.asking}, without yielding. */
  asks(nowMs: number, leaving = false): LeaseAsk[] {
    return runToCompletion(this.asking(nowMs, leaving));
  }

  /** Applies the store's answer to the last asks. */
  answered({ leases, outcomes, nowMs: storeMs }: LeaseAnswer, nowMs: number): void {
    this.#aheadMs = storeMs - nowMs;
    this.#suspended = false;
    for (const { adsetId, micros, roomMicros, bound, pace } of leases) {
      const holding = this.#holdings.get(adsetId);
      if (!holding) continue;
      holding.leaseMicros = micros - holding.chargedMicros;
      holding.chargedMicros = 0;
      holding.stored = micros > 0;
      holding.storedMicros = micros;
      if (roomMicros < 0) {
        const freeMicros = Math.max(0, holding.leaseMicros - holding.heldMicros);
        holding.leaseMicros -= Math.min(freeMicros, -roomMicros);
      }
      holding.bound = bound;
      holding.pace = pace;
      this.#resting.delete(holding.candidate);
    }
    for (const outcome of outcomes) this.settle(outcome, nowMs);
  }

  /** Offers counted since the last call, for evenly paced ad sets. */
  takeOffers(): { adsetId: string; offers: number }[] {
    const counted = [];
    for (const [adsetId, holding] of this.#holdings) {
      if (holding.runs && isPaced(holding.candidate))
        counted.push({ adsetId, offers: holding.uncountedOffers });
      holding.uncountedOffers = 0;
    }
    return counted;
  }

  readonly #free = ({ holder, micros }: Reservation<Holding>): void => {
    holder.heldMicros -= micros;
    this.#resting.delete(holder.candidate);
  };

  /** Marks an ad set as out of budget. Paced ones are not marked, because all of their offers are counted. */
  #rest({ candidate, leaseMicros, heldMicros }: Holding): void {
    if (!isPaced(candidate) && leaseMicros - heldMicros < unitOf(candidate)) this.#resting.add(candidate);
  }

  #holdingOf(candidate: Candidate): Holding {
    return this.#holdings.get(candidate.adsetId) ?? this.#begin(candidate);
  }

  #begin(candidate: Candidate): Holding {
    const holding: Holding = {
      candidate,
      runs: true,
      leaseMicros: 0,
      heldMicros: 0,
      chargedMicros: 0,
      stored: false,
      storedMicros: 0,
      toldMicros: 0,
      committedMicros: 0,
      missed: false,
      offers: 0,
      uncountedOffers: 0,
      idleSeconds: 0,
      askedAtMs: -Infinity,
      microsPerSecond: 0,
      targetMicros: 0,
      bound: null,
      pace: 1,
      day: { startMs: 0, endMs: 0, timeZone: '' },
      sharePerSecond: 0,
      plannedAtMs: -Infinity,
    };
    this.#holdings.set(candidate.adsetId, holding);
    return holding;
  }

  /** Whether to ask the store about an ad set now; most of thousands need nothing new. */
  #isDue({ candidate, runs, bound, askedAtMs, storedMicros, ...holding }: Holding, nowMs: number): boolean {
    const waitedMs = nowMs - askedAtMs;
    const wantedMicros = Math.max(holding.leaseMicros, holding.heldMicros + holding.targetMicros);
    if (!runs || holding.chargedMicros > 0) return true;
    // If this bidder ended now, the store would free too much of the lease.
    if (holding.heldMicros > holding.toldMicros) return true;
    if (bound === null && wantedMicros !== storedMicros) return true;
    const most = bound !== null ? TURN_MAX_MS.bound : TURN_MAX_MS[isPaced(candidate) ? 'paced' : 'other'];
    // Negative when the clock was set back.
    return waitedMs < 0 || waitedMs >= Math.min(most, (this.#holdings.size * 1000) / TURNS_PER_SECOND);
  }

  #askOf(holding: Holding, nowMs: number): LeaseAsk {
    const { candidate, leaseMicros, heldMicros, targetMicros } = holding;
    const { adsetId, companyId, timeZone, dailyBudgetMicros, totalBudgetMicros } = candidate;
    holding.chargedMicros = 0;
    holding.stored = true;
    holding.askedAtMs = nowMs;
    const nextMicros = Math.ceil(holding.microsPerSecond * NEXT_SECONDS);
    holding.toldMicros = heldMicros + nextMicros;
    return {
      adsetId,
      companyId,
      timeZone,
      keepMicros: leaseMicros,
      heldMicros,
      nextMicros,
      wantMicros: Math.max(leaseMicros, heldMicros + targetMicros),
      unitMicros: unitOf(candidate),
      dailyBudgetMicros,
      totalBudgetMicros,
      fundsMicros: this.#funds.get(companyId) ?? 0,
      sharePerSecond: isPaced(candidate) ? this.#sharePerSecond(holding, nowMs + this.#aheadMs) : null,
    };
  }

  #sharePerSecond(holding: Holding, storeMs: number): number {
    if (Math.abs(storeMs - holding.plannedAtMs) < PLAN_EVERY_MS) return holding.sharePerSecond;
    const { adsetId, timeZone } = holding.candidate;
    const { day } = holding;
    if (storeMs < day.startMs || storeMs >= day.endMs || day.timeZone !== timeZone)
      holding.day = { ...dayAt(storeMs, timeZone), timeZone };
    holding.plannedAtMs = storeMs;
    holding.sharePerSecond = sharePerSecond(this.#world.shapeOf(adsetId), holding.day, storeMs);
    return holding.sharePerSecond;
  }

  #smallestBudget({ companyId, dailyBudgetMicros, totalBudgetMicros }: Candidate): Micros {
    return Math.min(
      this.#funds.get(companyId) ?? 0,
      dailyBudgetMicros ?? Infinity,
      totalBudgetMicros ?? Infinity,
    );
  }
}

function isBoundAlike(a: Candidate, b: Candidate): boolean {
  return (
    a.dailyBudgetMicros === b.dailyBudgetMicros &&
    a.totalBudgetMicros === b.totalBudgetMicros &&
    a.ceilingCpmMicros === b.ceilingCpmMicros
  );
}

/** Computes the lease that an ad set wants, from what happened since the last ask. */
function plan(holding: Holding, budgetMicros: Micros, elapsedSeconds: number): void {
  const now = holding.committedMicros / elapsedSeconds;
  // The rate rises at once and falls slowly.
  holding.microsPerSecond = Math.max(now, holding.microsPerSecond * 0.7 + now * 0.3);
  const atLeast = LEASE_IMPRESSIONS_MIN * unitOf(holding.candidate);
  const atMost = Math.max(atLeast, Math.min(LEASE_MICROS_MAX, budgetMicros * LEASE_PART_MAX));
  const wished = Math.max(
    atLeast,
    holding.microsPerSecond * LEASE_SECONDS,
    holding.missed ? holding.targetMicros * 2 : 0,
  );
  holding.idleSeconds = holding.offers > 0 ? 0 : holding.idleSeconds + elapsedSeconds;
  const target = holding.idleSeconds > IDLE_SECONDS ? unitOf(holding.candidate) : Math.min(atMost, wished);
  holding.targetMicros = Math.floor(target);
  holding.uncountedOffers += holding.offers;
  holding.committedMicros = 0;
  holding.offers = 0;
  holding.missed = false;
}

/** The most that one impression of an ad set costs. */
function unitOf({ ceilingCpmMicros }: Candidate): Micros {
  return impressionMicros(ceilingCpmMicros);
}

function isPaced({ algorithm, dailyBudgetMicros }: Candidate): boolean {
  return algorithm === 'Max installs' && dailyBudgetMicros !== null;
}
