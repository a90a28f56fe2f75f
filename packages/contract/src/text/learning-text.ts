import type { GoalLearning } from '../insight/delivery-report.ts';

/** How much of what it needs an ad set with a goal of value has to learn from, in a sentence. Pure. */
export function learningText(learning: GoalLearning): string {
  return isLearning(learning)
    ? `Learning: ${learnedOf(learning)}.`
    : `Learned from ${conversionsText(learning)}${errorText(learning)}.`;
}

/** Whether an ad set with a goal of value has less to learn from than it needs. */
export function isLearning({ conversions, needed }: GoalLearning): boolean {
  return conversions < needed;
}

/** What an ad set has of what it needs: `31 of about 50 conversions in 7 days, ± 18%`. */
export function learnedOf(learning: GoalLearning): string {
  return `${digits(learning.conversions)} of about ${digits(learning.needed)} conversions in 7 days${errorText(learning)}`;
}

const conversionsText = ({ conversions }: GoalLearning): string =>
  `${digits(conversions)} conversions in 7 days`;

function errorText({ expected_error_percent: error }: GoalLearning): string {
  return error === null ? '' : `, ± ${digits(error)}%`;
}

/** A whole number with no-break spaces between thousands. */
const digits = (value: number): string => Math.round(value).toLocaleString('en-US').replaceAll(',', '\u00a0');
