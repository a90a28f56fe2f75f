import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { OTHER } from '@bidwell/contract/reports/schema';
import { COHORT_DAYS } from '@bidwell/contract/reports/cohorts';
import { personSql } from '../../../platform/clickhouse/aggregates.ts';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../platform/postgres/stores/event-rules-store.ts';
import { INSTALL_LATENESS_DAYS } from '../../../delivery/public.ts';
import { dimensions } from '../query/dimensions.ts';
import { eventRulesSql } from '../query/event-rules-sql.ts';
import type { Period } from '../query/plan.ts';
import type { Bucket } from '../query/query-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A question about the people whose installs lie in a period. */
export interface CohortQuery {
  period: Period;
  /** Cohorts: sorted, the first starts no later than the period. */
  cohorts: readonly Bucket[];
  by?: ReportKey | undefined;
  filters: Partial<Record<ReportKey, readonly string[]>>;
  /** How in-app events count; all as by default without it. */
  rules?: EventRules | undefined;
  nowMs: number;
}

type Params = Record<string, unknown>;
interface Sql {
  sql: string;
  params: Params;
}

/** Options of the queries. `fromEvents` reads no projection; it is slower and must give the same result. */
interface Reading {
  fromEvents?: boolean;
}

/** The people of a cohort, or of a value in it, whose day has ended. A person is an install. */
export interface DayFigures {
  people: number;
  /** Cumulative. */
  revenueMicros: number;
  /** Sum of the squares of each person's revenue in dollars. */
  squares: number;
  /** Cumulative. */
  payers: number;
  /** With an event on this very day. */
  active: number;
}

export interface CohortFigures {
  /** Value of the cohort's bucket, and of `by`. */
  cohort: string;
  value: string;
  installs: number;
  /** Events with an amount that is not known in dollars. */
  unknownAmounts: number;
  /** In the order of {@link COHORT_DAYS}. */
  days: DayFigures[];
}

/** The values of the query's `by` with the most installs, the most first. */
export async function topValues(
  clickhouse: ClickHouse,
  companyId: string,
  query: CohortQuery,
  { limit, settings }: { limit: number; settings: QuerySettings },
): Promise<string[]> {
  const { sql, params } = topValuesSql(companyId, query, limit);
  const rows = await clickhouse.query<{ value: string }>(sql, params, 'JSON', settings);
  return rows.map(({ value }) => value);
}

/** Reads the figures of each cohort that has installs, by the query's `by`, of which all but `values` count as Other. */
export async function readCohorts(
  clickhouse: ClickHouse,
  companyId: string,
  query: CohortQuery,
  { values, settings, ...reading }: { values: readonly string[]; settings: QuerySettings } & Reading,
): Promise<CohortFigures[]> {
  const { sql, params } = cohortsSql(companyId, query, values, reading);
  const rows = await clickhouse.query<ResponseRow>(sql, params, 'JSONCompact', settings);
  return rows.map(([cohort, value, installs, unknownAmounts, people, revenue, squares, payers, active]) => ({
    cohort,
    value,
    installs,
    unknownAmounts,
    days: COHORT_DAYS.map((_, at) => ({
      people: people[at]!,
      revenueMicros: revenue[at]!,
      squares: squares[at]!,
      payers: payers[at]!,
      active: active[at]!,
    })),
  }));
}

type ResponseRow = [
  cohort: string,
  value: string,
  installs: number,
  unknownAmounts: number,
  people: number[],
  revenue: number[],
  squares: number[],
  payers: number[],
  active: number[],
];

function topValuesSql(companyId: string, query: CohortQuery, limit: number): Sql {
  const { sql, params } = peopleSql(companyId, query, [], {});
  return {
    params,
    sql: `select toString(d) as value, count() as installs from (${sql}) group by value
      order by installs desc, value limit ${Math.trunc(limit)}`,
  };
}

/**
 * SQL of the figures of each cohort and value of `by`, of which all but `values` count as Other. A row is the cohort, the value,
 * the installs, the events whose amount is not known, and for each of {@link COHORT_DAYS}, of the people who are old enough: how
 * many they are, their revenue in micros, the sum of its squares in dollars, payers, and those with an event on the day.
 */
