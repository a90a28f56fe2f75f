import type { CompiledAdset } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import { type AdsetValues, type LearnedGoal, valueAt } from './value-model.ts';

/** An ad set, as far as it decides what an install is worth. */
type Priced = Pick<CompiledAdset, 'adsetId' | 'algorithm' | 'cpiMicros' | 'goal'>;

/** What installs are worth to ad sets with a goal of value: what was learned last, and the prior before. */
export class InstallValues {
  #adsets: ReadonlyMap<string, { key: string; values: AdsetValues }> = new Map();

  /** Replaces all that is known, by ad set. */
  replace(learned: ReadonlyMap<string, { goal: Goal; learned: LearnedGoal }>): void {
    this.#adsets = new Map(
      [...learned].map(([adsetId, { goal, learned: known }]) => [
        adsetId,
        { key: goal.key, values: known.valuesOf(adsetId, goal.priorInstallMicros / goal.price) },
      ]),
    );
  }

  /** What an install may cost for an ad set, in a publisher's app and a country, micros of media cost; null for no such goal. */
  micros({ adsetId, algorithm, cpiMicros, goal }: Priced, bundle: string, country: string): number | null {
    if (!goal) return algorithm === 'Target CPI' ? cpiMicros : null;
    const price = goal.priceOf.get(country) ?? goal.price;
    const known = this.#adsets.get(adsetId);
    // Of another goal, which the ad set had until a moment ago.
    if (known?.key !== goal.key) return (goal.priorInstallMicros / goal.price) * price;
    return valueAt(known.values, bundle, country) * price;
  }

  /** {@link micros} on average over publishers' apps and countries. */
  meanMicros({ adsetId, algorithm, cpiMicros, goal }: Priced): number | null {
    if (!goal) return algorithm === 'Target CPI' ? cpiMicros : null;
    const known = this.#adsets.get(adsetId);
    return known?.key === goal.key ? known.values.base * goal.price : goal.priorInstallMicros;
  }
}
