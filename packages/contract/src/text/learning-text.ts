import type { GoalLearning } from '@bidwell/contract/insight/delivery-report';
import { formatNumber } from '../../../lib/format/format.ts';

/** How much of what it needs an ad set with a goal of value has to learn from. Pure. */
export function learningText({ conversions, needed, expected_error_percent: error }: GoalLearning): string {
  const within = error === null ? '' : `, ± ${formatNumber(error)}%`;
  if (conversions >= needed)
    return `Learned from ${formatNumber(conversions)} conversions in 7 days${within}.`;
  return `Learning: ${formatNumber(conversions)} of about ${formatNumber(needed)} conversions in 7 days${within}.`;
}