function cohortsSql(companyId: string, query: CohortQuery, values: readonly string[], reading: Reading): Sql {
  const { sql, params } = peopleSql(companyId, query, [`${personSql.events} as events`], reading);
  const cohorts = query.cohorts.filter(({ startMs }) => startMs >= 0);
  const rule = eventRulesSql(query.rules);
  const isRevenue = rule.isRevenue('app', 'event.3');
  const isPurchase = rule.payer('event.6', { always: '1', otherwise: 'event.2 > 0 and event.3 = 0' });
  return {
    params: {
      ...params,
      ...rule.params,
      starts: cohorts.map(({ startMs }) => Math.floor(startMs / 1000)),
      labels: cohorts.map(({ value }) => value),
      values,
      now: query.nowMs,
    },
    sql: `
      with [${COHORT_DAYS.join(', ')}] as days,
        toUnixTimestamp64Milli(installed) as installedMs,
        arrayMap(event -> if(event.4 = 1, -1, 1), events) as signs,
        arrayMap(event -> intDiv(greatest(toUnixTimestamp64Milli(event.1) - installedMs, 0), ${DAY_MS}), events) as ages,
        arrayMap((event, sign) -> if(${isRevenue}, event.2 * sign, 0), events, signs) as amounts,
        arrayMap((event, sign) -> if(${isPurchase}, sign, 0), events, signs) as purchases,
        arrayMap(day -> {now:Int64} - installedMs >= (day + 1) * ${DAY_MS}, days) as mature,
        arrayMap((day, old) -> if(old, arraySum((amount, age) -> if(age <= day, amount, 0), amounts, ages), 0), days, mature) as revenue
      select
        transform(roundDown(toUnixTimestamp(installed), {starts:Array(UInt32)}), {starts:Array(UInt32)}, {labels:Array(String)}, '') as cohort,
        ${query.by ? `if(has({values:Array(String)}, toString(d)), toString(d), '${OTHER}')` : `''`} as value,
        count() as installs,
        sum(arraySum((event, sign) -> if(event.5 and ${isRevenue}, sign, 0), events, signs)) as unknown,
        sumForEach(mature),
        sumForEach(revenue),
        sumForEach(arrayMap(amount -> pow(amount / 1000000, 2), revenue)),
        sumForEach(arrayMap((day, old) -> old and arraySum((sign, age) -> if(age <= day, sign, 0), purchases, ages) > 0, days, mature)),
        sumForEach(arrayMap((day, old) -> old and arraySum((sign, age) -> if(age = day, sign, 0), signs, ages) > 0, days, mature))
      from (${sql})
      group by cohort, value`,
  };
}

/** The people of a query with the value of `by` as `d`, and when they installed. */
function peopleSql(
  companyId: string,
  { period: { fromMs, beforeMs }, by, filters, rules }: CohortQuery,
  figures: readonly string[],
  { fromEvents = false }: Reading,
): Sql {
  const { isPerson, month, id, installedAt, rejections } = personSql;
  const params: Params = {
    company: companyId,
    from: clickhouseTime(fromMs),
    before: clickhouseTime(beforeMs),
    fromMonth: clickhouseTime(fromMs - INSTALL_LATENESS_DAYS * DAY_MS).slice(0, 7) + '-01',
    // Installs follow their bid, within days; an hour is for clocks that differ.
    fromPerson: firstIdAt(fromMs - INSTALL_LATENESS_DAYS * DAY_MS - HOUR_MS),
    beforePerson: firstIdAt(beforeMs + HOUR_MS),
  };
  const conditions = (Object.keys(filters) as ReportKey[]).map((key) => {
    const { type } = dimensions[key];
    params[`only_${key}`] = type === 'UInt32' ? filters[key]!.map(Number) : filters[key];
    return `${personDimension(key)} in {only_${key}:Array(${type})}`;
  });
  const where = [
    'company_id = {company:UUID}',
    'test = 0',
    isPerson,
    `${id} >= {fromPerson:UInt128}`,
    `${id} < {beforePerson:UInt128}`,
    `${month} >= {fromMonth:Date}`,
    ...conditions,
  ];
  const groups = [
    { name: 'person', value: id },
    ...(by ? [{ name: 'd', value: personDimension(by) }] : []),
    ...(eventRulesSql(rules).needsApp ? [{ name: 'app', value: personSql.column('app_id') }] : []),
  ];
  return {
    params,
    sql: `
      select ${[...groups.map(({ name, value }) => `${value} as ${name}`), `${installedAt} as installed`, ...figures].join(', ')}
      from events
      where ${where.join(' and ')}
      group by ${groups.map(({ name }) => name).join(', ')}
      having installed >= {from:DateTime64(3, 'UTC')} and installed < {before:DateTime64(3, 'UTC')} and ${rejections} = 0
      settings ${fromEvents ? 'optimize_use_projections = 0' : `preferred_optimize_projection_name = '${personSql.projection}'`}`,
  };
}

/** A report's key over the columns of people. */
function personDimension(key: ReportKey): string {
  const { sql, columns } = dimensions[key];
  return columns.reduce((text, column) => text.replaceAll(column, personSql.column(column)), sql);
}

/** The number of the first UUIDv7 of an instant. */
const firstIdAt = (atMs: number) => (BigInt(Math.max(0, Math.floor(atMs))) << 80n).toString();
