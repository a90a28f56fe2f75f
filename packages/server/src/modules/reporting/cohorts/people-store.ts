import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { OTHER } from '@bidwell/contract/reports/schema';
import { COHORT_DAYS } from '@bidwell/contract/reports/cohorts';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
} from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../delivery/public.ts';
import { INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { dimensions } from '../query/dimensions.ts';
import { eventRulesSql } from '../query/event-rules-sql.ts';
import { type Period, isEmptyPeriod } from '../query/plan.ts';
import { type Bucket, countsSql } from '../query/query-model.ts';
import { firstIdText } from '../../../platform/clickhouse/bid-ids.ts';

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
  /** The company's re-engagement campaigns, whose spend is left out; absent for none. */
  reEngagement?: readonly string[] | undefined;
}

type Params = Record<string, unknown>;
interface Sql {
  sql: string;
  params: Params;
}

/** Options of {@link readCohorts}. */
interface Reading {
  /** Most values of `by` that are not counted as Other. */
  top: number;
  /** Reads the spend too, which is 0 otherwise. */
  withSpend: boolean;
  settings: QuerySettings;
  /** Reads no projection: slower, with the same result. */
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
  /** Spend of the same days and filters, by impression. */
  spendMicros: number;
  /** Events with an amount that is not known in dollars. */
  unknownAmounts: number;
  /** In the order of {@link COHORT_DAYS}. */
  days: DayFigures[];
}

/**
 * Reads the figures of each cohort that has installs or spend, by the query's `by`: its values with the most installs in the
 * period, and all others as Other. One query, because each has a fixed cost and the embedded engine executes them in turn.
 */
export async function readCohorts(
  clickhouse: ClickHouse,
  companyId: string,
  query: CohortQuery,
  { settings, ...reading }: Reading,
): Promise<CohortFigures[]> {
  if (isEmptyPeriod(query.period)) return [];
  const { sql, params } = cohortsSql(companyId, query, reading);
  const rows = await clickhouse.query<ResponseRow>(sql, params, 'JSONCompact', settings);
  return rows.map(([cohort, value, installs, spendMicros, unknownAmounts, people, ...figures]) => {
    const [revenues, squares, payers, actives] = figures;
    // Rows with spend alone have no figures of days.
    const days = COHORT_DAYS.map((_, at) => ({
      people: people[at] ?? 0,
      revenueMicros: revenues[at] ?? 0,
      squares: squares[at] ?? 0,
      payers: payers[at] ?? 0,
      active: actives[at] ?? 0,
    }));
    return { cohort, value, installs, spendMicros, unknownAmounts, days };
  });
}

type ResponseRow = [
  cohort: string,
  value: string,
  installs: number,
  spendMicros: number,
  unknownAmounts: number,
  people: number[],
  revenues: number[],
  squares: number[],
  payers: number[],
  actives: number[],
];

/** Columns of the rows that are added up, and their aggregate functions. */
const FIGURES = {
  installs: 'sum',
  spend: 'sum',
  unknown: 'sum',
  people: 'sumForEach',
  revenues: 'sumForEach',
  squares: 'sumForEach',
  payers: 'sumForEach',
  actives: 'sumForEach',
} as const;
const sums = Object.entries(FIGURES).map(([name, sum]) => `${sum}(${name})`);

/** SQL of the rows of {@link readCohorts}: rows of people and of spend are added up before the values are ranked. */
function cohortsSql(
  companyId: string,
  query: CohortQuery,
  { top, withSpend, fromEvents = false }: Omit<Reading, 'settings'>,
): Sql {
  const people = figuresOfPeople(companyId, query, fromEvents);
  const sources = [people, ...(withSpend ? [spendSql(companyId, query, fromEvents)] : [])];
  const names = Object.keys(FIGURES);
  const rows = `
    select cohort, value, ${sums.map((sum, at) => `${sum} as ${names[at]}`).join(', ')}
    from (${sources.map(({ sql }) => sql).join(' union all ')})
    group by cohort, value having installs > 0 or spend > 0`;
  const ranked = `
    select *, dense_rank() over (order by ofValue desc, value) as place
    from (select *, sum(installs) over (partition by value) as ofValue from (${rows}))`;
  const params = Object.assign({}, ...sources.map((source) => source.params)) as Params;
  if (!query.by) return { params, sql: rows };
  return {
    params,
    sql: `
      select cohort, if(place <= ${Math.trunc(top)} and ofValue > 0, value, '${OTHER}') as shown, ${sums.join(', ')}
      from (${ranked})
      group by cohort, shown`,
  };
}

