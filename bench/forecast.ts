/**
 * How well forecasts hold: 30 random campaigns are forecast from a week of the sample exchange, and then each runs for a
 * day on it. Prints how many results lie within the 80 % range, and the time of a forecast from 200,000 sampled requests.
 * Runs the bidder's own auction, learning and budgets on a simulated clock, without a network.
 *
 * npm run bench -- forecast [--requests-per-day N] [--seed N] [--campaigns N] [--algorithm "Target CPA"] [--verbose]
 *
 * With an algorithm all campaigns have it. Those with Target CPA know how many people of each publisher's app convert.
 */
import { parseArgs } from 'node:util';
import { Algorithm } from '@bidwell/contract/adsets/goals';
import { toMicros } from '@bidwell/contract/lib/money';
import { SHOWN_SHARE, clickProbability, installProbability } from '@bidwell/exchange/behaviour';
import { type Random, logNormal, seededRandom } from '@bidwell/exchange/random';
import { trafficLevelAt, weekdayLevelAt } from '@bidwell/exchange/traffic/countries';
import { type Opportunity, createTraffic } from '@bidwell/exchange/traffic/generate';
import { SampleColumns } from '@bidwell/server/delivery/forecast/columns';
import { type ForecastResult, forecast } from '@bidwell/server/delivery/forecast/forecast';
import type { Range } from '@bidwell/server/delivery/forecast/ranges';
import { learnedRates } from '@bidwell/server/delivery/forecast/forecaster';
import { winCurvesOf } from '@bidwell/server/delivery/forecast/win-curves';
import { LearningSums } from '@bidwell/server/delivery/learning/counts';
import {
  type Conversion,
  type InstallGroup,
  LearnedGoal,
} from '@bidwell/server/delivery/learning/value-model';
import type { AdsetRow, Candidate } from '@bidwell/server/delivery/model/candidate';
import type { BidRef, EventKind } from '@bidwell/server/delivery/model/event';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import { runToCompletion, runYielding } from '@bidwell/server/platform/concurrency/yielding';
import { adsetRowOf, bannerOf, videoOf } from '@bidwell/testing/pacing/candidates';
import {
  type SimulatedBidder,
  type WonImpression,
  leaseBudgets,
  offerOpportunity,
  rivalsOf,
  simulatedBidder,
  simulatedWorld,
} from './load/simulated-bidder.ts';
import { COUNTRIES, SIZES } from './load/variety.ts';

