/**
 * A simulated week on the sample exchange, whose click and install rates the bidder must learn. Compares Max installs with
 * Manual CPM at the best fixed price for the same budget, the CPI of Target CPI with its target, and predicted install
 * rates with the true ones. Then weeks of Target CPA and Target ROAS, with purchases days after the install: against their targets,
 * Target CPI at the same spend, and a bidder that knows the true values. Runs the bidder's own auction, learning and budgets on a simulated clock, without a network.
 *
 * npm run bench -- learning [--requests-per-day N] [--batch-seconds S] [--value-requests-per-day N]
 */
import { parseArgs } from 'node:util';
import type { Algorithm } from '@bidwell/contract/adsets/schema';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { clickProbability, installProbability } from '@bidwell/exchange/behaviour';
import { seededRandom } from '@bidwell/exchange/random';
import { trafficLevelAt } from '@bidwell/exchange/traffic/countries';
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import type { BidRef, EventKind } from '@bidwell/server/delivery/model/event';
import { LearningSums } from '@bidwell/server/delivery/learning/counts';
import { formatKeyOf } from '@bidwell/server/delivery/model/format-key';
import { adsetRowOf, bannerOf } from '@bidwell/testing/pacing/candidates';
import {
  type WonImpression,
  leaseBudgets,
  offerOpportunity,
  rivalsOf,
  simulatedBidder,
  simulatedWorld,
} from './load/simulated-bidder.ts';
import { type ValueSettings, type ValueWeeks, runValueWeeks } from './load/value-simulation.ts';

const { values: options } = parseArgs({
  options: {
    'requests-per-day': { type: 'string' },
    'batch-seconds': { type: 'string' },
    'value-requests-per-day': { type: 'string' },
  },
});
const REQUESTS_PER_DAY = Number(options['requests-per-day'] ?? 25_000);
/** How long events are added up before they are learned. The server's 0.2 s would add up none at this traffic. */
const BATCH_MS = Number(options['batch-seconds'] ?? 0) * 1000;
const DAYS = 7;
const DAY_MS = 86_400_000;
const STARTS_AT_MS = Date.parse('2026-05-04T00:00:00Z');
const SEED = 20_260_504;
const DAILY_BUDGET_MICROS = toMicros(REQUESTS_PER_DAY * 0.0003);
const LOWEST_CPM = 0.2;
const HIGHEST_CPM = 9;
/** Steps of the binary search for the best fixed price; they find it to 2 percent. */
const SEARCHES = 8;
const CPI_DOLLARS = 1.2;
const SIZES = [
  [320, 50],
  [320, 100],
  [300, 250],
  [320, 480],
  [480, 320],
  [728, 90],
  [336, 280],
  [768, 1024],
  [1024, 768],
] as const;

interface Settings {
  algorithm: Algorithm;
  cpmDollars: number;
  cpiDollars?: number;
  dailyBudgetMicros: Micros | null;
}

interface Week {
  spentMicros: number;
  impressions: number;
  /** Expected installs: the sum of the true probabilities of the bought impressions. */
  installs: number;
  sampledInstalls: number;
  /** Predicted and true install probabilities of impressions in the second half of the week. */
  predictions: { predicted: number; truth: number }[];
}

function creativesOfThreeDrafts() {
  return [0, 1, 2].flatMap((draft) =>
    SIZES.map(([width, height]) => ({
      ...bannerOf(width, height),
      uuid: `00000000-0000-7000-8000-${String(draft * 100 + SIZES.findIndex(([w, h]) => w === width && h === height)).padStart(12, '0')}`,
    })),
  );
}

