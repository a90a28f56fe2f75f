/**
 * Weeks of an advertiser that buys what people do after the install, on the sample exchange: people purchase hours to days later, as
 * the behaviour of the exchange has it, and from the middle on other publishers' people are the ones that purchase. The bidder
 * learns installs from events at once, and values as the server does, from rows read at an interval.
 */
import type { Algorithm } from '@bidwell/contract/adsets/schema';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { clickProbability, installProbability } from '@bidwell/exchange/behaviour';
import { type Person, payFactor } from '@bidwell/exchange/in-app-behaviour';
import { type Random, hashOf, logNormal, seededRandom } from '@bidwell/exchange/random';
import { trafficLevelAt } from '@bidwell/exchange/traffic/countries';
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import { LearningSums } from '@bidwell/server/delivery/learning/counts';
import {
  type Conversion,
  type InstallGroup,
  LearnedGoal,
} from '@bidwell/server/delivery/learning/value-model';
import type { InstallValues } from '@bidwell/server/delivery/learning/install-values';
import type { Learning } from '@bidwell/server/delivery/learning/learning';
import type { AdsetRow, Candidate, Creative } from '@bidwell/server/delivery/model/candidate';
import type { BidRef, EventKind } from '@bidwell/server/delivery/model/event';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import {
  type WonImpression,
  leaseBudgets,
  offerOpportunity,
  rivalsOf,
  simulatedBidder,
  simulatedWorld,
} from './simulated-bidder.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const VALUE_DAYS = 21;
/** Figures are of the days from here on, in which a window has passed, and which hold the drift. */
const MEASURED_FROM_DAY = 8;
const DRIFT_DAY = VALUE_DAYS / 2;
const LEARN_EVERY_MS = 6 * HOUR_MS;
const WINDOW_MS = 8 * DAY_MS;
/** How late a measurement partner calls. */
const INSTALL_DELAY_MS = 600_000;
/** Spread of the factor by which the purchases of a publisher's people change in the middle. */
const DRIFT_SIGMA = 0.35;

/** Share of people who purchase, by what their publisher and country multiply; and what they pay, in dollars. */
const PURCHASE_RATE = 0.07;
const PURCHASE_DOLLARS = 5;
/** Spread of the revenue of those who pay: the tenth that pays most pays 43 % of all. */
const REVENUE_SIGMA = 1.1;
/** Median of the hours from the install to the purchase, and its spread: half come on the first day, some after a week. */
const PURCHASE_HOURS = 20;
const PURCHASE_HOURS_SIGMA = 1.3;

/** Expected revenue of a person who purchases, in dollars: people of some publishers pay four times as much as of others. */
function purchaseDollars({ bundle, country }: Person): number {
  const factor = (text: string, low: number, high: number) =>
    low + (high - low) * seededRandom(hashOf(text))();
  return PURCHASE_DOLLARS * factor(`amount ${bundle}`, 0.4, 1.6) * factor(`amount ${country}`, 0.6, 1.4);
}

const drawPurchaseDollars = (random: Random, person: Person): number =>
  logNormal(random, purchaseDollars(person) * Math.exp(-(REVENUE_SIGMA ** 2) / 2), REVENUE_SIGMA);

const drawPurchaseDelayMs = (random: Random): number =>
  logNormal(random, PURCHASE_HOURS, PURCHASE_HOURS_SIGMA) * HOUR_MS;

export interface ValueSettings {
  algorithm: Algorithm;
  /** Dollars. */
  cpa?: number;
  cpi?: number;
  /** Percent. */
  roas?: number;
  cpmDollars: number;
  dailyBudgetMicros: Micros | null;
  /** Bids by the true values of installs instead of what is learned. */
  knowsValues?: boolean;
}

export interface ValueWeeks {
  spentMicros: number;
  /** Expected, by the true probabilities of the bought impressions, within the window. */
  installs: number;
  people: number;
  revenueDollars: number;
}

/** Share of the purchases that come within the window. */
const WITHIN_WINDOW = (() => {
  const random = seededRandom(1);
  const draws = 20_000;
  let within = 0;
  for (let draw = 0; draw < draws; draw += 1) if (drawPurchaseDelayMs(random) < WINDOW_MS) within += 1;
  return within / draws;
})();

