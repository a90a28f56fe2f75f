import { z } from 'zod';
import { dollarsText, numberText } from '../lib/number-text.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';
import { companyAlertMessages } from './messages.ts';
import { messages } from '../text/messages.ts';

/** How the figure of a metric is written. */
export type RuleUnit = 'dollars' | 'percent' | 'count';

interface RuleMetric {
  label: string;
  unit: RuleUnit;
  /** The figure is of people by this many whole days after their install, so the installs of the window are older. */
  cohortDay?: 0 | 1 | 3 | 7 | 14 | 30;
}

/** The figures that a rule can watch, in the order in which forms list them. */
export const RULE_METRICS = {
  spend: { label: 'Spend', unit: 'dollars' },
  spend_of_plan: { label: 'Spend of plan', unit: 'percent' },
  cpi: { label: 'CPI', unit: 'dollars' },
  cpm: { label: 'CPM', unit: 'dollars' },
  impressions: { label: 'Impressions', unit: 'count' },
  clicks: { label: 'Clicks', unit: 'count' },
  installs: { label: 'Installs', unit: 'count' },
  ctr: { label: 'CTR', unit: 'percent' },
  install_rate: { label: 'Install rate', unit: 'percent' },
  ipm: { label: 'IPM', unit: 'count' },
  win_rate: { label: 'Win rate', unit: 'percent' },
  invalid_clicks: { label: 'Invalid clicks', unit: 'count' },
  revenue: { label: 'Revenue', unit: 'dollars' },
  roas: { label: 'ROAS', unit: 'percent' },
  payer_rate: { label: 'Payer rate', unit: 'percent' },
  roas_d0: { label: 'ROAS D0', unit: 'percent', cohortDay: 0 },
  roas_d1: { label: 'ROAS D1', unit: 'percent', cohortDay: 1 },
  roas_d3: { label: 'ROAS D3', unit: 'percent', cohortDay: 3 },
  roas_d7: { label: 'ROAS D7', unit: 'percent', cohortDay: 7 },
  roas_d14: { label: 'ROAS D14', unit: 'percent', cohortDay: 14 },
  roas_d30: { label: 'ROAS D30', unit: 'percent', cohortDay: 30 },
  retention_d1: { label: 'Retention D1', unit: 'percent', cohortDay: 1 },
  retention_d7: { label: 'Retention D7', unit: 'percent', cohortDay: 7 },
} as const satisfies Record<string, RuleMetric>;
export type AlertRuleMetric = keyof typeof RULE_METRICS;
export const ALERT_RULE_METRICS = Object.keys(RULE_METRICS) as [AlertRuleMetric, ...AlertRuleMetric[]];

/** The days after the install by which a metric counts; undefined where it is no cohort's. Pure. */
export const cohortDayOf = (metric: AlertRuleMetric): RuleMetric['cohortDay'] =>
  (RULE_METRICS[metric] as RuleMetric).cohortDay;

/** The entity whose figure a rule watches. */
export const ALERT_RULE_SCOPES = ['company', 'app', 'campaign', 'adset'] as const;
export type AlertRuleScope = (typeof ALERT_RULE_SCOPES)[number];

/** The count that has to reach a minimum before a figure counts. */
export const ALERT_RULE_MINIMUMS = ['spend', 'impressions', 'clicks', 'installs'] as const;
export type AlertRuleMinimum = (typeof ALERT_RULE_MINIMUMS)[number];

/** Rules of a company at most. */
export const ALERT_RULES_MAX = 50;
/** Whole days of a window at most. */
export const ALERT_RULE_DAYS_MAX = 30;
const NUMBER_MAX = 1_000_000_000;

const amount = z
  .number()
  .min(0, 'Enter 0 or more')
  .max(NUMBER_MAX, `At most ${numberText(NUMBER_MAX)}`);

