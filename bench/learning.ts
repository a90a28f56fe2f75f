/**
 * A simulated week on the sample exchange, whose click and install rates the bidder must learn. Compares Max installs with
 * Manual CPM at the best fixed price for the same budget, the CPI of Target CPI with its target, and predicted install
 * rates with the true ones. Then weeks of Target CPA and Target ROAS, with purchases days after the install, in worlds of several
 * seeds; see `load/value-weeks.ts`. Runs the bidder's own auction, learning and budgets on a simulated clock, without a network.
 *
 * npm run bench -- learning [--requests-per-day N] [--batch-seconds S] [--value-requests-per-day N] [--copies N] [--seeds 11,12]
 *   [--only values]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { toMicros } from '@bidwell/contract/lib/money';
import { DAYS, type Week, type WeekSettings, runWeek } from './load/install-week.ts';
import type { ValueFigures } from './load/value-weeks.ts';

const { values: options } = parseArgs({
  options: {
    'requests-per-day': { type: 'string' },
    'batch-seconds': { type: 'string' },
    'value-requests-per-day': { type: 'string' },
    copies: { type: 'string' },
    seeds: { type: 'string' },
    only: { type: 'string' },
  },
});
const REQUESTS_PER_DAY = Number(options['requests-per-day'] ?? 25_000);
const BATCH_MS = Number(options['batch-seconds'] ?? 0) * 1000;
/** Settings of the learning were chosen on the seeds 1 to 3; figures are of others. */
const SEEDS = (options.seeds ?? '11,12,13,14,15').split(',');
const VALUE_REQUESTS_PER_DAY = options['value-requests-per-day'] ?? '20000';
/** Number of requests that each simulated one represents, which is the size of the advertiser: with 30 it buys about 400 people in seven days. */
const COPIES = options.copies ?? '30';
const PROCESSES = 2;
const DAILY_BUDGET_MICROS = toMicros(REQUESTS_PER_DAY * 0.0003);
const LOWEST_CPM = 0.2;
const HIGHEST_CPM = 9;
/** Steps of the binary search for the best fixed price; they find it to 2 percent. */
const SEARCHES = 8;
const CPI_DOLLARS = 1.2;

const dollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(2)}`;
const describe = (name: string, { spentMicros, impressions, installs, sampledInstalls }: Week): void =>
  console.log(
    `${name.padEnd(26)} spent ${dollars(spentMicros).padStart(9)}, ${String(impressions).padStart(6)} impressions, ` +
      `${installs.toFixed(1).padStart(7)} installs to be expected (${sampledInstalls} came), ${dollars(spentMicros / installs)} each`,
  );

const week = (settings: WeekSettings): Week =>
  runWeek(settings, { requestsPerDay: REQUESTS_PER_DAY, batchMs: BATCH_MS });

/** Mean log loss of the predicted probabilities given the true ones, in nats. */
function logLoss(pairs: readonly { predicted: number; truth: number }[]): number {
  const sum = pairs.reduce(
    (total, { predicted, truth }) =>
      total - truth * Math.log(predicted) - (1 - truth) * Math.log(1 - predicted),
    0,
  );
  return sum / pairs.length;
}

/** Figures of the week of installs. */
function installFigures(): Record<string, number> {
  console.log(
    `${DAYS} days of ${REQUESTS_PER_DAY} requests, ${dollars(DAILY_BUDGET_MICROS)} a day where there is a budget`,
  );
  // A lower fixed price buys cheaper installs as long as the budget is spent: the best price is the lowest that spends it.
  const budgetMicros = DAILY_BUDGET_MICROS * DAYS;
  let [tooLow, enough] = [LOWEST_CPM, HIGHEST_CPM];
  let bestFixed = 0;
  for (let search = 0; search < SEARCHES; search += 1) {
    const cpmDollars = Number(Math.sqrt(tooLow * enough).toFixed(3));
    const found = week({ algorithm: 'Manual CPM', cpmDollars, dailyBudgetMicros: DAILY_BUDGET_MICROS });
    describe(`Manual CPM at $${cpmDollars}`, found);
    if (found.spentMicros < 0.98 * budgetMicros) tooLow = cpmDollars;
    else {
      enough = cpmDollars;
      bestFixed = Math.max(bestFixed, found.installs / found.spentMicros);
    }
  }

  const most = week({
    algorithm: 'Max installs',
    cpmDollars: HIGHEST_CPM,
    dailyBudgetMicros: DAILY_BUDGET_MICROS,
  });
  describe('Max installs', most);
  const target = week({
    algorithm: 'Target CPI',
    cpmDollars: 100,
    cpiDollars: CPI_DOLLARS,
    dailyBudgetMicros: null,
  });
  describe(`Target CPI at $${CPI_DOLLARS}`, target);

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
  const cpi = target.spentMicros / target.installs / 1_000_000;
  const uplift = most.installs / most.spentMicros / bestFixed;
  return {
    ratio: Number(uplift.toFixed(3)),
    cpiErrorPercent: Number((100 * (cpi / CPI_DOLLARS - 1)).toFixed(1)),
    upliftPercent: Number((100 * (uplift - 1)).toFixed(1)),
    maxInstallsSpentPercent: Number(((100 * most.spentMicros) / budgetMicros).toFixed(1)),
    logLossRatio: Number((learned / base).toFixed(4)),
    logLossRatioOfTruth: Number((best / base).toFixed(4)),
  };
}

/** Figures of the weeks by value of one seed, from a process of its own. */
async function valueFigures(seed: string): Promise<ValueFigures> {
  const file = fileURLToPath(new URL('./load/value-weeks.ts', import.meta.url));
  const child = fork(file, [seed, VALUE_REQUESTS_PER_DAY, COPIES]);
  const answer = once(child, 'message') as Promise<[{ lines: string[]; figures: ValueFigures }]>;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the weeks of seed ${seed} ended with code ${String(code)}`);
  });
  const [{ lines, figures }] = await Promise.race([answer, ended]);
  console.log([`seed ${seed}`, ...lines].join('\n  '));
  return figures;
}

/** Mean over the seeds, and the standard deviation between them. */
function summaryOf(all: readonly ValueFigures[]) {
  const keys = Object.keys(all[0]!) as (keyof ValueFigures)[];
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const summary = keys.map((key) => {
    const numbers = all.map((figures) => figures[key]);
    const average = mean(numbers);
    const variance = numbers.reduce((sum, one) => sum + (one - average) ** 2, 0) / (numbers.length - 1 || 1);
    return { key, average, deviation: Math.sqrt(variance) };
  });
  const rounded = (key: string, number: number) =>
    Number(number.toFixed(key.startsWith('shareOfOracle') ? 3 : 1));
  return {
    means: Object.fromEntries(summary.map(({ key, average }) => [key, rounded(key, average)])),
    deviations: Object.fromEntries(summary.map(({ key, deviation }) => [key, rounded(key, deviation)])),
  };
}

const waiting = [...SEEDS];
const values: ValueFigures[] = [];
async function work(): Promise<void> {
  for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
    values.push(await valueFigures(seed));
}
await Promise.all(Array.from({ length: PROCESSES }, work));
const { means, deviations } = summaryOf(values);
const installs = options.only === 'values' ? {} : installFigures();
console.log(
  JSON.stringify({ bench: 'learning', seeds: SEEDS.map(Number), ...means, deviations, ...installs }),
);
