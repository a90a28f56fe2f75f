import type { CompiledAdset } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import { type AdsetValues, type LearnedGoal, valueAt } from './value-model.ts';

/** An ad set, as far as it decides what an install is worth. */
type Priced = Pick<CompiledAdset, 'adsetId' | 'algorithm' | 'cpiMicros' | 'goal'>;

/** What was learned of the goals of ad sets, by ad set. */
export type LearnedGoals = ReadonlyMap<string, { goal: Goal; learned: LearnedGoal }>;

/** What installs are worth to ad sets with a goal of value: what was learned last, and the prior before. */
export class InstallValues {
  readonly #adsets = new Map<string, { key: string; values: AdsetValues; people: number }>();

  /** Stores the learned values of some ad sets, and deletes the ad sets of `before` that are not among them. Others keep their values. */
  replace(before: Iterable<string>, learned: LearnedGoals): void {
    for (const adsetId of before) if (!learned.has(adsetId)) this.#adsets.delete(adsetId);
    for (const [adsetId, { goal, learned: known }] of learned) {
      const values = known.valuesOf(adsetId, goal.priorInstallMicros / goal.price);
      this.#adsets.set(adsetId, { key: goal.key, values, people: known.people });
    }
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

  /** People with the goal of an ad set, by whom its values were learned; 0 while they are assumed. */
  learnedPeople({ adsetId, goal }: Pick<Priced, 'adsetId' | 'goal'>): number {
    const known = this.#adsets.get(adsetId);
    return goal && known?.key === goal.key ? known.people : 0;
  }
}
