/**
 * Weeks of advertisers that buy what people do after the install, on the sample exchange: people purchase hours to days later, and
 * from the middle on other publishers' people are the ones that purchase. A bidder learns installs from events at once, and values
 * as the server does, from rows read at an interval.
 */
import type { Algorithm } from '@bidwell/contract/adsets/goals';
import { toMicros } from '@bidwell/contract/lib/money';
import { clickProbability, installProbability } from '@bidwell/exchange/behaviour';
import type { Person } from '@bidwell/exchange/in-app-behaviour';
import { type Random, seededRandom } from '@bidwell/exchange/random';
import { trafficLevelAt } from '@bidwell/exchange/traffic/countries';
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import { LearningSums } from '@bidwell/server/delivery/learning/counts';
import type { AdsetRow, Candidate, Creative } from '@bidwell/server/delivery/model/candidate';
import type { BidRef, EventKind } from '@bidwell/server/delivery/model/event';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { PurchaseRecord } from './purchase-record.ts';
import {
  type SimulatedBidder,
  type SimulatedWorld,
  type WonImpression,
  leaseBudgets,
  offerOpportunity,
  rivalsOf,
  simulatedBidder,
  simulatedWorld,
} from './simulated-bidder.ts';
import { DAY_MS, PurchaseWorld, drawPurchaseDelayMs } from './value-world.ts';

const VALUE_DAYS = 21;
/** Figures are of the days from here on, in which a window has passed, and which hold the drift. */
const MEASURED_FROM_DAY = 8;
const DRIFT_DAY = VALUE_DAYS / 2;
const LEARN_EVERY_MS = DAY_MS / 4;
/** How late a click is counted, and how late a measurement partner calls. */
const CLICK_DELAY_MS = 5000;
const INSTALL_DELAY_MS = 600_000;
const LEASE_EVERY_MS = 60_000;

/** An advertiser of the weeks. */
export interface ValueSettings {
  algorithm: Algorithm;
  /** Dollars. */
  cpa?: number;
  cpi?: number;
  /** Percent. */
  roas?: number;
  cpmDollars: number;
  /** Assumed value of installs: learned unless given; the truth; or the same number of dollars for all. */
  values?: 'true' | number;
}

/** The purchases of an advertiser in the measured days. */
export interface ValueWeeks {
  spentMicros: number;
  impressions: number;
  /** Expected, by the true probabilities of the bought impressions, within the window. */
  installs: number;
  people: number;
  revenueDollars: number;
  /** Auctions in the measured days, including auctions without a bid of the advertiser. */
  auctions: number;
  /** The measured days. */
  days: number;
}

/** The world of the advertisers: the same people, slots and rival bids for all. */
export interface ValueWorld {
  /** Simulated requests. Each represents `copies` equal requests, with the same bids and people who decide for themselves. */
  requestsPerDay: number;
  copies: number;
  startsAtMs: number;
  seed: number;
  creatives: Creative[];
}

/** Runs the weeks of advertisers that do not meet each other: each has the exchange to itself. */
export function runValueWeeks(
  all: readonly ValueSettings[],
  { requestsPerDay, copies, startsAtMs, seed, creatives }: ValueWorld,
): ValueWeeks[] {
  const random = seededRandom(seed);
  const traffic = createTraffic({ random, worldSeed: seed, secure: true });
  const purchases = new PurchaseWorld(seed, startsAtMs + DRIFT_DAY * DAY_MS);
  const measuredFromMs = startsAtMs + MEASURED_FROM_DAY * DAY_MS;
  const advertisers = all.map(
    (settings) =>
      new Advertiser({ settings, copies, creatives, purchases, startsAtMs, measuredFromMs, seed }),
  );
  let auctions = 0;
  const gapMs = DAY_MS / requestsPerDay;
  for (let nowMs = startsAtMs; nowMs < startsAtMs + VALUE_DAYS * DAY_MS;) {
    const opportunity = traffic.next(nowMs);
    if (opportunity.person.os === 'android') {
      const rivals = rivalsOf(opportunity, random);
      const parsed = readBidRequest(opportunity.request, 'sample')!;
      if (nowMs >= measuredFromMs) auctions += copies * opportunity.slots.length;
      for (const advertiser of advertisers) {
        advertiser.passTime(nowMs);
        offerOpportunity(
          advertiser.world,
          advertiser.bidder,
          opportunity,
          rivals,
          advertiser.observer,
          parsed,
        );
      }
    }
    nowMs += gapMs / trafficLevelAt(nowMs);
  }
  return advertisers.map(({ weeks }) => ({ ...weeks, auctions, days: VALUE_DAYS - MEASURED_FROM_DAY }));
}

interface AdvertiserOf {
  settings: ValueSettings;
  copies: number;
  creatives: Creative[];
  purchases: PurchaseWorld;
  startsAtMs: number;
  measuredFromMs: number;
  seed: number;
}