/** SQL of the spend of each cohort and value of `by`, without people. */
function spendSql(
  companyId: string,
  { period, cohorts, by, filters, reEngagement }: CohortQuery,
  fromEvents: boolean,
): Sql {
  const counts = countsSql(
    companyId,
    { period, by: [cohorts, ...(by ? [by] : [])], filters, reEngagement },
    { fromEvents },
  );
  return {
    params: counts.params,
    sql: `select values[1] as cohort, ${by ? 'values[2]' : `''`} as value, 0 as installs, ${reEngagement ? 'spendMicros - reSpendMicros' : 'spendMicros'} as spend, 0 as unknown,
        [] as people, [] as revenues, [] as squares, [] as payers, [] as actives from (${counts.sql})`,
  };
}

/** SQL of the figures of each cohort and value of `by`, of the people who are old enough for each of {@link COHORT_DAYS}. */
function figuresOfPeople(companyId: string, query: CohortQuery, fromEvents: boolean): Sql {
  const { sql, params } = peopleSql(companyId, query, fromEvents);
  const cohorts = query.cohorts.filter(({ startMs }) => startMs >= 0);
  const dayOf = (at: string) => `intDiv(greatest(${at} - installed, 0), ${DAY_MS})`;
  const d = query.by ? 'd, ' : '';
  const hasRules = eventRulesSql(query.rules).columns.length > 0;
  // Figures of all days are arrays, because the engine prepares a query with few expressions many times as fast.
  const ages = `
    select ${d}installed, unknowns, money, {now:Int64} - installed as age,
      arrayMap(at -> ${dayOf('intDiv(at, 4)')}, moneyAt) as moneyDays,
      arrayMap(at -> ${dayOf('intDiv(at, 2)')}, ${notTakenBack('acts')}) as activeDays,
      ${notTakenBack(hasRules ? 'boughtAt' : BOUGHT_AT)} as buys,
      if(empty(buys), ${NEVER}, ${dayOf(`intDiv(arrayMin(buys), ${hasRules ? 2 : 4})`)}) as bought
    from (${sql})`;
  const persons = `
    select ${d}installed, unknowns, age, bought, notEmpty(money) as hasMoney, notEmpty(activeDays) as isActive,
      arrayMap(day -> age >= (day + 1) * ${DAY_MS}, ${DAYS}) as mature,
      arrayMap((day, old) -> if(old, arraySum((amount, on) -> if(on <= day, amount, 0), money, moneyDays), 0), ${DAYS}, mature) as revenue,
      arrayMap((day, old) -> old and has(activeDays, day), ${DAYS}, mature) as active
    from (${ages})`;
  const countOf = (condition: (day: number) => string) =>
    `[${COHORT_DAYS.map((day) => `countIf(${condition(day)})`).join(', ')}]`;
  const isOld = (day: number) => `age >= ${(day + 1) * DAY_MS}`;
  return {
    params: {
      ...params,
      starts: cohorts.map(({ startMs }) => Math.floor(startMs / 1000)),
      labels: cohorts.map(({ value }) => value),
      now: query.nowMs,
    },
    sql: `
      select
        transform(roundDown(toUInt32(intDiv(installed, 1000)), {starts:Array(UInt32)}), {starts:Array(UInt32)}, {labels:Array(String)}, '') as cohort,
        ${query.by ? 'toString(d)' : `''`} as value,
        count() as installs, 0 as spend, sum(unknowns) as unknown,
        ${countOf(isOld)} as people,
        sumForEachIf(revenue, hasMoney) as revenues,
        sumForEachIf(arrayMap(amount -> pow(amount / 1000000, 2), revenue), hasMoney) as squares,
        ${countOf((day) => `bought <= ${day} and ${isOld(day)}`)} as payers,
        sumForEachIf(active, isActive) as actives
      from (${persons})
      group by cohort, value`,
  };
}

const DAYS = `[${COHORT_DAYS.join(', ')}]`;
/** A day after all others. */
const NEVER = 1_000_000;

/** SQL of the times of purchases, and of their revocations, from the arrays that {@link peopleSql} reads without rules. */
const BOUGHT_AT =
  'arrayFilter((at, amount) -> bitAnd(at, 2) = 0 and (amount > 0) = (bitAnd(at, 1) = 0), moneyAt, money)';