const { values: options } = parseArgs({
  options: {
    'requests-per-day': { type: 'string' },
    seed: { type: 'string' },
    campaigns: { type: 'string' },
    algorithm: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const REQUESTS_PER_DAY = Number(options['requests-per-day'] ?? 30_000);
const SEED = Number(options.seed ?? 20_260_504);
const CAMPAIGNS = Number(options.campaigns ?? 30);
const ALGORITHM = Algorithm.optional().parse(options.algorithm);
const SAMPLED_MAX = 200_000;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const STARTS_AT_MS = Date.parse('2026-05-04T00:00:00Z');
const COMPANIES = 6;
/** Ad sets of these companies that run during the week, from whose bids prices and rates are learned. */
const RUNNING = 18;

const random = seededRandom(SEED);
const chance = seededRandom(SEED + 1);
const world = simulatedWorld(STARTS_AT_MS, chance);
const { clock, learning, installPrices } = world;
const traffic = createTraffic({ random, worldSeed: SEED, secure: true });
const columns = new SampleColumns(SAMPLED_MAX, true);
/** Sums of the bids and events of the week, as they are stored. */
const stored = new LearningSums();
const learned = new LearningSums();
const adsets = new Map<string, Candidate>();

/** The delivery of an ad set. */
interface Result {
  impressions: number;
  spendMicros: number;
  installs: number;
}

/** A bidder, and what it got. */
interface Running extends SimulatedBidder {
  result: Result;
}

function running(rows: AdsetRow[]): Running {
  const bidder = simulatedBidder(world, rows);
  for (const adset of bidder.snapshot.candidates) adsets.set(adset.adsetId, adset);
  return { ...bidder, result: { impressions: 0, spendMicros: 0, installs: 0 } };
}

const later: { atMs: number; happen: () => void }[] = [];

/** Adds a bid to the stored and learned data. */
function addBid(ref: BidRef): void {
  for (const sums of [stored, learned]) sums.addBid(ref);
}

/** Adds the events of a won impression to the result and to the stored and learned data. */
function addImpression({ ref, spendMicros, impression }: WonImpression, result: Result): void {
  const { nowMs } = clock;
  const happen = (kind: EventKind, atMs: number): void => {
    const event = {
      kind,
      atMs,
      ref,
      spendMicros: kind === 'billing' ? spendMicros : 0,
      lossReason: 0,
      mark: '',
    } as const;
    for (const sums of [stored, learned]) sums.addEvent(event);
  };
  happen('billing', nowMs);
  result.spendMicros += spendMicros;
  if (chance() >= SHOWN_SHARE) return;
  result.impressions += 1;
  happen('impression', nowMs);
  if (chance() >= clickProbability(impression)) return;
  later.push({ atMs: nowMs + 5000, happen: () => happen('click', clock.nowMs) });
  if (chance() >= installProbability(impression)) return;
  result.installs += 1;
  later.push({ atMs: nowMs + 600_000, happen: () => happen('install', clock.nowMs) });
}

/** Runs ad sets for a day; `onOpportunity` sees each request of it. */
function runDay(
  day: number,
  all: readonly Running[],
  onOpportunity?: (opportunity: Opportunity) => void,
): void {
  const endMs = STARTS_AT_MS + (day + 1) * DAY_MS;
  const gapMs = DAY_MS / REQUESTS_PER_DAY;
  let learnedAtMs = clock.nowMs;
  let leasedAtMs = -Infinity;
  for (clock.nowMs = endMs - DAY_MS; clock.nowMs < endMs;) {
    const { nowMs } = clock;
    while (later[0] && later[0].atMs <= nowMs) later.shift()!.happen();
    if (nowMs - leasedAtMs >= 1000) {
      leasedAtMs = nowMs;
      for (const one of all) leaseBudgets(world, one);
    }
    const opportunity = traffic.next(nowMs);
    const rivals = rivalsOf(opportunity, random);
    for (const one of all)
      offerOpportunity(world, one, opportunity, rivals, {
        onBid: addBid,
        onWin: (won) => addImpression(won, one.result),
      });
    onOpportunity?.(opportunity);
    if (nowMs - learnedAtMs > 60_000) {
      learnedAtMs = nowMs;
      learning.learn(learned.take(), nowMs, ({ adsetId, bundle, country }) =>
        learning.values.micros(adsets.get(adsetId)!, bundle, country),
      );
    }
    clock.nowMs += gapMs / (trafficLevelAt(nowMs) * weekdayLevelAt(nowMs));
  }
}

const pick = <Value>(from: readonly Value[], draw: Random): Value => from[Math.floor(draw() * from.length)]!;
const some = <Value>(from: readonly Value[], count: number, draw: Random): Value[] =>
  from
    .map((value) => ({ value, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ value }) => value);
let ids = 0;
const nextId = (): string => `00000000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;

/** A random ad set with some of the sizes, countries, systems, connections and prices that there are. */
function randomAdset(draw: Random, companyId: string, only?: Algorithm): AdsetRow {
  const sizes = some(SIZES, 1 + Math.floor(draw() * 4), draw);
  const creatives = [
    ...sizes.map(([width, height]) => ({ ...bannerOf(width, height), uuid: nextId() })),
    ...(draw() < 0.25 ? [{ ...videoOf(320, 480, 15), uuid: nextId() }] : []),
  ];
  const isIos = draw() < 0.3;
  const drawn: Algorithm = pick(
    ['Manual CPM', 'Manual CPM', 'Manual CPM', 'Target CPI', 'Max installs'],
    draw,
  );
  const algorithm = only ?? drawn;
  const countries = draw() < 0.3 ? [] : some(COUNTRIES, 1 + Math.floor(draw() * 5), draw);
  const cpm = Math.min(30, Math.max(0.1, logNormal(draw, 1.6, 0.7)));
  const hasBudget = algorithm === 'Max installs' || draw() < 0.35;
  const { app } = adsetRowOf();
  return adsetRowOf({
    adsetId: nextId(),
    companyId,
    algorithm,
    cpmMicros: toMicros(Number((algorithm === 'Manual CPM' ? cpm : cpm * 3).toFixed(2))),
    cpiMicros: algorithm === 'Target CPI' ? toMicros(Number(logNormal(draw, 1.5, 0.5).toFixed(2))) : null,
    dailyBudgetMicros: hasBudget
      ? toMicros(Number(logNormal(draw, REQUESTS_PER_DAY / 20_000, 0.8).toFixed(2)))
      : null,
    goal: {
      event: algorithm === 'Target CPA' ? 'purchase' : null,
      cpaMicros: algorithm === 'Target CPA' ? toMicros(Number(logNormal(draw, 30, 0.5).toFixed(2))) : null,
      roasPercent: null,
      windowDays: 7,
      byCountry: [],
    },
    app: { ...app, os: isIos ? 'ios' : 'android' },
    creatives,
    target: {
      location_include: countries,
      device_connection_types: draw() < 0.2 ? ['WiFi'] : [],
      device_types: draw() < 0.2 ? ['Phone'] : [],
      device_min_os_version: draw() < 0.2 ? '13' : null,
      genre_include: draw() < 0.1 ? ['Games'] : [],
    },
  });
}

const companies = Array.from({ length: COMPANIES }, () => nextId());
const plans = seededRandom(SEED + 2);
const market = running(Array.from({ length: RUNNING }, () => randomAdset(plans, pick(companies, plans))));
for (let day = 0; day < WEEK_DAYS; day += 1)
  runDay(day, [market], ({ request }) => {
    const parsed = readBidRequest(request, 'sample')!;
    columns.add({ request: parsed, atMs: clock.nowMs, weight: 1 });
  });
console.log(
  `${columns.size} requests of a week; ${RUNNING} ad sets got ${market.result.impressions} impressions`,
);

const nowMs = STARTS_AT_MS + WEEK_DAYS * DAY_MS;
const { prices, rates } = stored.take();
const wins = runToCompletion(winCurvesOf(prices));
const charges = rates.reduce((sum, row) => sum + row.charges, 0);
const impressions = rates.reduce((sum, row) => sum + row.impressions, 0);

/** Draws how many people of each publisher's app convert, and what 200 installs in each app have shown of it. */
function learnedPurchases(draw: Random): LearnedGoal {
  const rateOf = new Map<string, number>();
  const places = new Map(rates.map(({ bundle, country }) => [`${bundle} ${country}`, { bundle, country }]));
  const [installs, conversions] = [[] as InstallGroup[], [] as Conversion[]];
  for (const [place, at] of places) {
    const rate = rateOf.get(at.bundle) ?? Math.min(0.5, logNormal(draw, 0.05, 0.7));
    rateOf.set(at.bundle, rate);
    const of = { ...at, adsetId: 'other', ageMs: 10 * DAY_MS };
    installs.push({ ...of, installs: 200 });
    for (let person = 0; person < 200; person += 1)
      if (draw() < rate) conversions.push({ ...of, person: `${place} ${person}`, delayMs: 1000, value: 1 });
  }
  return new LearnedGoal({ windowMs: 8 * DAY_MS, isRevenue: false, installs, conversions }, 0.05);
}

/** Forecasts an ad set; the time in `ms`. */
async function forecastOf(row: AdsetRow): Promise<{ result: ForecastResult; ms: number }> {
  const beganMs = performance.now();
  const adset = compileSnapshot([row]).candidates[0]!;
  const daily = adset.dailyBudgetMicros ?? Infinity;
  const result = await runYielding(
    forecast(columns, {
      nowMs,
      adset,
      rivals: [],
      limits: { dailyBudget: daily, totalBudget: Infinity, balance: Infinity },
      wins,
      shownShareOf: () => impressions / charges,
      ...learnedRates(learning, adset, installPrices),
      withCurve: true,
    }),
  );
  if (!('impressions' in result)) throw new Error('The sample is too small for a forecast.');
  return { result, ms: performance.now() - beganMs };
}

const purchases = learnedPurchases(seededRandom(SEED + 3));
const campaigns: { row: AdsetRow; forecast: ForecastResult; ms: number; run: Running }[] = [];
while (campaigns.length < CAMPAIGNS) {
  const row = randomAdset(plans, pick(companies, plans), ALGORITHM);
  const { goal } = compileSnapshot([row]).candidates[0]!;
  if (goal) learning.values.set(goal.key, purchases);
  const { result, ms } = await forecastOf(row);
  // Campaigns without any expected delivery prove nothing.
  if (result.impressions.about < 5) continue;
  campaigns.push({ row, forecast: result, ms, run: running([row]) });
}
for (let day = 0; day < WEEK_DAYS; day += 1)
  runDay(
    WEEK_DAYS + day,
    campaigns.filter((_campaign, index) => index % WEEK_DAYS === day).map(({ run }) => run),
  );

const isInside = ({ low, high }: Range, value: number): boolean => value >= low && value <= high;
const inside = { impressions: 0, spend: 0, installs: 0 };
for (const { row, forecast: expected, run } of campaigns) {
  const { result } = run;
  // Spend has whole micros; a budget is spent up to the last impression that it affords.
  const is = {
    impressions: isInside(expected.impressions, result.impressions),
    spend: isInside(expected.spendMicros, result.spendMicros),
    installs: isInside(expected.installs, result.installs),
  };
  inside.impressions += Number(is.impressions);
  inside.spend += Number(is.spend);
  inside.installs += Number(is.installs);
  if (!options.verbose) continue;
  const mark = (value: boolean) => (value ? ' ' : '*');
  const text = ({ low, about, high }: Range, by: number, digits: number) =>
    `${(about / by).toFixed(digits)} (${(low / by).toFixed(digits)}–${(high / by).toFixed(digits)})`;
  console.log(
    `${row.algorithm.padEnd(12)} ${expected.limitedBy ?? '-'} ${mark(is.impressions)}impressions ${result.impressions} of ${text(expected.impressions, 1, 0)}  ` +
      `${mark(is.spend)}spend ${(result.spendMicros / 1e6).toFixed(2)} of ${text(expected.spendMicros, 1e6, 2)}  ` +
      `${mark(is.installs)}installs ${result.installs} of ${text(expected.installs, 1, 1)}`,
  );
}
const times = campaigns.map(({ ms }) => ms).toSorted((a, b) => a - b);
console.log(
  JSON.stringify({
    bench: 'forecast',
    insideOf30: Number(((inside.impressions / CAMPAIGNS) * 30).toFixed(1)),
    insideSpendOf30: Number(((inside.spend / CAMPAIGNS) * 30).toFixed(1)),
    insideInstallsOf30: Number(((inside.installs / CAMPAIGNS) * 30).toFixed(1)),
    p95Ms: Number(times[Math.ceil(times.length * 0.95) - 1]!.toFixed(1)),
    sampledRequests: columns.size,
  }),
);
