import { logistic } from './market-fits.ts';

/** An estimate with the range in which the truth lies in 80 of 100 cases. */
export interface Range {
  about: number;
  low: number;
  high: number;
}

/** A seeded source of normally and gamma distributed numbers: the same seed gives the same forecast. */
export class Draws {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  /** Uniform between 0 and 1 (mulberry32). */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Standard normal (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A number whose logarithm is normal, with median 1. */
  factor(error: number): number {
    return Math.exp(error * this.normal());
  }

  /** A count with this mean, Poisson distributed. */
  count(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count += 1;
    return count;
  }
}

/** A share with an error on the scale of logits, moved by `deviations` standard deviations. */
export function movedShare(share: number, logitError: number, deviations: number): number {
  if (share <= 0 || share >= 1) return share;
  return logistic(Math.log(share / (1 - share)) + logitError * deviations);
}

/** The 80 % range of drawn values around an estimate, which it contains. */
export function rangeOf(about: number, drawn: Float64Array): Range {
  const sorted = drawn.toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? about;
  return { about, low: Math.min(about, at(0.1)), high: Math.max(about, at(0.9)) };
}

/** A range in another unit. */
export function scaled({ about, low, high }: Range, by: number): Range {
  return { about: about * by, low: low * by, high: high * by };
}

/**
 * How far the value of an install is moved for a range, in its standard errors. Bids follow the known value, which changes as data
 * arrives; within a day it does not move further than this.
 */
const STEPS = [-2, -1, 0, 1, 2] as const;

/**
 * Factors on the allowed cost of an install at each step; none where its value has no error, as for ad sets without a goal of
 * value.
 */
export function valueFactors(error: number | null): number[] {
  return error === null ? [] : STEPS.map((step) => Math.exp(step * error));
}

/** Figures that follow the bids. */
interface Moved {
  impressions: number;
  spendMicros: number;
  installs: number;
}

/**
 * Returns a function that draws factors on the figures of a day from the figures at each of {@link valueFactors}; factors of 1
 * where there are none, or nothing is bought. Between the steps they are interpolated.
 */
export function valueMoves(atSteps: readonly Moved[]): (draws: Draws) => Moved {
  const middle = atSteps[STEPS.indexOf(0)];
  if (!middle || middle.impressions <= 0) return () => ({ impressions: 1, spendMicros: 1, installs: 1 });
  return (draws) => {
    const place = Math.min(STEPS.length - 1, Math.max(0, draws.normal() - STEPS[0]));
    const step = Math.min(STEPS.length - 2, Math.floor(place));
    const at = (key: keyof Moved): number => {
      const [from, to] = [atSteps[step]![key], atSteps[step + 1]![key]];
      return middle[key] > 0 ? (from + (to - from) * (place - step)) / middle[key] : 1;
    };
    return { impressions: at('impressions'), spendMicros: at('spendMicros'), installs: at('installs') };
  };
}
