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
  const successes = sumOf(all, (one) => Math.max(0, one.successes));
  const trials = sumOf(all, (one) => one.trials);
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
  const total = sumOf(probabilities, (probability) => probability);
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

function sumOf<T>(values: readonly T[], valueOf: (value: T) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}
