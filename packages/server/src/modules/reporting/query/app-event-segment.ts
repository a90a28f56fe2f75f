import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
  rejectedPeopleSql,
} from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../delivery/public.ts';
import { eventRulesSql } from './event-rules-sql.ts';
import type { Period } from './plan.ts';

const HOUR_MS = 3_600_000;

/** Figures of in-app events in a row, before the figures of the names that a query chose. */
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
  /** SQL of the values by which the rows are grouped, over `columns` and {@link appEventSecondSql}. */
  keys: readonly string[];
  /** Conditions over `columns`. */
  filters: readonly string[];
  columns: readonly PersonField[];
  names: readonly string[];
  /** Columns of the other segments, 0 in this one. */
  others: readonly string[];
  rules: EventRules | undefined;
  fromEvents: boolean;
}

/** SQL of the time of an in-app event in Unix seconds. */
export const appEventSecondSql = 'toUInt32(intDiv(atMs, 1000))';

/**
 * SQL that counts the in-app events of a period from the projection of people's events, whose times are exact: it needs no plan of
 * segments. It groups by person first, because a person counts once however many events a row has.
 */
export function appEventSegmentSql(
  { period, part, keys, filters, columns, names, others, rules, fromEvents }: AppEventSegment,
  params: Record<string, unknown>,
): string {
  const { fromMs, beforeMs } = period;
  params[`${part}From`] = Math.max(0, Math.floor(fromMs));
  params[`${part}Before`] = Math.max(0, Math.floor(beforeMs));
  params[`${part}FromHour`] = clickhouseTime(Math.floor(fromMs / HOUR_MS) * HOUR_MS).slice(0, 19);
  params[`${part}BeforeHour`] = clickhouseTime(Math.ceil(beforeMs / HOUR_MS) * HOUR_MS).slice(0, 19);
  names.forEach((eventName, index) => (params[`event${index}`] = eventName));
  const rule = eventRulesSql(rules);
  Object.assign(params, rule.params);
  const fields: PersonField[] = ['person', 'atMs', 'flags', 'revenue_micros', ...columns, ...rule.columns];
  if (names.length > 0) fields.push('event_name');
  const events = personEventsSql({
    fields: [...new Set(fields)],
    where: [
      'company_id = {company:UUID}',
      'test = 0',
      `${PERSON_EVENTS_HOUR} >= {${part}FromHour:DateTime('UTC')}`,
      `${PERSON_EVENTS_HOUR} < {${part}BeforeHour:DateTime('UTC')}`,
    ],
    fromEvents,
  });
  const rejected = rejectedPeopleSql({ ...period, name: `${part}Rejected`, fromEvents }, params);
  const { appEvent, takenBack, invalid, adRevenue, knownRevenue, unknownRevenue } = personFlags;
  const sign = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;
  const isAd = `(bitAnd(flags, ${adRevenue}) > 0)`;
  const isRevenue = rule.isRevenue(isAd);
  const isPayer = rule.isPayer(`(revenue_micros > 0 and not ${isAd})`);
  const having = (flag: number) => `sumIf(${sign}, bitAnd(flags, ${flag}) > 0 and ${isRevenue})`;
  const groups = keys.map((_, index) => `d${index}`);
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
        ...keys.map((key, index) => `${key} as d${index}`),
        'person',
        `sum(${sign}) as events`,
        `sumIf(${sign}, ${isPayer}) as paid`,
        `sumIf(${sign} * revenue_micros, ${isRevenue}) as revenue`,
        `${having(knownRevenue)} as known`,
        `${having(unknownRevenue)} as unknown`,
        ...names.map((_, index) => `sumIf(${sign}, event_name = {event${index}:String}) as named${index}`),
      ].join(', ')}
      from (${events})
      where ${[
        `bitAnd(flags, ${appEvent + invalid}) = ${appEvent}`,
        `atMs >= {${part}From:Int64}`,
        `atMs < {${part}Before:Int64}`,
        `person global not in (${rejected})`,
        ...filters,
      ].join(' and ')}
      group by ${[...groups, 'person'].join(', ')}
    )
    ${groups.length > 0 ? `group by ${groups.join(', ')}` : ''}`;
}
