import type { Micros } from '@bidwell/contract/lib/money';
import { invariant } from '../../platform/invariant.ts';
import type { Lease } from './leases.ts';
import type { CompiledHours } from '../model/candidate.ts';
import { type ClockShare, beforeEnd, openParts } from './open-hours.ts';
import { type OpenDay, type PacePlan, dayAt, sharePerSecond } from './pace.ts';

/** One bidder's lease of one ad set's budget: its limit, its reservations, and its last report to the lease store. */
export class AdsetLease {
  micros: Micros = 0;
  /** The part that bids reserve. */
  reservedMicros: Micros = 0;
  /** Charged since the last request, and so still part of the lease in the store's response. */
  chargedMicros: Micros = 0;
  /** Desired unreserved money in the lease. */
  targetMicros: Micros = 0;
  /** The limit that left less room than one impression; null when none did. */
  bound: Lease['bound'] = null;
  /** Share of offers to bid on; 1 without even pacing. */
  pace = 1;
  /** When the lease was last requested; -Infinity requests it at once. */
  requestedAtMs = -Infinity;
  /** Whether the store may hold a lease of the ad set, and the lease in its last response. */
  #isStored = false;
  #storedMicros: Micros = 0;
  /** Money reserved, or likely to be soon, as the last request reported it. */
  #reportedMicros: Micros = 0;

  get freeMicros(): Micros {
    return this.micros - this.reservedMicros;
  }

  /** The lease that the ad set wants. */
  get requestedMicros(): Micros {
    return Math.max(this.micros, this.reservedMicros + this.targetMicros);
  }

  /** Neither used nor requested, here or in the store. */
  get isEmpty(): boolean {
    return this.targetMicros === 0 && this.micros === 0 && !this.#isStored;
  }

  /** Whether the store has to be informed of charges, of reservations, or of a change that it could grant. */
  get isOutdated(): boolean {
    if (this.chargedMicros > 0) return true;
    // If this bidder ended now, the store would free too much of the lease.
    if (this.reservedMicros > this.#reportedMicros) return true;
    return this.bound === null && this.requestedMicros !== this.#storedMicros;
  }

  /** Moves a reservation's money from the lease to the charged money. */
  charge(micros: Micros): void {
    this.release(micros);
    this.micros -= micros;
    this.chargedMicros += micros;
  }

  /** Ends a reservation. */
  release(micros: Micros): void {
    const leftMicros = this.reservedMicros - micros;
    invariant(leftMicros >= 0, 'more is released than bids reserve', () => ({
      reservedMicros: this.reservedMicros,
      micros,
    }));
    this.reservedMicros = leftMicros;
  }

  /** Gives back free money beyond the target; all of it when the store may have leased it to other bidders. */
  shrink(isFreeLost: boolean): void {
    const freeMicros = isFreeLost ? 0 : Math.max(0, this.freeMicros);
    this.micros = this.reservedMicros + Math.min(freeMicros, this.targetMicros);
  }

  /**
   * Records a request to the store. `expectedMicros` is the money that bids are likely to reserve before the next
   * request.
   */
  request(expectedMicros: Micros, nowMs: number): void {
    this.chargedMicros = 0;
    this.#isStored = true;
    this.requestedAtMs = nowMs;
    this.#reportedMicros = this.reservedMicros + expectedMicros;
  }

  /** Applies the store's response to the last request. */
  apply({ micros, roomMicros, bound, pace }: Lease): void {
    this.micros = micros - this.chargedMicros;
    this.chargedMicros = 0;
    this.#isStored = micros > 0;
    this.#storedMicros = micros;
    if (roomMicros < 0) this.micros -= Math.min(Math.max(0, this.freeMicros), -roomMicros);
    this.bound = bound;
    this.pace = pace;
  }
}

/** A lease covers this many intervals of renewal at the recent rate of bidding … */
const LEASE_INTERVALS = 3;
/** … at least this many impressions, */
const LEASE_IMPRESSIONS_MIN = 50;
/** … and at most this part of a budget, and this amount. */
const LEASE_PART_MAX = 0.01;
const LEASE_MICROS_MAX = 20_000_000;
/** Money likely to be bid before the next request: this many intervals at the recent rate. */
const NEXT_INTERVALS = 3;
/** After this long without an offer an ad set leases one impression only, enough for the next offer. */
const IDLE_SECONDS = 30;

/** Counters of one ad set's offers and bids, from which the lease that it wants follows. */
export class AdsetDemand {
  /** Since the last call of {@link nextTarget}: money bid, whether the lease was too small for a bid, and matching offers. */
  committedMicros: Micros = 0;
  missed = false;
  offers = 0;
  /** Offers that {@link takeOffers} has not returned yet. */
  #uncountedOffers = 0;
  /** Time since the last offer. */
  #idleSeconds = 0;
  #microsPerSecond = 0;

