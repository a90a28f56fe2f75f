import type { Micros } from '@bidwell/contract/lib/money';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { DeduplicationWindow } from '@bidwell/server/delivery/event-log/deduplication-window';
import { type DeviceTime, isOpen, zoneClock } from '@bidwell/server/delivery/matching/hours-stage';
import { Budgets } from '@bidwell/server/delivery/pacing/budgets';
import type { ClockShare } from '@bidwell/server/delivery/pacing/open-hours';
import { QUARTERS, QUARTER_MS, dayAt } from '@bidwell/server/delivery/pacing/pace';
import { type DayOfOffers, FLAT, learnTrafficProfile } from '@bidwell/server/delivery/pacing/traffic-profile';
import type { Candidate } from '@bidwell/server/delivery/model/candidate';
import { addToSum } from '@bidwell/server/platform/group-by';
import { MemoryLeases } from './memory-leases.ts';

/** Parameters of a pacing simulation: exchanges, notices and bidders. Probabilities are between 0 and 1. */
export interface SimulationSettings {
  seed: number;
  days: number;
  startMs: number;
  /** Interval at which bidders request leases and notices arrive; a divisor of a minute. */
  stepMs: number;
  bidders: number;
  /** Ad sets of one company; each matches every bid request in its hours. */
  adsets: readonly Candidate[];
  /** Clocks of the devices; absent where all have the company's. */
  clocks?: readonly ClockShare[];
  /** Countries of the offers, each as often; absent where they are not known. */
  countries?: readonly string[];
  fundsMicros: Micros;
  /** Traffic profile: relative traffic by quarter hour of the company's day. */
  trafficProfile: readonly number[];
  offersPerDay: number;
  bidMicros: Micros;
  clearingMicros: Micros;
  wins: number;
  /** Share of lost bids for which the exchange sends a loss notice. */
  lossNotices: number;
  lostNotices: number;
  duplicateNotices: number;
  /** Share of notices that arrive up to half an hour late instead of within seconds. */
  lateNotices: number;
  /** Largest clock skew of a bidder, in either direction. */
  skewMs: number;
  /** Times at which bidders are killed, in hours from the start; each restarts a minute later with a new id. */
  kills: readonly number[];
}

export interface DayOfSpend {
  spentMicros: Micros;
  /** By quarter hour of the company's day. */
  spentByQuarter: number[];
  offersByQuarter: number[];
}

export interface SimulationResult {
  days: DayOfSpend[];
  spentByAdset: Map<string, Micros>;
  /** By country, of all days. */
  spentByCountry: Map<string, Micros>;
  /** Charges of each day if every bid request had received a bid. */
  supplyMicros: Micros[];
  bids: number;
}

interface Bidder {
  id: string;
  budgets: Budgets;
  skewMs: number;
  backAtMs: number;
}

/** A notice in transit. */
interface Notice {
  bidId: string;
  bidderId: string;
  adset: Candidate;
  country: string | undefined;
  charged: boolean;
  micros: Micros;
  held: { adsetId: string; country?: string; micros: Micros };
}

/** A seeded random number generator (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Simulates days of bidding with the server's own budget accounting and leases in memory. Calls `eachStep` with the store
 * after each step.
 */
export function simulate(
  settings: SimulationSettings,
  eachStep: (store: MemoryLeases, nowMs: number) => void = () => {},
): SimulationResult {
  const run = new Run(settings);
  const endMs = settings.startMs + settings.days * 86_400_000;
  for (let nowMs = settings.startMs; nowMs < endMs; nowMs += settings.stepMs) {
    run.step(nowMs);
    eachStep(run.store, nowMs);
  }
  return run.result;
}

class Run {
  readonly store: MemoryLeases;
  readonly result: SimulationResult = {
    days: [],
    spentByAdset: new Map(),
    spentByCountry: new Map(),
    supplyMicros: [],
    bids: 0,
  };
  readonly #settings: SimulationSettings;
  readonly #random: () => number;
  readonly #bidders: Bidder[];
  readonly #notices = new Map<number, Notice[]>();
  readonly #seen = new DeduplicationWindow(0);
  readonly #offers = new Map<string, Map<number, number[]>>();
  readonly #profiles = new Map<string, readonly number[]>();
  readonly #profileSum: number;
  readonly #clock = zoneClock();
  #nowMs: number;
  #kills: number[];

