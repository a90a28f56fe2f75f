import {
  BEST_FROM,
  COMPARED_MAX,
  type CampaignCreatives,
  type ComparedCreative,
  type CreativeComparison,
  type CreativesQuery,
  DAYS_LEFT_MAX,
  type Verdict,
} from '@bidwell/contract/campaign-reports/creatives';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { Counts } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { rateOf } from '@bidwell/contract/lib/rate';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { runYielding } from '../../../platform/concurrency/yielding.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf } from '../../campaigns/public.ts';
import { type CountsRow, countForReport, namesOf, periodOf, rangeOf } from '../../reporting/public.ts';

const DAY_MS = 86_400_000;
/** Creatives of a report, those with the highest spend. */
const CREATIVES_MAX = 1000;

/** Counts of a creative, and its impressions in the last 24 hours. */
interface Counted {
  uuid: string;
  counts: Counts;
  perDay: number;
}

/**
 * Compares the creatives of a campaign by a metric, with the counts of a range of days. Throws NotFound; Invalid for dates that
 * are not supported.
 */
export async function campaignCreatives(
  ctx: Context,
  actor: Actor,
  { uuid, metric, ...query }: CreativesQuery & { uuid: string },
): Promise<CampaignCreatives> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  await campaignOf(ctx, actor, uuid);
  const period = periodOf(await rangeOf(ctx, actor, query));
  const nowMs = ctx.now().getTime();
  const filters = { campaign: [uuid] };
  const [rows, recent] = await Promise.all([
    countForReport(ctx, companyId, {
      period,
      by: ['creative', 'creative_type', 'format'],
      filters,
      limit: CREATIVES_MAX,
    }),
    countForReport(ctx, companyId, {
      period: { fromMs: nowMs - DAY_MS, beforeMs: nowMs },
      by: ['creative'],
      filters,
      limit: CREATIVES_MAX,
    }),
  ]);
  const perDay = new Map(recent.map(({ values, impressions }) => [values[0]!, impressions]));
  const uuids = new Set(rows.map(({ values }) => values[0]!));
  const names = (await namesOf(ctx.db, companyId, new Map([['creative', uuids]]))).get('creative');
  const comparisons: CreativeComparison[] = [];
  for (const { type, format, rows: own } of formatsOf(rows)) {
    const creatives = own.map(({ values, ...counts }): Counted => ({
      uuid: values[0]!,
      counts,
      perDay: perDay.get(values[0]!) ?? 0,
    }));
    comparisons.push({ type, format, ...(await compare(creatives, metric, names)) });
  }
  return { comparisons };
}

/** Creatives that are shown in the same places: banners of one size, or all creatives of another type. */
interface Format {
  type: CreativeType;
  format: string | null;
  rows: CountsRow[];
}

/** The formats, in the order of the highest spend of a creative. */
function formatsOf(rows: readonly CountsRow[]): Format[] {
  const formats = new Map<string, Format>();
  for (const row of rows) {
    const type = row.values[1] as CreativeType;
    const format = type === 'Banner' ? row.values[2]! : null;
    const key = `${type} ${format}`;
    const own = formats.get(key) ?? { type, format, rows: [] };
    formats.set(key, own);
    // A creative whose file was replaced by one of another length is the same.
    const before = own.rows.findIndex(({ values }) => values[0] === row.values[0]);
    if (before < 0) own.rows.push(row);
    else own.rows[before] = sumOf(own.rows[before]!, row);
  }
  return [...formats.values()];
}

/** Successes among trials: clicks or installs among impressions. */
export interface Trials {
  successes: number;
  trials: number;
}

/** The parameters of a beta distribution. */
interface Beta {
  a: number;
  b: number;
}

/** Points of the density of each rate, and the standard deviations on both sides of its mode that they cover. */
const POINTS = 120;
const DEVIATIONS = 9;

