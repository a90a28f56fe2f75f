import {
  type AlertRule,
  type AlertRuleMetric,
  type AlertRuleState,
  RULE_METRICS,
  ruleFigureText,
} from '@bidwell/contract/alerts/rules';

/** A figure as it was read. */
export interface RuleFigure {
  /** Null where there is none, such as a CPI without installs. */
  value: number | null;
  /** Dollars that were spent, for a CPI without installs. */
  spend: number;
  /** What there was of the minimum's measure; null without a minimum. */
  volume: number | null;
}

type RuleTerms = Pick<AlertRule, 'metric' | 'direction' | 'threshold' | 'minimum'>;

/** What a figure says of a rule. A figure at the threshold itself does not meet it. Pure. */
export function evaluateRule(
  { metric, direction, threshold, minimum }: RuleTerms,
  { value, spend, volume }: RuleFigure,
): AlertRuleState {
  if (minimum !== null && (volume ?? 0) < minimum.value) return 'too_little';
  // Money without an install: the first install would cost all of it.
  const known = value ?? (metric === 'cpi' && spend > 0 && direction === 'above' ? spend : null);
  if (known === null) return metric === 'cpi' && spend > 0 ? 'not_met' : 'unknown';
  return (direction === 'above' ? known > threshold : known < threshold) ? 'met' : 'not_met';
}

/** The figure of a rule that is met as the subject of a sentence: `CPI was $7.12`. Pure. */
export function figureSentence(metric: AlertRuleMetric, { value, spend }: RuleFigure): string {
  if (value !== null) return `${RULE_METRICS[metric].label} was ${ruleFigureText(metric, value)}`;
  return `${ruleFigureText('spend', spend)} brought no install`;
}