/** POST and PUT /alerts/rules: a figure, and the condition for an alert. */
export const AlertRuleInput = z
  .object({
    metric: z.enum(ALERT_RULE_METRICS),
    scope: z.enum(ALERT_RULE_SCOPES),
    /** The app, campaign or ad set; null for the company. */
    scope_uuid: Uuid.nullable(),
    /** The last whole days of the company's time zone; 0 for today so far. */
    days: z.number().int().min(0).max(ALERT_RULE_DAYS_MAX),
    direction: z.enum(['above', 'below']),
    /** In dollars, percent or a count, as the metric has it. */
    threshold: amount,
    /** The figure counts only from this much on; null for any. Dollars for spend. */
    minimum: z.object({ of: z.enum(ALERT_RULE_MINIMUMS), value: amount }).nullable(),
    /**
     * The hour of the company's day at which it is checked. Null: today so far every hour, whole days an hour after the last one
     * ended.
     */
    hour: z.number().int().min(0).max(23).nullable(),
    is_enabled: z.boolean().default(true),
  })
  .refine(({ scope, scope_uuid }) => (scope === 'company') === (scope_uuid === null), {
    path: ['scope_uuid'],
    error: messages.required,
  })
  .refine(({ metric, days }) => cohortDayOf(metric) === undefined || days > 0, {
    path: ['days'],
    error: companyAlertMessages.ruleCohortToday,
  });
export type AlertRuleInput = z.infer<typeof AlertRuleInput>;

/**
 * The result of the last check of a rule: `unchecked` before the first, `met` if an alert is due or was sent, `too_little` if there
 * was less than the minimum, `unknown` where there is no such figure, and `failed` if it could not be read.
 */
export const ALERT_RULE_STATES = ['unchecked', 'not_met', 'met', 'too_little', 'unknown', 'failed'] as const;
export type AlertRuleState = (typeof ALERT_RULE_STATES)[number];

/** A rule of a company, and the result of its last check. */
export const AlertRule = z.object({
  uuid: Uuid,
  metric: z.enum(ALERT_RULE_METRICS),
  scope: z.enum(ALERT_RULE_SCOPES),
  scope_uuid: Uuid.nullable(),
  /** The name of the app, campaign or ad set; null for the company, and where it does not exist any more. */
  scope_name: z.string().nullable(),
  days: z.number().int(),
  direction: z.enum(['above', 'below']),
  threshold: z.number(),
  minimum: z.object({ of: z.enum(ALERT_RULE_MINIMUMS), value: z.number() }).nullable(),
  hour: z.number().int().nullable(),
  is_enabled: z.boolean(),
  state: z.enum(ALERT_RULE_STATES),
  /** The figure at the last check; null where there was none. */
  value: z.number().nullable(),
  /** The count of `minimum.of`; null without a minimum. */
  volume: z.number().nullable(),
  /** First and last day that the figure is of; null before the first check. */
  from_date: z.string().nullable(),
  to_date: z.string().nullable(),
  checked_at: Timestamp.nullable(),
  /** Since when it is met without a break; null unless it is. */
  met_since: Timestamp.nullable(),
  next_check_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type AlertRule = z.infer<typeof AlertRule>;
/** Checks change a rule without an edit by a user. */
export const alertRuleVersion = entityVersion(AlertRule, [
  'state',
  'value',
  'volume',
  'from_date',
  'to_date',
  'checked_at',
  'met_since',
  'next_check_at',
]);

/** A figure of a metric as people read it: `$6.00`, `20%`, `1 200`. Pure. */
export function ruleFigureText(metric: AlertRuleMetric | AlertRuleMinimum, value: number): string {
  const { unit } = RULE_METRICS[metric];
  if (unit === 'dollars') return dollarsText(value);
  const digits = value !== 0 && Math.abs(value) < 100 && !Number.isInteger(value) ? 2 : 0;
  const text = numberText(value, digits);
  return unit === 'percent' ? `${text}%` : text;
}

/** The days of a rule in words: `today`, `1 day`, `3 days`. Pure. */
export function ruleWindowText(days: number): string {
  return days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`;
}

/** A rule in a line: `CPI above $6.00 over 3 days`. Pure. */
export function ruleText({
  metric,
  direction,
  threshold,
  days,
}: Pick<AlertRule, 'metric' | 'direction' | 'threshold' | 'days'>): string {
  const over = days === 0 ? 'today' : `over ${ruleWindowText(days)}`;
  return `${RULE_METRICS[metric].label} ${direction} ${ruleFigureText(metric, threshold)} ${over}`;
}