/**
 * The probability of each rate to be the highest, in the order of `all`. Each true rate has a beta distribution: its prior
 * has the mean of all trials together and the weight of one success, so that a new creative is taken for an average one
 * until it has impressions. Integrated numerically, to about four digits; yields after each rate. Null for less than two rates,
 * and without any success.
 */
export function* bestProbabilities(all: readonly Trials[]): Generator<undefined, number[] | null> {
  const successes = totalOf(all, (one) => Math.max(0, one.successes));
  const trials = totalOf(all, (one) => one.trials);
  if (all.length < 2 || successes <= 0 || trials <= 0) return null;
  const failuresPerSuccess = Math.max(0, trials - successes) / successes;
  return yield* highestOf(
    all.map((one) => ({
      a: Math.max(0, one.successes) + 1,
      b: Math.max(0, one.trials - one.successes) + Math.max(failuresPerSuccess, 1e-3),
    })),
  );
}

/**
 * The probability of each beta variable to be the highest. The integral of f(x) ∏ F(x) is computed over the log odds of x,
 * where the distributions are about normal: at points that lie around the mode of each of them.
 */
function* highestOf(all: readonly Beta[]): Generator<undefined, number[]> {
  const points = Float64Array.from(all.flatMap(pointsOf)).sort();
  const densities: Float64Array[] = [];
  const distributions: Float64Array[] = [];
  const logOfAll = new Float64Array(points.length);
  for (const beta of all) {
    const density = densityAt(points, beta);
    const distribution = normalised(points, density);
    for (let at = 0; at < points.length; at += 1) logOfAll[at]! += Math.log(distribution[at]!);
    densities.push(density);
    distributions.push(distribution);
    yield;
  }
  const probabilities: number[] = [];
  for (const [index, density] of densities.entries()) {
    const distribution = distributions[index]!;
    // All others are below.
    const heights = points.map((_point, at) =>
      distribution[at]! > 0 ? density[at]! * Math.exp(logOfAll[at]! - Math.log(distribution[at]!)) : 0,
    );
    probabilities.push(areaOf(points, heights));
    yield;
  }
  const total = totalOf(probabilities, (probability) => probability);
  return probabilities.map((probability) => probability / total);
}

function pointsOf({ a, b }: Beta): number[] {
  const mode = Math.log(a / b);
  const deviation = Math.sqrt(1 / a + 1 / b);
  return Array.from(
    { length: POINTS },
    (_, index) => mode + deviation * DEVIATIONS * ((2 * index) / (POINTS - 1) - 1),
  );
}

/** The density over the log odds, up to a factor. */
function densityAt(points: Float64Array, { a, b }: Beta): Float64Array {
  const logAt = (odds: number): number => {
    // log x and log (1 - x), without the loss of digits near 0 and 1.
    const logX = odds > 0 ? -Math.log1p(Math.exp(-odds)) : odds - Math.log1p(Math.exp(odds));
    return a * logX + b * (logX - odds);
  };
  const highest = logAt(Math.log(a / b));
  return points.map((odds) => Math.exp(logAt(odds) - highest));
}

/** Divides a density by its area, in place; its distribution function. */
function normalised(points: Float64Array, density: Float64Array): Float64Array {
  const area = areaOf(points, density);
  const distribution = new Float64Array(points.length);
  let below = 0;
  for (let at = 0; at < points.length; at += 1) {
    density[at]! /= area;
    if (at > 0) below += (points[at]! - points[at - 1]!) * ((density[at]! + density[at - 1]!) / 2);
    distribution[at] = Math.min(1, below);
  }
  return distribution;
}

/** The area below a curve (trapezoidal rule). */
function areaOf(points: Float64Array, heights: Float64Array): number {
  let area = 0;
  for (let at = 1; at < points.length; at += 1)
    area += (points[at]! - points[at - 1]!) * ((heights[at]! + heights[at - 1]!) / 2);
  return area;
}

/** Successes and trials, with the trials that come in a day. */
export interface RunningTrials extends Trials {
  perDay: number;
}