/** Factor on the purchases of a publisher's people after the drift, the same for each run. */
const driftOf = (bundle: string): number =>
  logNormal(seededRandom(hashOf(`drift ${bundle}`)), 1, DRIFT_SIGMA);

/** The world of an advertiser: the same people, slots and rival bids for all. */
export interface ValueWorld {
  requestsPerDay: number;
  startsAtMs: number;
  seed: number;
  creatives: Creative[];
}

/** Runs the weeks. */
export function runValueWeeks(
  settings: ValueSettings,
  { requestsPerDay, startsAtMs, seed, creatives }: ValueWorld,
): ValueWeeks {
  const random = seededRandom(seed);
  const chance = seededRandom(seed + 1);
  const traffic = createTraffic({ random, worldSeed: seed, secure: true });
  const world = simulatedWorld(startsAtMs, chance);
  const bidder = simulatedBidder(world, [rowOf(settings, creatives)]);
  const { clock, learning } = world;
  const adset = bidder.snapshot.candidates[0]!;
  const purchaseChance = purchaseChances(startsAtMs + DRIFT_DAY * DAY_MS);
  const record = new PurchaseRecord(adset, startsAtMs);
  if (settings.knowsValues) learning.values.micros = trueMicros(adset, clock, purchaseChance);
  const weeks: ValueWeeks = { spentMicros: 0, installs: 0, people: 0, revenueDollars: 0 };
  const sums = new LearningSums();
  const later: { atMs: number; happen: () => void }[] = [];
  const onWin = ({ ref, spendMicros, impression }: WonImpression): void => {
    const { nowMs } = clock;
    const buyer: Person = { bundle: ref.bundle, country: ref.country };
    const happen = (kind: EventKind, atMs: number): void => {
      const ownSpend = kind === 'billing' ? spendMicros : 0;
      sums.addEvent({ kind, atMs, ref, spendMicros: ownSpend, lossReason: 0, mark: '' });
      learning.learn(sums.take(), atMs, ({ bundle, country }) =>
        learning.values.micros(adset, bundle, country),
      );
    };
    const clickChance = clickProbability(impression);
    const installChance = installProbability(impression);
    const buyChance = purchaseChance(buyer, nowMs);
    if (nowMs >= startsAtMs + MEASURED_FROM_DAY * DAY_MS) {
      const expected = clickChance * installChance;
      const people = expected * buyChance * WITHIN_WINDOW;
      weeks.spentMicros += spendMicros;
      weeks.installs += expected;
      weeks.people += people;
      weeks.revenueDollars += people * purchaseDollars(buyer);
    }
    happen('billing', nowMs);
    happen('impression', nowMs);
    if (chance() >= clickChance) return;
    later.push({ atMs: nowMs + 5000, happen: () => happen('click', nowMs + 5000) });
    if (chance() >= installChance) return;
    const installedAtMs = nowMs + INSTALL_DELAY_MS;
    later.push({ atMs: installedAtMs, happen: () => happen('install', installedAtMs) });
    record.install(buyer, installedAtMs);
    if (chance() < buyChance) record.purchase(buyer, installedAtMs, chance);
  };
  const gapMs = DAY_MS / requestsPerDay;
  for (let nowMs = startsAtMs; nowMs < startsAtMs + VALUE_DAYS * DAY_MS;) {
    while (later[0] && later[0].atMs <= nowMs) later.shift()!.happen();
    clock.nowMs = nowMs;
    if (!settings.knowsValues) record.learn(learning, nowMs);
    leaseBudgets(world, bidder);
    const opportunity = traffic.next(nowMs);
    const rivals = rivalsOf(opportunity, random);
    const observer = { onBid: (ref: BidRef) => sums.addBid(ref), onWin };
    if (opportunity.person.os === 'android') offerOpportunity(world, bidder, opportunity, rivals, observer);
    nowMs += gapMs / trafficLevelAt(nowMs);
  }
  return weeks;
}

