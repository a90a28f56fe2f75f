import type { CompiledAdset } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import { type AdsetValues, type LearnedGoal, valueAt } from './value-model.ts';

/** The fields of an ad set that decide the value of an install. */
type Priced = Pick<CompiledAdset, 'adsetId' | 'algorithm' | 'cpiMicros' | 'goal' | 'countryBids'>;

/**
 * Share of the assumed price of an install that is bid while nothing is known of a goal because it was not read yet, or could not be.
 * That takes moments, for which low bids cost little, and bids by a guess may cost much.
 */
const UNREAD_SHARE = 0.25;

/** The learned model of a goal, with the values for the ad sets that requested them. */
interface KnownGoal {
  learned: LearnedGoal;
  adsets: Map<string, { prior: number; values: AdsetValues }>;
}

/**
 * The value of installs to ad sets with a goal of value, by the latest model of the goal. A goal belongs to an app, so a new ad set
 * uses the model that was learned for other ad sets, or from installs of ad sets without a goal.
 */
export class InstallValues {
  readonly #goals = new Map<string, KnownGoal>();

  /** Stores the learned model of the goal with a key, see {@link Goal.key}. */
  set(key: string, learned: LearnedGoal): void {
    this.#goals.set(key, { learned, adsets: new Map() });
  }

  delete(key: string): void {
    this.#goals.delete(key);
  }

  /** The learned model of a goal; null while the goal was not read. */
  learnedOf(key: string): LearnedGoal | null {
    return this.#goals.get(key)?.learned ?? null;
  }

  /**
   * The most that an install may cost an ad set in a publisher's app and a country, micros of media cost; a part of the assumed value
   * while its goal was not read. Null for an ad set without such a goal.
   */
  micros(
    { adsetId, algorithm, cpiMicros, goal, countryBids }: Priced,
    bundle: string,
    country: string,
  ): number | null {
    if (!goal) {
      if (algorithm !== 'Target CPI') return null;
      return (countryBids.size > 0 ? countryBids.get(country)?.cpiMicros : null) ?? cpiMicros;
    }
    const price = goal.priceOf.get(country) ?? goal.price;
    const values = this.#valuesOf(adsetId, goal);
    if (!values) return UNREAD_SHARE * priorOf(goal) * price;
    return valueAt(values, bundle, country) * price;
  }

  /**
   * The most that an install may cost on average over publishers' apps and countries, micros of media cost; the assumed value
   * while its goal was not read.
   */
  meanMicros({ adsetId, algorithm, cpiMicros, goal }: Priced): number | null {
    if (!goal) return algorithm === 'Target CPI' ? cpiMicros : null;
    const values = this.#valuesOf(adsetId, goal);
    return values ? values.base * goal.price : goal.priorInstallMicros;
  }

  /** The values for an ad set; null while its goal was not read. */
  #valuesOf(adsetId: string, goal: Goal): AdsetValues | null {
    const known = this.#goals.get(goal.key);
    if (!known) return null;
    const prior = priorOf(goal);
    const cached = known.adsets.get(adsetId);
    // A draft of an ad set may assume something else than the ad set that runs.
    if (cached?.prior === prior) return cached.values;
    const values = known.learned.valuesOf(adsetId, prior);
    known.adsets.set(adsetId, { prior, values });
    return values;
  }
}

/** The assumed value of an install before anything is known: people with the event, or micros of revenue. */
function priorOf({ priorInstallMicros, price }: Goal): number {
  return priorInstallMicros / price;
}