/** SQL of the times in an array that were not revoked; a revocation is stored as the time plus 1. */
const notTakenBack = (times: string) =>
  `if(takenBack = 0, ${times}, arrayFilter(at -> bitAnd(at, 1) = 0 and countEqual(${times}, at) > countEqual(${times}, at + 1), ${times}))`;

/**
 * SQL of the people of a query: the value of `by` as `d`, when they installed, and their events in the app. `acts` are the times of all
 * events, doubled, and 1 more for a revocation; `money` are the amounts, less the revoked ones, and `moneyAt` their
 * times, times four, and 2 more for revenue from ads and 1 more for a revocation. With rules of in-app events `boughtAt`
 * are the times of the events that make a payer, as in `acts`.
 */
function peopleSql(
  companyId: string,
  { period: { fromMs, beforeMs }, by, filters, rules }: CohortQuery,
  fromEvents: boolean,
): Sql {
  const rule = eventRulesSql(rules);
  const params: Params = {
    ...rule.params,
    company: companyId,
    // An event may be stored before its install.
    fromHour: clickhouseTime(floorToHour(fromMs - INSTALL_LATENESS_DAYS * DAY_MS)).slice(0, 19),
    fromMs: Math.max(0, fromMs),
    beforeMs: Math.max(0, beforeMs),
    // Installs follow their bid, within days; an hour is for clocks that differ.
    fromPerson: firstIdText(fromMs - INSTALL_LATENESS_DAYS * DAY_MS - HOUR_MS),
    beforePerson: firstIdText(beforeMs + HOUR_MS),
  };
  const conditions = (Object.keys(filters) as ReportKey[]).map((key) => {
    const { sql, type } = dimensions[key];
    params[`only_${key}`] = type === 'UInt32' ? filters[key]!.map(Number) : filters[key];
    return `${sql} in {only_${key}:Array(${type})}`;
  });
  const keys = [...(by ? [by] : []), ...(Object.keys(filters) as ReportKey[])];
  const columns = keys.flatMap((key) => dimensions[key].columns) as PersonField[];
  const events = personEventsSql({
    fields: [
      ...new Set<PersonField>(['person', 'eventMs', 'flags', 'revenue_micros', ...columns, ...rule.columns]),
    ],
    where: ['company_id = {company:UUID}', 'test = 0', `${PERSON_EVENTS_HOUR} >= {fromHour:DateTime('UTC')}`],
    fromEvents,
  });
  const { appEvent, takenBack, invalid, adRevenue, unknownRevenue } = personFlags;
  const isEvent = `bitAnd(flags, ${appEvent + invalid}) = ${appEvent}`;
  const isBack = `(bitAnd(flags, ${takenBack}) > 0)`;
  const isAd = `(bitAnd(flags, ${adRevenue}) > 0)`;
  const isRevenue = rule.isRevenue(isAd);
  const hasMoney = `${isEvent} and revenue_micros != 0 and ${isRevenue}`;
  const isPayer = rule.isPayer(`(revenue_micros > 0 and not ${isAd})`);
  const boughtAt =
    rule.columns.length > 0
      ? `groupArrayIf(eventMs * 2 + ${isBack}, ${isEvent} and ${isPayer}) as boughtAt,`
      : '';
  return {
    params,
    sql: `
      select person, ${by ? `any(${dimensions[by].sql}) as d, ` : ''}
        minIf(eventMs, bitAnd(flags, ${appEvent + takenBack + invalid}) = 0) as installed,
        countIf(${isEvent} and ${isBack}) as takenBack,
        sumIf(if(${isBack}, -1, 1), ${isEvent} and bitAnd(flags, ${unknownRevenue}) > 0 and ${isRevenue}) as unknowns,
        ${boughtAt}
        groupArrayIf(eventMs * 2 + ${isBack}, ${isEvent}) as acts,
        groupArrayIf(eventMs * 4 + ${isAd} * 2 + ${isBack}, ${hasMoney}) as moneyAt,
        groupArrayIf(if(${isBack}, -revenue_micros, revenue_micros), ${hasMoney}) as money
      from (${events})
      where ${['person >= {fromPerson:UInt128}', 'person < {beforePerson:UInt128}', ...conditions].join(' and ')}
      group by person
      having installed >= {fromMs:Int64} and installed < {beforeMs:Int64}
        and countIf(bitAnd(flags, ${appEvent + takenBack}) = ${takenBack}) = 0`,
  };
}

const floorToHour = (atMs: number) => Math.floor(atMs / HOUR_MS) * HOUR_MS;