/**
 * Days until the rate with the index `leader` is the highest with a probability of `from`, if each rate stays as it is and
 * the trials of a day come every day; null for more than `daysMax`. At least 1. Yields like {@link bestProbabilities}.
 */
export function* daysUntilBest(
  all: readonly RunningTrials[],
  leader: number,
  from: number,
  daysMax: number,
): Generator<undefined, number | null> {
  const after = (days: number): Trials[] =>
    all.map(({ successes, trials, perDay }) => ({
      successes: trials > 0 ? successes * (1 + (days * perDay) / trials) : 0,
      trials: trials + days * perDay,
    }));
  const isDecided = function* (days: number): Generator<undefined, boolean> {
    const probabilities = yield* bestProbabilities(after(days));
    return (probabilities?.[leader] ?? 0) >= from;
  };
  if (!(yield* isDecided(daysMax))) return null;
  let [undecided, decided] = [0, daysMax];
  while (decided - undecided > 1) {
    const middle = Math.floor((undecided + decided) / 2);
    if (yield* isDecided(middle)) decided = middle;
    else undecided = middle;
  }
  return decided;
}

function sumOf(one: CountsRow, other: CountsRow): CountsRow {
  return {
    ...one,
    clicks: one.clicks + other.clicks,
    installs: one.installs + other.installs,
    impressions: one.impressions + other.impressions,
    spendMicros: one.spendMicros + other.spendMicros,
  };
}

async function compare(
  all: readonly Counted[],
  metric: CreativesQuery['metric'],
  names: ReadonlyMap<string, string> | undefined,
): Promise<{ creatives: ComparedCreative[]; verdict: Verdict }> {
  const compared = all
    .filter(({ counts }) => counts.impressions > 0)
    .toSorted((a, b) => b.counts.impressions - a.counts.impressions)
    .slice(0, COMPARED_MAX);
  const trials = compared.map(({ counts, perDay }): RunningTrials => ({
    successes: metric === 'ctr' ? counts.clicks : counts.installs,
    trials: counts.impressions,
    perDay,
  }));
  const probabilities = await runYielding(bestProbabilities(trials));
  const best = new Map(compared.map(({ uuid }, index) => [uuid, probabilities?.[index] ?? null]));
  const creatives = all
    .map(({ uuid, counts }): ComparedCreative => {
      const { clicks, installs, impressions, spendMicros } = counts;
      const spends = toDollars(spendMicros);
      return {
        uuid,
        name: names?.get(uuid) ?? 'Unknown',
        impressions,
        clicks,
        installs,
        spends,
        cpi: installs > 0 ? spends / installs : null,
        ctr_rate: rateOf(clicks, impressions, 100),
        ipm_rate: rateOf(installs, impressions, 1000),
        best: best.get(uuid) ?? null,
      };
    })
    .toSorted((a, b) => rateIn(b, metric) - rateIn(a, metric) || b.impressions - a.impressions);
  return { creatives, verdict: await verdictOf(compared, trials, probabilities) };
}

function rateIn(creative: ComparedCreative, metric: CreativesQuery['metric']): number {
  return creative[metric === 'ctr' ? 'ctr_rate' : 'ipm_rate']?.value ?? -1;
}

async function verdictOf(
  compared: readonly Counted[],
  trials: readonly RunningTrials[],
  probabilities: readonly number[] | null,
): Promise<Verdict> {
  if (!probabilities) return { outcome: 'none' };
  const probability = Math.max(...probabilities);
  const leader = probabilities.indexOf(probability);
  const { uuid } = compared[leader]!;
  if (probability >= BEST_FROM) return { outcome: 'best', uuid, probability };
  const hasTraffic = trials.some(({ perDay }) => perDay > 0);
  return {
    outcome: 'not_enough',
    uuid,
    probability,
    days_left: hasTraffic ? await runYielding(daysUntilBest(trials, leader, BEST_FROM, DAYS_LEFT_MAX)) : null,
    has_traffic: hasTraffic,
  };
}

function totalOf<T>(values: readonly T[], valueOf: (value: T) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}
