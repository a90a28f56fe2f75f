import {
  type AppEventColumn,
  appEventColumnSql,
  appEventValues,
  eventNumberSql,
} from '../../../platform/clickhouse/aggregates.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../platform/postgres/stores/event-rules-store.ts';
import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { type Dimension, dimensions } from './dimensions.ts';
import { eventRulesSql } from './event-rules-sql.ts';
import type { Period } from './plan.ts';

/** Figures of in-app events in a row, before those of the names that a query chose. */
export const APP_EVENT_FIGURES = [
  'appEvents',
  'payers',
  'revenueMicros',
  'knownRevenues',
  'unknownRevenues',
] as const;

/** Figures of a row's in-app events: {@link APP_EVENT_FIGURES}, then count and people of each name. */
export function appEventFigures(names: readonly string[]): string[] {
  return [...APP_EVENT_FIGURES, ...names.flatMap((_, index) => [`count${index}`, `people${index}`])];
}

interface AppEventSegment {
  period: Period;
  part: 'now' | 'before';
  /** SQL of the values by which the rows are grouped, from {@link appEventKeySql} and {@link appEventInstantSql}. */
  keys: readonly string[];
  /** Conditions from {@link appEventKeySql}. */
  filters: readonly string[];
  names: readonly string[];
  /** Columns of the other segments, 0 in this one. */
  others: readonly string[];
  rules: EventRules | undefined;
  fromEvents: boolean;
}

/** SQL of the time of an in-app event, exact to the millisecond. */
export const appEventInstantSql = appEventColumnSql('time');

/** SQL of a report's key for in-app events, over the expressions that their projection has in place of the columns. */
export function appEventKeySql(key: ReportKey): string {
  const { sql, columns }: Dimension = dimensions[key];
  return columns.reduce(
    (text, column) => text.replaceAll(column, appEventColumnSql(column as AppEventColumn)),
    sql,
  );
}

/**
 * SQL that counts the in-app events of a period from their projection, whose times are exact: it needs no plan of segments. It
 * groups by person first, because a person counts once however many events a row has.
 */
export function appEventSegmentSql(
  { period, part, keys, filters, names, others, rules, fromEvents }: AppEventSegment,
  params: Record<string, unknown>,
): string {
  const { measures, isAppEvent, hour, name } = appEventValues;
  const bounds = { [`${part}From`]: period.fromMs, [`${part}Before`]: period.beforeMs };
  for (const [bound, atMs] of Object.entries(bounds)) params[bound] = clickhouseTime(atMs);
  params[`${part}Hour`] = clickhouseTime(Math.floor(period.fromMs / HOUR_MS) * HOUR_MS).slice(0, 19);
  names.forEach((eventName, index) => (params[`event${index}`] = eventName));
  const groups = keys.map((_, index) => `d${index}`);
  const rule = eventRulesSql(rules);
  Object.assign(params, rule.params);
  const counted = (sum: string) => `sumIf(${sum}, ${rule.isRevenue('app', 'ad')})`;
  const apps = rule.needsApp ? [appEventColumnSql('app_id')] : [];
  const paid = rule.payer(eventNumberSql('app', 'name'), { always: 'e', otherwise: 'if(ad = 0, p, 0)' });
  return `
    select ${[
      ...groups,
      `${part === 'now' ? 0 : 1} as part`,
      ...others.map((column) => `0 as p_${column}`),
      'sum(events) as p_appEvents',
      'countIf(paid > 0) as p_payers',
      'sum(revenue) as p_revenueMicros',
      'sum(known) as p_knownRevenues',
      'sum(unknown) as p_unknownRevenues',
      ...names.flatMap((_, index) => [
        `sum(named${index}) as p_count${index}`,
        `countIf(named${index} > 0) as p_people${index}`,
      ]),
    ].join(', ')}
    from (
      select ${[
        ...groups,
        'person',
        'sum(e) as events',
        `sum(${paid}) as paid`,
        `${counted('r')} as revenue`,
        `${counted('k')} as known`,
        `${counted('u')} as unknown`,
        ...names.map((_, index) => `sumIf(e, name = {event${index}:String}) as named${index}`),
      ].join(', ')}
      from (
        select ${[
          ...keys.map((key, index) => `${key} as d${index}`),
          `${appEventColumnSql('click_bid_id')} as person`,
          `${appEventColumnSql('event_name')} as name`,
          `${appEventColumnSql('is_ad_revenue')} as ad`,
          ...apps.map((column) => `${column} as app`),
          `${measures.events} as e`,
          `${measures.paid} as p`,
          `${measures.revenueMicros} as r`,
          `${measures.knownRevenues} as k`,
          `${measures.unknownRevenues} as u`,
        ].join(', ')}
        from events
        where ${[
          'company_id = {company:UUID}',
          'test = 0',
          isAppEvent,
          `${hour} >= {${part}Hour:DateTime('UTC')}`,
          `${appEventInstantSql} >= {${part}From:DateTime64(3, 'UTC')}`,
          `${appEventInstantSql} < {${part}Before:DateTime64(3, 'UTC')}`,
          ...filters,
        ].join(' and ')}
        group by ${[...groups, 'person', 'name', 'ad', ...apps.map(() => 'app')].join(', ')}
        settings ${fromEvents ? 'optimize_use_projections = 0' : `preferred_optimize_projection_name = '${name}'`}
      )
      group by ${[...groups, 'person'].join(', ')}
    )
    ${groups.length > 0 ? `group by ${groups.join(', ')}` : ''}`;
}

const HOUR_MS = 3_600_000;
