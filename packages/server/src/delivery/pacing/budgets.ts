import type { Micros } from '@bidwell/contract/lib/money';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { type Bitset, clearBit, createBitset, hasBit, setBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';
import { AdsetDemand, AdsetLease, PlannedShare } from './adset-lease.ts';
import type { ClockShare } from './open-hours.ts';
import {
  type BidOutcome,
  type LeaseRequest,
  type LeaseResponse,
  RESERVATION_MS,
  accountKey,
} from './leases.ts';
import {
  LongestReservation,
  ReservationTimes,
  lengthOf,
  type Reservation,
  Reservations,
} from './reservations.ts';

/** State of an account in this bidder: the budgets of one ad set, or its daily budget in one country. */
interface AdsetBudget {
  /** The ad set with its limits, as in the snapshot. */
  candidate: Candidate;
  /** Absent for the budgets of the ad set. */
  readonly country?: string;
  /** For a country the budgets of its ad set, from which its bids reserve the same money. */
  ofAdset: AdsetBudget | null;
  /** Position in the order in which accounts were added. */
  readonly position: number;
  /** False once the ad set is no longer in the snapshot, or has no budget for the country. */
  isRunning: boolean;
  readonly lease: AdsetLease;
  readonly demand: AdsetDemand;
  readonly share: PlannedShare;
  readonly longest: LongestReservation;
}

/** Dependencies of {@link Budgets}. */
export interface BudgetsDeps {
  /** Uniform between 0 and 1; selects the offers that a paced ad set bids on. */
  random: () => number;
  /** Distribution of an ad set's traffic over the quarter hours of a UTC day. */
  trafficProfileOf: (adsetId: string) => readonly number[];
  /** The clocks of the devices that an ad set reaches; empty while they are not known. */
  clocksOf: (candidate: Candidate) => readonly ClockShare[];
  /** Called with each outcome of a bid, some of them repeatedly. */
  onSettled?: (outcome: BidOutcome, nowMs: number) => void;
}

/** The properties of a bid request that decide how long a reservation lasts. */
export interface ReservationTerms {
  /** The exchange's slug. */
  exchange: string;
  /** Null where the request does not say. */
  expiresAfterSeconds: number | null;
  /** How long the exchange may keep the ad before it shows it; null or absent where it does not cache ads. */
  cachedSeconds?: number | null;
  /** Of the device; absent or '' where it is not known. */
  country?: string;
}
const ANY_TERMS: ReservationTerms = { exchange: '', expiresAfterSeconds: null };

/** Most reservations at once where the caller names no other number. */
const RESERVATIONS_MAX = 1_000_000;
/** Expired reservations that one bid frees, bounded so that a backlog does not delay it. */
const EXPIRIES_PER_BID = 64;
const EXPIRIES_PER_REQUEST = 50_000;

/** Ad sets whose lease needs no change take turns in checking whether their limits have changed, this many a second … */
const TURNS_PER_SECOND = 500;
/** … and wait at most this long: without room in a budget, paced, any other. */
const TURN_MAX_MS = { bound: 5000, paced: 15_000, other: 60_000 };

/**
 * Decides in memory how much one bidder may spend: no more than its lease on each ad set. A sent bid reserves its price
 * until it is charged, lost or expired; it expires once the notices of its time are counted, and a later one of its exchange
 * shows that notices arrive. A state machine without timers or I/O: its caller passes in bids, outcomes, the time and the
 * responses of the lease store.
 */
export class Budgets {
  readonly #deps: BudgetsDeps;
  readonly #reservationsMax: number;
  readonly #budgets = new Map<string, AdsetBudget>();
  readonly #exhausted = new ExhaustedAdsets();
  readonly #reservations = new Reservations<AdsetBudget>();
  readonly #reservationTimes = new ReservationTimes();
  readonly #turns = new RenewalTurns();
  #added = 0;
  #funds: ReadonlyMap<string, Micros> = new Map();
  #requestedAtMs: number | null = null;
  /** Time of the store's clock minus this one, ms. */
  #aheadMs = 0;
  /** Until when outcomes are known; a reservation does not expire later. */
  #countedMs = Infinity;
  #overdueMs = 0;
  #suspended = false;

  /** Beyond `reservationsMax` reservations at once, ad sets do not bid (`overloaded`), since their spend could not be tracked. */
  constructor(deps: BudgetsDeps, reservationsMax = RESERVATIONS_MAX) {
    this.#deps = deps;
    this.#reservationsMax = reservationsMax;
  }

  /** Bids whose outcome is not known, and for how many there is room. */
  reservations(): { open: number; max: number } {
    return { open: this.#reservations.size, max: this.#reservationsMax };
  }

  /** The reason why an ad set may not spend `micros` more in a country now; null when it may. Counts the offer. */
  noBidReason(candidate: Candidate, micros: Micros, nowMs: number, country = ''): NoBidReason | null {
    this.#expire(nowMs, EXPIRIES_PER_BID);
    const budget = this.#budgetOf(candidate);
    const { lease, demand } = budget;
    demand.offers += 1;
    const inCountry = this.#countryBudgetOf(budget, country);
    if (inCountry) inCountry.demand.offers += 1;
    if (this.#reservations.size >= this.#reservationsMax) return 'overloaded';
    if (this.#suspended) return 'no_lease';
    // Before pacing, so that a budget that is used up is the reason for all offers of the country.
    if (inCountry && micros > inCountry.lease.freeMicros) {
      inCountry.demand.missed = true;
      return inCountry.lease.bound ?? 'no_lease';
    }
    if (inCountry && inCountry.lease.pace < 1 && this.#deps.random() >= inCountry.lease.pace) return 'pacing';
    if (lease.pace < 1 && this.#deps.random() >= lease.pace) return 'pacing';
    if (micros <= lease.freeMicros) return null;
    demand.missed = true;
    this.#markIfExhausted(budget);
    return lease.bound ?? 'no_lease';
  }

  /**
   * The reason why an ad set may not spend `micros` in a country in the present state; null when it may. Counts no offer, and
   * regards a paced ad set as one that bids unless it bids on no offer at all.
   */
  presentNoBidReason(candidate: Candidate, micros: Micros, country = ''): NoBidReason | null {
    const budget = this.#budgets.get(candidate.adsetId);
    if (this.#suspended || !budget) return 'no_lease';
    const inCountry = this.#countryBudgetOf(budget, country);
    if (inCountry && micros > inCountry.lease.freeMicros) return inCountry.lease.bound ?? 'no_lease';
    const { lease } = budget;
    if (lease.pace <= 0 || (inCountry && inCountry.lease.pace <= 0)) return 'pacing';
    return micros <= lease.freeMicros ? null : (lease.bound ?? 'no_lease');
  }

  /**
   * Ad sets that were denied money and have less left than an impression may cost. Auctions skip them until they are
   * given more, for a second at most. Null when there are none, or `candidates` is not the current list.
   */
  exhaustedAmong(candidates: readonly Candidate[]): Bitset | null {
    return this.#exhausted.among(candidates);
  }

  /**
   * The share of offers that an evenly paced ad set bids on now, 0 to 1; null when it is not paced. With `country`, the share of
   * the offers there, which its daily budget for the country may lower.
   */
  paceOf(candidate: Candidate, country = ''): number | null {
    const budget = this.#budgetOf(candidate);
    const inCountry = this.#countryBudgetOf(budget, country);
    const paces = [budget, ...(inCountry ? [inCountry] : [])].filter(isPaced).map(({ lease }) => lease.pace);
    return paces.length > 0 ? paces.reduce((product, pace) => product * pace) : null;
  }

  /**
   * Reserves the price of a bid that is being sent, for as long as its exchange may take to send the notice, which is returned
   * in ms.
   */
  reserve(
    bidId: string,
    candidate: Candidate,
    micros: Micros,
    nowMs: number,
    { exchange, expiresAfterSeconds, cachedSeconds = null, country = '' }: ReservationTerms = ANY_TERMS,
  ): number {
    const ofAdset = this.#budgetOf(candidate);
    const holder = this.#countryBudgetOf(ofAdset, country) ?? ofAdset;
    const reservationMs = this.#reservationTimes.reservationMs(exchange, expiresAfterSeconds, cachedSeconds);
    for (let budget: AdsetBudget | null = holder; budget; budget = budget.ofAdset) {
      budget.lease.reservedMicros += micros;
      budget.demand.committedMicros += micros;
      budget.longest.add(reservationMs, nowMs);
    }
    this.#reservations.add(bidId, holder, micros, nowMs, reservationMs, exchange);
    this.#reservationTimes.sent(bidId, exchange, nowMs);
    return reservationMs;
  }

  /**
   * Ends a bid's reservation; does nothing when it has ended already. The spend of a charged bid must be booked by now.
   */
  settle(outcome: BidOutcome, nowMs: number): void {
    const { bidId, charged } = outcome;
    this.#deps.onSettled?.(outcome, nowMs);
    const reservation = this.#reservations.take(bidId);
    // An outcome that was counted late had arrived earlier.
    const heardMs = Math.min(nowMs, this.#countedMs);
    this.#reservationTimes.ended(bidId, charged, nowMs, reservation?.exchange, heardMs);
    if (!reservation) return;
    if (!charged) this.#release(reservation);
    else
      for (let budget: AdsetBudget | null = reservation.holder; budget; budget = budget.ofAdset)
        budget.lease.charge(reservation.micros);
  }

  /** Sets the deposits of companies, before any spend. */
  setFunds(funds: ReadonlyMap<string, Micros>): void {
    this.#funds = funds;
  }

  /** Replaces the ad sets by those that run now: new ones request a lease, those that no longer run return theirs. */
  setCandidates(candidates: readonly Candidate[]): void {
    for (const budget of this.#budgets.values()) budget.isRunning = false;
    for (const candidate of candidates) {
      const budget = this.#budgetOf(candidate);
      this.#run(budget, candidate);
      for (const country of candidate.countryBudgets.keys())
        this.#run(this.#budgetIn(country, budget), candidate);
    }
    this.#exhausted.replace(candidates);
  }

  #run(budget: AdsetBudget, candidate: Candidate): void {
    // A changed budget is requested at once.
    if (!haveSameLimits(budget, candidate)) budget.lease.requestedAtMs = -Infinity;
    budget.candidate = candidate;
    budget.isRunning = true;
  }

  /**
   * Sets until when, Unix ms, all notices are counted whose outcomes were applied. A bid whose reservation ends later may be
   * charged already, so its money stays reserved. Never called, every notice is regarded as counted at once.
   */
  setCounted(untilMs: number): void {
    this.#countedMs = untilMs;
  }

  /** Until when all notices are counted, Unix ms; Infinity where every notice is counted at once. */
  get countedMs(): number {
    return this.#countedMs;
  }

  /**
   * How long reservations had waited beyond their duration for notices when requests were last collected, ms; 0 while
   * notices arrive.
   */
  get overdueMs(): number {
    return this.#overdueMs;
  }

  /** Stops bidding until the store responds. */
  suspend(): void {
    this.#suspended = true;
  }

  /**
   * Collects the requests for the store, no more than this bidder's part of the store's capacity. Money that a request
   * returns is not used any more, whether a response comes or not. With `leaving` everything but reservations is
   * returned. Yields after each ad set, so that bids may run in between.
   */
  *collectRequests(nowMs: number, leaving = false): Generator<undefined, LeaseRequest[]> {
    this.#expire(nowMs, EXPIRIES_PER_REQUEST);
    this.#overdueMs = this.#reservations.overdueMs(Math.min(nowMs, this.#countedMs));
    const elapsedSeconds = Math.max(0.001, (nowMs - (this.#requestedAtMs ?? nowMs - 1000)) / 1000);
    this.#requestedAtMs = nowMs;
    const due: DueRenewal<AdsetBudget>[] = [];
    for (const [key, budget] of this.#budgets) {
      yield;
      const { lease, demand, position } = budget;
      const isShort = demand.missed;
      this.#updateTarget(budget, elapsedSeconds, leaving);
      this.#exhausted.delete(budget.candidate);
      if (!lease.isEmpty && (leaving || this.#isDue(budget, nowMs))) {
        const isFirst = leaving || !budget.isRunning || lease.requestedAtMs === -Infinity;
        due.push({ item: budget, position, urgency: isFirst ? 'now' : isShort ? 'short' : 'other' });
      } else if (lease.isEmpty && !budget.isRunning) this.#budgets.delete(key);
    }
    const requests: LeaseRequest[] = [];
    for (const { item } of this.#turns.choose(due, elapsedSeconds)) {
      yield;
      requests.push(this.#requestOf(item, nowMs));
    }
    return requests;
  }

  /** Like {@link Budgets.collectRequests}, without yielding. */
  requests(nowMs: number, leaving = false): LeaseRequest[] {
    return runToCompletion(this.collectRequests(nowMs, leaving));
  }

  /** Applies the store's response to the last requests. */
  applyResponse({ leases, outcomes, nowMs: storeMs, bidders }: LeaseResponse, nowMs: number): void {
    this.#aheadMs = storeMs - nowMs;
    this.#turns.setBidders(bidders);
    this.#suspended = false;
    for (const lease of leases) {
      const budget = this.#budgets.get(accountKey(lease));
      if (!budget) continue;
      budget.lease.apply(lease);
      this.#exhausted.delete(budget.candidate);
    }
    for (const outcome of outcomes) this.settle(outcome, nowMs);
  }

  /** Offers counted since the last call, for ad sets that are in their hours and evenly paced, in a country at least. */
  takeOffers(): { adsetId: string; offers: number }[] {
    const counted = [];
    for (const { candidate, ofAdset, isRunning, demand, share } of this.#budgets.values()) {
      const offers = demand.takeOffers();
      if (isRunning && !ofAdset && isPacedAnywhere(candidate) && !share.isClosed)
        counted.push({ adsetId: candidate.adsetId, offers });
    }
    return counted;
  }

  #expire(nowMs: number, max: number): void {
    this.#reservations.expire(Math.min(nowMs, this.#countedMs), max, this.#release, this.#heardMs);
  }

  readonly #heardMs = (exchange: string): number => this.#reservationTimes.heardMs(exchange);

  readonly #release = ({ holder, micros }: Reservation<AdsetBudget>): void => {
    for (let budget: AdsetBudget | null = holder; budget; budget = budget.ofAdset)
      budget.lease.release(micros);
    this.#exhausted.delete(holder.candidate);
  };

  /** Paced ad sets are not marked, because all of their offers are counted. */
  #markIfExhausted({ candidate, lease }: AdsetBudget): void {
    if (!isPacedAnywhere(candidate) && lease.freeMicros < unitOf(candidate)) this.#exhausted.add(candidate);
  }

  #budgetOf(candidate: Candidate): AdsetBudget {
    return this.#budgets.get(candidate.adsetId) ?? this.#add(candidate, null);
  }

  /** The daily budget of an ad set in a country; null where it has none. */
  #countryBudgetOf(ofAdset: AdsetBudget, country: string): AdsetBudget | null {
    const { candidate } = ofAdset;
    if (country === '' || candidate.countryBudgets.size === 0 || !candidate.countryBudgets.has(country))
      return null;
    return this.#budgetIn(country, ofAdset);
  }

  #budgetIn(country: string, ofAdset: AdsetBudget): AdsetBudget {
    const { candidate } = ofAdset;
    const budget = this.#budgets.get(accountKey({ adsetId: candidate.adsetId, country }));
    if (!budget) return this.#add(candidate, ofAdset, country);
    // The ad set's own was deleted while it did not run: no bid of the ad set reserved money then.
    budget.ofAdset = ofAdset;
    return budget;
  }

  #add(candidate: Candidate, ofAdset: AdsetBudget | null, country?: string): AdsetBudget {
    const budget: AdsetBudget = {
      candidate,
      country,
      ofAdset,
      position: (this.#added += 1),
      isRunning: true,
      lease: new AdsetLease(),
      demand: new AdsetDemand(),
      share: new PlannedShare(),
      longest: new LongestReservation(),
    };
    this.#budgets.set(accountKey({ adsetId: candidate.adsetId, country }), budget);
    return budget;
  }

  /** Sets how much money the lease should have free, and stops using the rest. */
  #updateTarget(budget: AdsetBudget, elapsedSeconds: number, leaving: boolean): void {
    const { candidate, isRunning, lease, demand } = budget;
    const limits = { unitMicros: unitOf(candidate), budgetMicros: this.#smallestBudget(budget) };
    const { intervalSeconds } = this.#turns;
    const targetMicros = demand.nextTarget(lease.targetMicros, limits, elapsedSeconds, intervalSeconds);
    lease.targetMicros = leaving || !isRunning ? 0 : targetMicros;
    // After a long silence of the store other bidders may hold the money that was free here.
    if (this.#suspended) lease.requestedAtMs = -Infinity;
    lease.shrink(this.#suspended);
  }

  /** Whether to request a lease for an ad set now; most of thousands need nothing new. */
  #isDue(budget: AdsetBudget, nowMs: number): boolean {
    const { isRunning, lease, longest } = budget;
    // If this bidder ended now, the store would free an understated lease too soon.
    if (!isRunning || lease.isOutdated || longest.isUnderstated) return true;
    const waitedMs = nowMs - lease.requestedAtMs;
    const most = lease.bound !== null ? TURN_MAX_MS.bound : TURN_MAX_MS[isPaced(budget) ? 'paced' : 'other'];
    // Negative when the clock was set back.
    const turnsPerSecond = Math.min(TURNS_PER_SECOND, this.#turns.perSecond);
    return waitedMs < 0 || waitedMs >= Math.min(most, (this.#budgets.size * 1000) / turnsPerSecond);
  }

  #requestOf(budget: AdsetBudget, nowMs: number): LeaseRequest {
    const { candidate, country, lease, demand, share } = budget;
    const { adsetId, companyId, timeZone } = candidate;
    const expectedMicros = demand.expectedMicros(this.#turns.intervalSeconds);
    lease.request(expectedMicros, nowMs);
    const plan = () =>
      share.at(nowMs + this.#aheadMs, {
        timeZone,
        hours: candidate.hours,
        runsUntilMs: candidate.runsUntilMs,
        trafficProfile: () => this.#deps.trafficProfileOf(adsetId),
        clocks: () => this.#deps.clocksOf(candidate),
      });
    return {
      adsetId,
      ...(country && { country }),
      companyId,
      timeZone,
      minimumMicros: lease.micros,
      reservedMicros: lease.reservedMicros,
      reservedMs: this.#stateReservedMs(budget, nowMs),
      expectedMicros,
      requestedMicros: lease.requestedMicros,
      unitMicros: unitOf(candidate),
      ...budgetsOf(budget),
      fundsMicros: this.#funds.get(companyId) ?? 0,
      sharePerSecond: isPaced(budget) ? plan() : null,
    };
  }

  /** How long its bids may be reserved if this bidder ended now, as its request states. */
  #stateReservedMs({ lease, longest }: AdsetBudget, nowMs: number): number {
    if (lease.reservedMicros === 0) longest.clear();
    const longestMs = longest.at(nowMs);
    // Beyond ten minutes no reservation waits for notices.
    const waitingMs = Math.min(longestMs + this.#overdueMs, RESERVATION_MS);
    const reservedMs = lengthOf(Math.max(longestMs, waitingMs));
    longest.state(reservedMs);
    return reservedMs;
  }

  #smallestBudget(budget: AdsetBudget): Micros {
    const { dailyBudgetMicros, totalBudgetMicros } = budgetsOf(budget);
    return Math.min(
      this.#funds.get(budget.candidate.companyId) ?? 0,
      dailyBudgetMicros ?? Infinity,
      totalBudgetMicros ?? Infinity,
    );
  }
}

/** The budgets of an account; null is unlimited. */
function budgetsOf({
  candidate,
  country,
}: Pick<AdsetBudget, 'candidate' | 'country'>): Pick<
  LeaseRequest,
  'dailyBudgetMicros' | 'totalBudgetMicros'
> {
  const { dailyBudgetMicros, totalBudgetMicros } = candidate;
  if (!country) return { dailyBudgetMicros, totalBudgetMicros };
  return { dailyBudgetMicros: candidate.countryBudgets.get(country) ?? null, totalBudgetMicros: null };
}

/** Whether another version of an ad set leaves the limits of an account as they are. */
function haveSameLimits({ candidate, country }: AdsetBudget, changed: Candidate): boolean {
  const [a, b] = [budgetsOf({ candidate, country }), budgetsOf({ candidate: changed, country })];
  return (
    a.dailyBudgetMicros === b.dailyBudgetMicros &&
    a.totalBudgetMicros === b.totalBudgetMicros &&
    candidate.ceilingCpmMicros === changed.ceilingCpmMicros &&
    candidate.marginBasisPoints === changed.marginBasisPoints
  );
}

/** The most that one impression of an ad set costs. */
function unitOf({ ceilingCpmMicros, marginBasisPoints }: Candidate): Micros {
  return impressionMicros(ceilingCpmMicros, marginBasisPoints);
}

function isPaced(budget: AdsetBudget): boolean {
  return budget.candidate.algorithm === 'Max installs' && budgetsOf(budget).dailyBudgetMicros !== null;
}

/** Whether an ad set is paced, or is in a country. */
function isPacedAnywhere({ algorithm, dailyBudgetMicros, countryBudgets }: Candidate): boolean {
  return algorithm === 'Max installs' && (dailyBudgetMicros !== null || countryBudgets.size > 0);
}

/** Leases that all bidders together renew in a second: PostgreSQL's load does not grow with the number of bidders. */
const RENEWALS_PER_SECOND = 2000;
/** A bidder renews at least this many, however many bidders there are. */
const RENEWALS_MIN = 20;
/** The part of the renewals that leases without money left may take from the others. */
const SHORT_PART_MAX = 0.75;

/** An ad set whose lease is to be renewed. */
interface DueRenewal<T> {
  item: T;
  /** Position among all ad sets, which stays the same. */
  position: number;
  /** `now` is not limited: a first lease, or one that is given back; `short` is out of money. */
  urgency: 'now' | 'short' | 'other';
}

/**
 * Chooses the leases that a bidder renews now, so that all bidders together stay within the limit. Leases beyond the
 * limit take turns, and cover a longer time accordingly.
 */
class RenewalTurns {
  #perSecond = RENEWALS_PER_SECOND;
  #intervalSeconds = 1;
  /** Renewals that may be requested now; at most the renewals of one second. */
  #credit = RENEWALS_PER_SECOND;
  readonly #last = { short: -1, other: -1 };

  /** Renewals of this bidder in a second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Time between two renewals of an ad set that bids, seconds; 1 at least. */
  get intervalSeconds(): number {
    return this.#intervalSeconds;
  }

  setBidders(bidders: number): void {
    this.#perSecond = Math.max(RENEWALS_MIN, Math.floor(RENEWALS_PER_SECOND / Math.max(1, bidders)));
  }

  /** Returns the renewals to request now, in the order of `due`, which is sorted by position. */
  choose<T>(due: readonly DueRenewal<T>[], elapsedSeconds: number): readonly DueRenewal<T>[] {
    this.#credit = Math.min(this.#perSecond, this.#credit + this.#perSecond * elapsedSeconds);
    const limit = Math.floor(this.#credit);
    const short = due.filter(({ urgency }) => urgency === 'short');
    const other = due.filter(({ urgency }) => urgency === 'other');
    const count = short.length + other.length;
    this.#intervalSeconds = Math.max(1, count / this.#perSecond);
    this.#credit -= Math.min(count, limit);
    if (count <= limit) return due;
    const shortCount = Math.max(Math.floor(limit * SHORT_PART_MAX), limit - other.length);
    const chosen = new Set([
      ...this.#next('short', short, shortCount),
      ...this.#next('other', other, limit - Math.min(short.length, shortCount)),
    ]);
    return due.filter((renewal) => renewal.urgency === 'now' || chosen.has(renewal));
  }

  /** The next `count` after those that had their turn. */
  #next<T>(
    urgency: 'short' | 'other',
    due: readonly DueRenewal<T>[],
    count: number,
  ): readonly DueRenewal<T>[] {
    const after = due.findIndex(({ position }) => position > this.#last[urgency]);
    const from = Math.max(0, after);
    const next = [...due.slice(from), ...due.slice(0, from)].slice(0, count);
    this.#last[urgency] = next.at(-1)?.position ?? -1;
    return next;
  }
}

/** Bitset of the ad sets that are out of budget and skipped by auctions, by index in the current snapshot. */
class ExhaustedAdsets {
  #candidates: readonly Candidate[] = [];
  #bits = createBitset(0);
  #count = 0;

  /** Replaces the ad sets with the ad sets of another snapshot, with none marked. */
  replace(candidates: readonly Candidate[]): void {
    this.#candidates = candidates;
    this.#bits = createBitset(candidates.length);
    this.#count = 0;
  }

  /** Marks an ad set; does nothing for one of another snapshot. */
  add(candidate: Candidate): void {
    if (this.#candidates[candidate.index] !== candidate || hasBit(this.#bits, candidate.index)) return;
    setBit(this.#bits, candidate.index);
    this.#count += 1;
  }

  delete(candidate: Candidate): void {
    if (this.#candidates[candidate.index] !== candidate || !hasBit(this.#bits, candidate.index)) return;
    clearBit(this.#bits, candidate.index);
    this.#count -= 1;
  }

  /** Null when none is marked, or `candidates` is not the current list. */
  among(candidates: readonly Candidate[]): Bitset | null {
    return candidates === this.#candidates && this.#count > 0 ? this.#bits : null;
  }
}