/** An advertiser with a bidder of its own. */
class Advertiser {
  readonly world: SimulatedWorld;
  readonly bidder: SimulatedBidder;
  readonly weeks = { spentMicros: 0, impressions: 0, installs: 0, people: 0, revenueDollars: 0 };
  readonly observer = {
    onBid: (ref: BidRef): void => this.#sums.addBid(ref),
    onWin: (won: WonImpression): void => this.#win(won),
  };
  readonly #of: AdvertiserOf;
  readonly #chance: Random;
  readonly #adset: Candidate;
  readonly #record: PurchaseRecord;
  readonly #sums = new LearningSums();
  /** Events to come, in the order of time. */
  readonly #clicks: { atMs: number; ref: BidRef }[] = [];
  readonly #installs: { atMs: number; ref: BidRef }[] = [];
  #learnedAtMs: number;
  #leasedAtMs = -Infinity;

  constructor(of: AdvertiserOf) {
    this.#of = of;
    this.#chance = seededRandom(of.seed + 1);
    this.world = simulatedWorld(of.startsAtMs, this.#chance);
    this.bidder = simulatedBidder(this.world, [rowOf(of.settings, of.creatives)]);
    this.#adset = this.bidder.snapshot.candidates[0]!;
    this.#record = new PurchaseRecord(this.#adset.adsetId);
    this.#learnedAtMs = of.startsAtMs;
    const { values } = of.settings;
    if (values === 'true') this.world.learning.values.micros = (_adset, ...place) => this.#trueMicros(place);
    else if (values !== undefined) this.world.learning.values.micros = () => toMicros(values);
  }

  /** Lets what happens up to a time happen. */
  passTime(nowMs: number): void {
    const { clock, learning } = this.world;
    for (const [kind, waiting] of [
      ['click', this.#clicks],
      ['install', this.#installs],
    ] as const)
      while (waiting[0] && waiting[0].atMs <= nowMs) {
        this.#count(kind, waiting[0]);
        this.#learn(waiting.shift()!.atMs);
      }
    clock.nowMs = nowMs;
    const { goal } = this.#adset;
    if (goal && this.#of.settings.values === undefined && nowMs - this.#learnedAtMs >= LEARN_EVERY_MS) {
      this.#learnedAtMs = nowMs;
      learning.values.set(goal.key, this.#record.learned(goal, nowMs));
    }
    if (nowMs - this.#leasedAtMs < LEASE_EVERY_MS) return;
    this.#leasedAtMs = nowMs;
    leaseBudgets(this.world, this.bidder);
  }

  #win({ ref, spendMicros, impression }: WonImpression): void {
    const { copies, purchases, measuredFromMs } = this.#of;
    const { nowMs } = this.world.clock;
    const clickChance = clickProbability(impression);
    const installChance = installProbability(impression);
    if (nowMs >= measuredFromMs) {
      const installs = copies * clickChance * installChance;
      const people = installs * purchases.peopleOf(ref, nowMs);
      this.weeks.spentMicros += copies * spendMicros;
      this.weeks.impressions += copies;
      this.weeks.installs += installs;
      this.weeks.people += people;
      this.weeks.revenueDollars += people * purchases.dollarsOf(ref);
    }
    for (let copy = 0; copy < copies; copy += 1) {
      this.#count('billing', { atMs: nowMs, ref }, spendMicros);
      this.#count('impression', { atMs: nowMs, ref });
      if (this.#chance() >= clickChance) continue;
      this.#clicks.push({ atMs: nowMs + CLICK_DELAY_MS, ref });
      if (this.#chance() >= installChance) continue;
      const installedAtMs = nowMs + INSTALL_DELAY_MS;
      this.#installs.push({ atMs: installedAtMs, ref });
      this.#record.addInstall(ref, installedAtMs);
      if (this.#chance() < purchases.chanceOf(ref, nowMs)) this.#purchase(ref, installedAtMs);
    }
    this.#learn(nowMs);
  }

  #purchase(person: Person, installedAtMs: number): void {
    const delayMs = drawPurchaseDelayMs(this.#chance);
    const dollars = this.#of.purchases.drawDollars(this.#chance, person);
    this.#record.addPurchase(person, { installedAtMs, delayMs, value: toMicros(Number(dollars.toFixed(2))) });
  }

  #count(kind: EventKind, { atMs, ref }: { atMs: number; ref: BidRef }, spendMicros = 0): void {
    this.#sums.addEvent({ kind, atMs, ref, spendMicros, lossReason: 0, mark: '' });
  }

  #learn(atMs: number): void {
    const { learning } = this.world;
    learning.learn(this.#sums.take(), atMs, ({ bundle, country }) =>
      learning.values.micros(this.#adset, bundle, country),
    );
  }

  /** The maximum price of an install by its true value. */
  #trueMicros([bundle, country]: [string, string]): number {
    const { purchases } = this.#of;
    const goal = this.#adset.goal!;
    const person = { bundle, country };
    const people = purchases.peopleOf(person, this.world.clock.nowMs);
    return people * (goal.event !== null ? 1 : toMicros(purchases.dollarsOf(person))) * goal.price;
  }
}

function rowOf(settings: ValueSettings, creatives: Creative[]): AdsetRow {
  return adsetRowOf({
    adsetId: '00000000-0000-7000-8000-0000000000ad',
    algorithm: settings.algorithm,
    cpmMicros: toMicros(settings.cpmDollars),
    cpiMicros: settings.cpi === undefined ? null : toMicros(settings.cpi),
    dailyBudgetMicros: null,
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
