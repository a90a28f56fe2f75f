import type { RevenueSource } from '../apps/event-settings.ts';
import type { GoalLearning } from '../insight/goal-learning.ts';
import { numberText } from '../lib/number-text.ts';

/** How much of the needed data an ad set with a goal of value has, in a sentence. Pure. */
export function learningText(learning: GoalLearning): string {
  return isLearning(learning)
    ? `Learning: ${learnedOf(learning)}.`
    : `Learned from ${numberText(learning.conversions)} ${countedOf(learning)}.`;
}

/** Whether an ad set with a goal of value has less to learn from than it needs. */
export function isLearning({ conversions, needed }: GoalLearning): boolean {
  return conversions < needed;
}

/** The data that an ad set has of the data it needs: `31 of about 50 people with “purchase” in 7 days, of all ad sets of the app, ± 18%`. */
export function learnedOf(learning: GoalLearning): string {
  return `${numberText(learning.conversions)} of about ${numberText(learning.needed)} ${countedOf(learning)}`;
}

/** The people that a goal counts: people (one person, if `isOne`) with its event, or with revenue from some sources. Pure. */
export function peopleOfGoal(
  event: string | null,
  sources: readonly RevenueSource[],
  isOne: boolean = false,
): string {
  const who = isOne ? 'person' : 'people';
  if (event !== null) return `${who} with “${event}”`;
  const names = sources.map((source) => (source === 'ad_revenue' ? 'ads' : 'purchases'));
  return `${who} with revenue${names.length > 0 ? ` from ${names.join(' or ')}` : ''}`;
}

function countedOf({ event, revenue_sources: sources, expected_error_percent: error }: GoalLearning): string {
  const within = error === null ? '' : `, ± ${numberText(error)}%`;
  return `${peopleOfGoal(event, sources)} in 7 days, of all ad sets of the app${within}`;
}