  /** Upper estimate of the money that bids will reserve before the next request. */
  expectedMicros(intervalSeconds: number): Micros {
    return Math.ceil(this.#microsPerSecond * NEXT_INTERVALS * intervalSeconds);
  }

  /**
   * Computes the unreserved money that an ad set wants in its lease, from what happened in the `elapsedSeconds` since the
   * last call and from the previous target, and starts the counters again. An impression costs at most `unitMicros`; the
   * lease is renewed every `intervalSeconds`.
   */
  nextTarget(
    targetMicros: Micros,
    { unitMicros, budgetMicros }: { unitMicros: Micros; budgetMicros: Micros },
    elapsedSeconds: number,
    intervalSeconds: number,
  ): Micros {
    const now = this.committedMicros / elapsedSeconds;
    // The rate rises at once and falls slowly.
    this.#microsPerSecond = Math.max(now, this.#microsPerSecond * 0.7 + now * 0.3);
    const atLeast = LEASE_IMPRESSIONS_MIN * unitMicros;
    const atMost = Math.max(atLeast, Math.min(LEASE_MICROS_MAX, budgetMicros * LEASE_PART_MAX));
    const wished = Math.max(
      atLeast,
      this.#microsPerSecond * LEASE_INTERVALS * intervalSeconds,
      this.missed ? targetMicros * 2 : 0,
    );
    this.#idleSeconds = this.offers > 0 ? 0 : this.#idleSeconds + elapsedSeconds;
    const target = this.#idleSeconds > IDLE_SECONDS ? unitMicros : Math.min(atMost, wished);
    this.#uncountedOffers += this.offers;
    this.committedMicros = 0;
    this.offers = 0;
    this.missed = false;
    return Math.floor(target);
  }

  /** Offers counted since the last call, up to the last request. */
  takeOffers(): number {
    const offers = this.#uncountedOffers;
    this.#uncountedOffers = 0;
    return offers;
  }
}

/** How long a planned rate of spending is used. */
const PLAN_EVERY_MS = 10_000;

/** How long the parts of a day that are open are used where they depend on the traffic. */
const OPEN_PARTS_MS = 3_600_000;

/** What an ad set's plan of a day depends on. The functions are only called to plan. */
export interface PlanInput {
  timeZone: string;
  hours: CompiledHours | null;
  /** The end of its flight, Unix ms. */
  runsUntilMs: number;
  trafficProfile: () => readonly number[];
  /** The clocks of the devices that it reaches. */
  clocks: () => readonly ClockShare[];
}

/** Planned share per second of the money that remains of an evenly paced ad set's day. Planned again every ten seconds. */
export class PlannedShare {
  #plan: PacePlan = 0;
  /** By the store's clock. */
  #plannedAtMs = -Infinity;
  /** The company's day, and what it was made from. */
  #day: OpenDay & Pick<PlanInput, 'timeZone' | 'hours' | 'runsUntilMs'> & { madeAtMs: number } = {
    startMs: 0,
    endMs: 0,
    open: null,
    timeZone: '',
    hours: null,
    runsUntilMs: Infinity,
    madeAtMs: -Infinity,
  };

  /** Whether the ad set was closed when it was planned last. */
  get isClosed(): boolean {
    return this.#plan === 'closed';
  }

  /** The plan at an instant of the store's clock. */
  at(storeMs: number, input: PlanInput): PacePlan {
    const isNew = this.#isOutdated(storeMs, input);
    if (!isNew && Math.abs(storeMs - this.#plannedAtMs) < PLAN_EVERY_MS) return this.#plan;
    if (isNew) this.#day = openDay(storeMs, input);
    this.#plannedAtMs = storeMs;
    this.#plan = sharePerSecond(input.trafficProfile(), this.#day, storeMs) ?? 'closed';
    return this.#plan;
  }

  #isOutdated(storeMs: number, { timeZone, hours, runsUntilMs }: PlanInput): boolean {
    const day = this.#day;
    if (storeMs < day.startMs || storeMs >= day.endMs) return true;
    if (day.timeZone !== timeZone || day.hours !== hours || day.runsUntilMs !== runsUntilMs) return true;
    return hours?.zone === 'device' && Math.abs(storeMs - day.madeAtMs) >= OPEN_PARTS_MS;
  }
}

function openDay(storeMs: number, { timeZone, hours, runsUntilMs, clocks }: PlanInput) {
  const day = dayAt(storeMs, timeZone);
  const open = hours && openParts(hours, day, hours.zone === 'device' ? clocks() : []);
  return { ...day, open: beforeEnd(day, open, runsUntilMs), timeZone, hours, runsUntilMs, madeAtMs: storeMs };
}
