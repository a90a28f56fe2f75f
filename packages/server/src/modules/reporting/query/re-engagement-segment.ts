import type { ReEngagementCounts } from '@bidwell/contract/reports/metrics';
import type { EventRules } from '../../../delivery/public.ts';
import { measures } from './dimensions.ts';
import { eventRulesSql } from './event-rules-sql.ts';

/** Figures of re-engagement campaigns in a row, in their order, and the counts that they are. */
export const RE_ENGAGEMENT_FIGURES = [
  ['reImpressions', 'impressions'],
  ['reClicks', 'clicks'],
  ['reSpendMicros', 'spendMicros'],
  ['reattributions', 'reattributions'],
  ['reinstalls', 'reinstalls'],
  ['reEvents', 'events'],
  ['reRevenueMicros', 'revenueMicros'],
  ['reKnownRevenues', 'knownRevenues'],
  ['reUnknownRevenues', 'unknownRevenues'],
] as const satisfies readonly (readonly [figure: string, count: keyof ReEngagementCounts])[];

/** {@link RE_ENGAGEMENT_FIGURES}, and after them the number of events of each name that a query chose. */
export function reEngagementFigures(names: readonly string[]): string[] {
  return [...RE_ENGAGEMENT_FIGURES.map(([figure]) => figure), ...names.map((_, index) => `reNamed${index}`)];
}

/** SQL by figure; the others are 0. */
export type ReEngagementSql = Readonly<Record<string, string>>;

/** Condition on the campaigns, which aggregates with their column serve. */
export const OF_RE_ENGAGEMENT = 'campaign_id in {reEngagement:Array(UUID)}';

/** SQL of the figures that aggregates have: of {@link OF_RE_ENGAGEMENT} alone, a part of the row's own. */
export const placementFigures: ReEngagementSql = {
  reImpressions: measures.impressions,
  reClicks: measures.clicks,
  reSpendMicros: measures.spendMicros,
};

const KINDS = [
  'reattribution',
  'reattribution_rejected',
  'reinstall',
  'reinstall_rejected',
  'reengaged_event',
  'reengaged_event_rejected',
];

/** Condition on the events of {@link returnFigures}, which no aggregate has: they are few. */
export const IS_RETURN = `kind in (${KINDS.map((kind) => `'${kind}'`).join(', ')})`;

const signOf = (kind: string) =>
  `multiIf(mark != '', 0, kind = '${kind}', 1, kind = '${kind}_rejected', -1, 0)`;

/** SQL of the figures of returns and their events, with the revenue that the company's apps count; adds its parameters to `params`. */
export function returnFigures(
  rules: EventRules | undefined,
  names: readonly string[],
  params: Record<string, unknown>,
): ReEngagementSql {
  const rule = eventRulesSql(rules);
  Object.assign(params, rule.params);
  for (const [index, name] of names.entries()) params[`reName${index}`] = name;
  const sign = signOf('reengaged_event');
  const counted = `${sign} * (${rule.isRevenue('is_ad_revenue')})`;
  return {
    reattributions: `sum(${signOf('reattribution')})`,
    reinstalls: `sum(${signOf('reinstall')})`,
    reEvents: `sum(${sign})`,
    reRevenueMicros: `sum(${counted} * revenue_micros)`,
    reKnownRevenues: `sum(${counted} * (revenue_known = 1))`,
    reUnknownRevenues: `sum(${counted} * (revenue_known = 0 and revenue_amount > ''))`,
    ...Object.fromEntries(
      names.map((_, index) => [`reNamed${index}`, `sum(${sign} * (event_name = {reName${index}:String}))`]),
    ),
  };
}