function rowOf(settings: ValueSettings, creatives: Creative[]): AdsetRow {
  return adsetRowOf({
    adsetId: '00000000-0000-7000-8000-0000000000ad',
    algorithm: settings.algorithm,
    cpmMicros: toMicros(settings.cpmDollars),
    cpiMicros: settings.cpi === undefined ? null : toMicros(settings.cpi),
    dailyBudgetMicros: settings.dailyBudgetMicros,
    goal: {
      event: 'purchase',
      cpaMicros: settings.cpa === undefined ? null : toMicros(settings.cpa),
      roasPercent: settings.roas ?? null,
      windowDays: 7,
      byCountry: [],
    },
    creatives,
  });
}

type PurchaseChance = (of: Person, atMs: number) => number;

function purchaseChances(driftsAtMs: number): PurchaseChance {
  const drifts = new Map<string, number>();
  return (of, atMs) => {
    const before = PURCHASE_RATE * payFactor(of);
    if (atMs < driftsAtMs) return before;
    let drift = drifts.get(of.bundle);
    if (drift === undefined) drifts.set(of.bundle, (drift = driftOf(of.bundle)));
    return Math.min(1, before * drift);
  };
}

/** What an install may cost by the true values. */
function trueMicros(
  { goal }: Candidate,
  clock: { nowMs: number },
  purchaseChance: PurchaseChance,
): InstallValues['micros'] {
  return (_adset, bundle, country) => {
    const of = { bundle, country };
    const people = purchaseChance(of, clock.nowMs) * WITHIN_WINDOW;
    return people * (goal!.event !== null ? 1 : toMicros(purchaseDollars(of))) * goal!.price;
  };
}

/** Installs and purchases of an ad set, as the server's tables have them. */
class PurchaseRecord {
  readonly #adset: Candidate;
  readonly #installs: (Person & { atMs: number })[] = [];
  readonly #purchases: (Omit<Conversion, 'ageMs'> & { installedAtMs: number })[] = [];
  #learnedAtMs: number;

  constructor(adset: Candidate, startsAtMs: number) {
    this.#adset = adset;
    this.#learnedAtMs = startsAtMs;
  }

  install(buyer: Person, atMs: number): void {
    this.#installs.push({ ...buyer, atMs });
  }

  purchase(buyer: Person, installedAtMs: number, chance: Random): void {
    this.#purchases.push({
      adsetId: this.#adset.adsetId,
      ...buyer,
      person: String(this.#purchases.length),
      installedAtMs,
      delayMs: drawPurchaseDelayMs(chance),
      value: toMicros(Number(drawPurchaseDollars(chance, buyer).toFixed(2))),
    });
  }

  /** Learns the values of the installs so far, if it is time to, by what has come of them so far. */
  learn(learning: Learning, nowMs: number): void {
    const { adsetId, goal } = this.#adset;
    if (!goal || nowMs - this.#learnedAtMs < LEARN_EVERY_MS) return;
    this.#learnedAtMs = nowMs;
    const learned = new LearnedGoal(
      {
        windowMs: WINDOW_MS,
        isRevenue: goal.event === null,
        installs: this.#groups(nowMs),
        conversions: this.#purchases
          .filter(({ installedAtMs, delayMs }) => installedAtMs + delayMs <= nowMs)
          .map(({ installedAtMs, ...one }) => ({ ...one, ageMs: nowMs - installedAtMs })),
      },
      goal.priorInstallMicros / goal.price,
    );
    learning.values.replace([], new Map([[adsetId, { goal, learned }]]));
  }

  /** The groups that the server's query returns. */
  #groups(nowMs: number): InstallGroup[] {
    const groups = new Map<string, InstallGroup>();
    for (const { bundle, country, atMs } of this.#installs) {
      const ageMs = nowMs - atMs;
      if (ageMs <= 0) continue;
      const age = ageMs < DAY_MS ? Math.floor(ageMs / (3 * HOUR_MS)) : 8 + Math.floor(ageMs / DAY_MS);
      const key = `${age} ${country} ${bundle}`;
      const group = groups.get(key);
      if (!group) groups.set(key, { adsetId: this.#adset.adsetId, bundle, country, installs: 1, ageMs });
      else {
        group.ageMs += (ageMs - group.ageMs) / (group.installs + 1);
        group.installs += 1;
      }
    }
    return [...groups.values()];
  }
}