/** Simulates the week for one advertiser; all advertisers get the same people, slots, rival bids and random numbers. */
function runWeek(settings: Settings): Week {
  const random = seededRandom(SEED);
  const chance = seededRandom(SEED + 1);
  const traffic = createTraffic({ random, worldSeed: SEED, secure: true });
  const creatives = creativesOfThreeDrafts();
  const row = adsetRowOf({
    adsetId: '00000000-0000-7000-8000-0000000000ad',
    algorithm: settings.algorithm,
    cpmMicros: toMicros(settings.cpmDollars),
    cpiMicros: settings.cpiDollars === undefined ? null : toMicros(settings.cpiDollars),
    dailyBudgetMicros: settings.dailyBudgetMicros,
    creatives,
  });
  const world = simulatedWorld(STARTS_AT_MS, chance);
  const bidder = simulatedBidder(world, [row]);
  const { clock, learning } = world;
  const sums = new LearningSums();
  let learnedAtMs = STARTS_AT_MS;
  const learn = (nowMs: number): void => {
    if (nowMs - learnedAtMs < BATCH_MS) return;
    learnedAtMs = nowMs;
    learning.learn(sums.take(), nowMs, () => row.cpiMicros);
  };
  const week: Week = { spentMicros: 0, impressions: 0, installs: 0, sampledInstalls: 0, predictions: [] };
  const later: { atMs: number; happen: () => void }[] = [];

  const onBid = (ref: BidRef): void => {
    sums.addBid(ref);
    learn(clock.nowMs);
  };
  const onWin = ({ ref, valuation, spendMicros, impression }: WonImpression): void => {
    const { nowMs } = clock;
    const happen = (kind: EventKind, atMs: number): void => {
      const spentMicros = kind === 'billing' ? spendMicros : 0;
      sums.addEvent({ kind, atMs, ref, spendMicros: spentMicros, lossReason: 0, mark: '' });
      learn(atMs);
    };
    week.spentMicros += spendMicros;
    week.impressions += 1;
    const clickChance = clickProbability(impression);
    const installChance = installProbability(impression);
    week.installs += clickChance * installChance;
    if (nowMs > STARTS_AT_MS + (DAYS / 2) * DAY_MS) {
      const { creativeType: type, width, height } = ref;
      const predicted = valuation.predict(formatKeyOf({ type: type as CreativeType, width, height }));
      week.predictions.push({
        predicted: predicted.rateOf(ref),
        truth: clickChance * installChance,
      });
    }
    happen('billing', nowMs);
    happen('impression', nowMs);
    if (chance() >= clickChance) return;
    later.push({ atMs: nowMs + 5000, happen: () => happen('click', nowMs + 5000) });
    if (chance() >= installChance) return;
    week.sampledInstalls += 1;
    later.push({ atMs: nowMs + 600_000, happen: () => happen('install', nowMs + 600_000) });
  };

  const typicalGapMs = DAY_MS / REQUESTS_PER_DAY;
  for (let nowMs = STARTS_AT_MS; nowMs < STARTS_AT_MS + DAYS * DAY_MS;) {
    while (later[0] && later[0].atMs <= nowMs) later.shift()!.happen();
    clock.nowMs = nowMs;
    leaseBudgets(world, bidder);
    const opportunity = traffic.next(nowMs);
    const rivals = rivalsOf(opportunity, random);
    if (opportunity.person.os === 'android')
      offerOpportunity(world, bidder, opportunity, rivals, { onBid, onWin });
    nowMs += typicalGapMs / trafficLevelAt(nowMs);
  }
  return week;
}

const dollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(2)}`;
const describe = (name: string, { spentMicros, impressions, installs, sampledInstalls }: Week): void =>
  console.log(
    `${name.padEnd(26)} spent ${dollars(spentMicros).padStart(9)}, ${String(impressions).padStart(6)} impressions, ` +
      `${installs.toFixed(1).padStart(7)} installs to be expected (${sampledInstalls} came), ${dollars(spentMicros / installs)} each`,
  );

console.log(
  `${DAYS} days of ${REQUESTS_PER_DAY} requests, ${dollars(DAILY_BUDGET_MICROS)} a day where there is a budget`,
);
// A lower fixed price buys cheaper installs as long as the budget is spent: the best price is the lowest that spends it.
const budgetMicros = DAILY_BUDGET_MICROS * DAYS;
let [tooLow, enough] = [LOWEST_CPM, HIGHEST_CPM];
let bestFixed = 0;
for (let search = 0; search < SEARCHES; search += 1) {
  const cpmDollars = Number(Math.sqrt(tooLow * enough).toFixed(3));
  const week = runWeek({ algorithm: 'Manual CPM', cpmDollars, dailyBudgetMicros: DAILY_BUDGET_MICROS });
  describe(`Manual CPM at $${cpmDollars}`, week);
  if (week.spentMicros < 0.98 * budgetMicros) tooLow = cpmDollars;
  else {
    enough = cpmDollars;
    bestFixed = Math.max(bestFixed, week.installs / week.spentMicros);
  }
}

const most = runWeek({
  algorithm: 'Max installs',
  cpmDollars: HIGHEST_CPM,
  dailyBudgetMicros: DAILY_BUDGET_MICROS,
});
describe('Max installs', most);
const target = runWeek({
  algorithm: 'Target CPI',
  cpmDollars: 100,
  cpiDollars: CPI_DOLLARS,
  dailyBudgetMicros: null,
});
describe(`Target CPI at $${CPI_DOLLARS}`, target);

/** Mean log loss of the predicted probabilities given the true ones, in nats. */
function logLoss(pairs: readonly { predicted: number; truth: number }[]): number {
  const sum = pairs.reduce(
    (total, { predicted, truth }) =>
      total - truth * Math.log(predicted) - (1 - truth) * Math.log(1 - predicted),
    0,
  );
  return sum / pairs.length;
}
const { predictions } = target;
const baseRate = predictions.reduce((sum, { truth }) => sum + truth, 0) / predictions.length;
const learned = logLoss(predictions);
const base = logLoss(predictions.map(({ truth }) => ({ predicted: baseRate, truth })));
const best = logLoss(predictions.map(({ truth }) => ({ predicted: truth, truth })));
const said = predictions.reduce((sum, { predicted }) => sum + predicted, 0) / predictions.length;
console.log(
  `predicted ${(said * 1000).toFixed(3)} installs of a thousand impressions where ${(baseRate * 1000).toFixed(3)} are true; ` +
    `log loss ${learned.toFixed(5)}, of the base rate ${base.toFixed(5)}, of the truth ${best.toFixed(5)}`,
);

/** Weeks by value; see `load/value-simulation.ts`. */
const CPA_DOLLARS = 2;
const ROAS_PERCENT = 200;
const VALUE_CPM = 10;
const SEARCHES_OF_SPEND = 4;
const valueWorld = {
  requestsPerDay: Number(options['value-requests-per-day'] ?? 40_000),
  startsAtMs: STARTS_AT_MS,
  seed: SEED,
  creatives: creativesOfThreeDrafts(),
};
const weeksOf = (
  name: string,
  settings: Omit<ValueSettings, 'cpmDollars' | 'dailyBudgetMicros'>,
): ValueWeeks => {
  const weeks = runValueWeeks({ cpmDollars: VALUE_CPM, dailyBudgetMicros: null, ...settings }, valueWorld);
  const { spentMicros, installs, people, revenueDollars } = weeks;
  console.log(
    `${name.padEnd(34)} spent ${dollars(spentMicros).padStart(9)}, ${installs.toFixed(0)} installs, ${people.toFixed(1)} people at ` +
      `${dollars(spentMicros / people)}, revenue ${((100 * revenueDollars * 1e6) / spentMicros).toFixed(1)}% of the spend`,
  );
  return weeks;
};
/** Target CPI at the price of an install at which it spends as much within 3 percent, or nearly. */
function sameSpend(spentMicros: number): ValueWeeks {
  let cpi = 0.17;
  for (let search = 0; ; search += 1) {
    const found = weeksOf(`Target CPI at $${cpi.toFixed(3)}`, { algorithm: 'Target CPI', cpi });
    const ratio = spentMicros / found.spentMicros;
    if (Math.abs(ratio - 1) < 0.03 || search === SEARCHES_OF_SPEND) return found;
    cpi *= ratio ** 0.9;
  }
}
const cpaWeeks = weeksOf(`Target CPA at $${CPA_DOLLARS}`, { algorithm: 'Target CPA', cpa: CPA_DOLLARS });
const cpaOracle = weeksOf('  by the true values', {
  algorithm: 'Target CPA',
  cpa: CPA_DOLLARS,
  knowsValues: true,
});
const roasWeeks = weeksOf(`Target ROAS at ${ROAS_PERCENT}%`, {
  algorithm: 'Target ROAS',
  roas: ROAS_PERCENT,
});
const roasOracle = weeksOf('  by the true values', {
  algorithm: 'Target ROAS',
  roas: ROAS_PERCENT,
  knowsValues: true,
});
const cpaBase = sameSpend(cpaWeeks.spentMicros);
const roasBase = sameSpend(roasWeeks.spentMicros);
const peopleOf = ({ people, spentMicros }: ValueWeeks): number => people / spentMicros;
const revenueOf = ({ revenueDollars, spentMicros }: ValueWeeks): number => revenueDollars / spentMicros;
const percent = (ratio: number): number => Number((100 * (ratio - 1)).toFixed(1));

const cpi = target.spentMicros / target.installs / 1_000_000;
const uplift = most.installs / most.spentMicros / bestFixed;
console.log(
  JSON.stringify({
    bench: 'learning',
    ratio: Number(uplift.toFixed(3)),
    cpaErrorPercent: percent(cpaWeeks.spentMicros / cpaWeeks.people / toMicros(CPA_DOLLARS)),
    roasErrorPercent: percent((revenueOf(roasWeeks) * 1e8) / ROAS_PERCENT),
    upliftCpaPercent: percent(peopleOf(cpaWeeks) / peopleOf(cpaBase)),
    upliftRoasPercent: percent(revenueOf(roasWeeks) / revenueOf(roasBase)),
    shareOfOracle: Number(
      Math.min(
        cpaWeeks.people / cpaOracle.people,
        roasWeeks.revenueDollars / roasOracle.revenueDollars,
      ).toFixed(3),
    ),
    cpiErrorPercent: Number((100 * (cpi / CPI_DOLLARS - 1)).toFixed(1)),
    upliftPercent: Number((100 * (uplift - 1)).toFixed(1)),
    maxInstallsSpentPercent: Number(((100 * most.spentMicros) / budgetMicros).toFixed(1)),
    logLossRatio: Number((learned / base).toFixed(4)),
    logLossRatioOfTruth: Number((best / base).toFixed(4)),
  }),
);