  constructor(settings: SimulationSettings) {
    this.#settings = settings;
    this.#random = randomOf(settings.seed);
    this.#nowMs = settings.startMs;
    this.#kills = settings.kills.map((hours) => settings.startMs + hours * 3_600_000);
    this.#profileSum = settings.trafficProfile.reduce((total, part) => total + part, 0);
    this.store = new MemoryLeases(() => this.#nowMs, settings.adsets[0]!.timeZone);
    this.#bidders = Array.from({ length: settings.bidders }, () => this.#bidder());
  }

  step(nowMs: number): void {
    this.#nowMs = nowMs;
    const { startMs } = dayStart(this.#settings, nowMs);
    const quarter = Math.min(QUARTERS - 1, Math.floor((nowMs - startMs) / QUARTER_MS));
    const day = Math.floor((nowMs - this.#settings.startMs) / 86_400_000);
    this.result.days[day] ??= { spentMicros: 0, spentByQuarter: zeros(), offersByQuarter: zeros() };
    this.result.supplyMicros[day] ??= 0;
    this.#kill(nowMs);
    this.#deliver(nowMs, this.result.days[day], quarter);
    for (const bidder of this.#bidders) if (nowMs >= bidder.backAtMs) this.#sync(bidder);
    if (nowMs % 60_000 === 0) this.#learn();
    const { offersPerDay, trafficProfile, stepMs } = this.#settings;
    const mean = (offersPerDay * trafficProfile[quarter]! * stepMs) / this.#profileSum / QUARTER_MS;
    for (let left = poisson(mean, this.#random); left > 0; left -= 1) this.#offer(day, quarter);
  }

  #bidder(): Bidder {
    const trafficProfileOf = (adsetId: string) => this.#profiles.get(adsetId) ?? FLAT;
    const clocksOf = () => this.#settings.clocks ?? [];
    const budgets = new Budgets({ random: this.#random, trafficProfileOf, clocksOf });
    budgets.setFunds(new Map([[this.#settings.adsets[0]!.companyId, this.#settings.fundsMicros]]));
    budgets.setCandidates(this.#settings.adsets);
    return {
      id: uuidv4(),
      budgets,
      skewMs: Math.round((this.#random() * 2 - 1) * this.#settings.skewMs),
      backAtMs: this.#nowMs,
    };
  }

  #kill(nowMs: number): void {
    if (this.#kills.length === 0 || nowMs < this.#kills[0]!) return;
    this.#kills.shift();
    const index = Math.floor(this.#random() * this.#bidders.length);
    this.#bidders[index] = { ...this.#bidder(), backAtMs: nowMs + 60_000 };
  }

  #sync({ id, budgets, skewMs }: Bidder): void {
    const localMs = this.#nowMs + skewMs;
    const requests = budgets.requests(localMs);
    // Occasionally the response is lost, so the bidder does not know whether its requests were granted.
    const lost = this.#random() < 0.001;
    const response = this.store.syncNow(id, requests);
    if (!lost) budgets.applyResponse(response, localMs);
    else for (const outcome of response.outcomes) budgets.settle(outcome, localMs);
  }

  #offer(day: number, quarter: number): void {
    const { bidMicros, clearingMicros, wins, adsets } = this.#settings;
    this.result.days[day]!.offersByQuarter[quarter]! += 1;
    const bidder = this.#bidders[Math.floor(this.#random() * this.#bidders.length)]!;
    const adset = adsets[Math.floor(this.#random() * adsets.length)]!;
    if (adset.hours && !isOpen(adset.hours, this.#device(), this.#nowMs, this.#clock)) return;
    const won = this.#random() < wins;
    if (won) this.result.supplyMicros[day]! += clearingMicros;
    if (this.#nowMs < bidder.backAtMs) return;
    const localMs = this.#nowMs + bidder.skewMs;
    const { countries = [] } = this.#settings;
    const country = countries[Math.floor(this.#random() * countries.length)];
    if (bidder.budgets.noBidReason(adset, bidMicros, localMs, country) !== null) return;
    const bidId = uuidv7({ msecs: Math.max(0, localMs) });
    const terms = { exchange: '', expiresAfterSeconds: null, country };
    bidder.budgets.reserve(bidId, adset, bidMicros, localMs, terms);
    this.result.bids += 1;
    this.#outcome({
      bidId,
      bidderId: bidder.id,
      adset,
      country,
      charged: won,
      micros: won ? clearingMicros : 0,
      held: { adsetId: adset.adsetId, country, micros: bidMicros },
    });
  }

  /** What a bid request says of the time on its device. */
  #device(): DeviceTime {
    const clocks = this.#settings.clocks ?? [];
    let left = this.#random() * clocks.reduce((sum, { weight }) => sum + weight, 0);
    const { clock } = clocks.find(({ weight }) => (left -= weight) < 0) ?? { clock: null };
    return { country: '', regions: [], utcOffsetMinutes: typeof clock === 'number' ? clock : null };
  }

  #outcome(notice: Notice): void {
    const { lossNotices, lostNotices, duplicateNotices, lateNotices } = this.#settings;
    if (!notice.charged && this.#random() >= lossNotices) return;
    if (this.#random() < lostNotices) return;
    const times = this.#random() < duplicateNotices ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const late = this.#random() < lateNotices;
      const delaySeconds = late ? this.#random() * 1800 : 1 - Math.log(1 - this.#random()) * 4;
      const { stepMs } = this.#settings;
      const atMs = this.#nowMs + Math.ceil((delaySeconds * 1000) / stepMs) * stepMs;
      const waiting = this.#notices.get(atMs);
      if (waiting) waiting.push(notice);
      else this.#notices.set(atMs, [notice]);
    }
  }

  /** Simulates trackers: deduplicates and books notices, then reports the outcome to the bid's bidder. */
  #deliver(nowMs: number, day: DayOfSpend, quarter: number): void {
    const due = this.#notices.get(nowMs);
    if (!due) return;
    this.#notices.delete(nowMs);
    const fresh = due.filter(({ bidId, charged }) => this.#seen.add(bidId, charged ? 0 : 1));
    const spends = fresh.map(({ adset: { adsetId, companyId }, country, micros }) => ({
      adsetId,
      companyId,
      country,
      micros,
    }));
    // Some notices reach the process that made the bid, most reach another one.
    const local = new Set(fresh.filter(() => this.#random() < 1 / this.#bidders.length));
    this.store.book(
      spends,
      fresh.filter((notice) => !local.has(notice)),
    );
    for (const { bidId, bidderId, charged } of local) {
      const bidder = this.#bidders.find(({ id }) => id === bidderId);
      bidder?.budgets.settle({ bidId, charged }, nowMs + bidder.skewMs);
    }
    for (const { micros, adset, country } of fresh) {
      if (country) addToSum(this.result.spentByCountry, country, micros);
      day.spentMicros += micros;
      day.spentByQuarter[quarter]! += micros;
      addToSum(this.result.spentByAdset, adset.adsetId, micros);
    }
  }

  #learn(): void {
    const date = Math.floor(this.#nowMs / 86_400_000);
    const quarter = Math.floor(this.#nowMs / QUARTER_MS) % QUARTERS;
    for (const { budgets } of this.#bidders) {
      for (const { adsetId, offers } of budgets.takeOffers()) {
        const days = this.#offers.get(adsetId) ?? new Map<number, number[]>();
        this.#offers.set(adsetId, days);
        const counts = days.get(date) ?? [];
        days.set(date, counts);
        counts[quarter] = (counts[quarter] ?? 0) + offers;
      }
    }
    if (this.#nowMs % QUARTER_MS !== 0) return;
    for (const [adsetId, days] of this.#offers) {
      // Exclude the current day, which would look as if it had no traffic after now.
      const past: DayOfOffers[] = [...days.entries()]
        .filter(([day]) => day < date)
        .reverse()
        .map(([, counts]) => Array.from({ length: QUARTERS }, (_, index) => counts[index] ?? null));
      this.#profiles.set(adsetId, learnTrafficProfile(past, FLAT));
    }
  }
}

const zeros = (): number[] => FLAT.map(() => 0);

let lastDay = { startMs: 0, endMs: 0 };
function dayStart({ adsets }: SimulationSettings, nowMs: number): { startMs: number } {
  if (nowMs < lastDay.startMs || nowMs >= lastDay.endMs) lastDay = dayAt(nowMs, adsets[0]!.timeZone);
  return lastDay;
}

function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** Total variation distance of two distributions over a day: 0 if they are equal, 1 if they do not overlap. */
export function distance(a: readonly number[], b: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) || 1;
  const [sumA, sumB] = [sum(a), sum(b)];
  return a.reduce((total, value, index) => total + Math.abs(value / sumA - b[index]! / sumB), 0) / 2;
}
