/** SQL of the start of the period of UTC in which an event lies, for each length that aggregates group by. */
export const grainSql = {
  quarterHour: 'toStartOfFifteenMinutes(time)',
  hour: 'toStartOfHour(time)',
  day: 'toDate(time)',
  month: 'toStartOfMonth(time)',
} as const;

const countOf = (kind: string) => `countIf(kind = '${kind}')`;
/** Without invalid traffic. */
const validCountOf = (kind: string) => `countIf(kind = '${kind}' and mark = '')`;
/** Without invalid traffic and implausible installs. */
const trainingCountOf = (kind: string) => `countIf(kind = '${kind}' and mark = '' and untrained = '')`;

/** SQL of the figures that aggregates store. A query reads an aggregate only if it has exactly these expressions. */
export const measureSql = {
  clicks: countOf('click'),
  installs: countOf('install'),
  impressions: countOf('impression'),
  wins: countOf('win'),
  losses: countOf('loss'),
  spendMicros: 'sum(spend_micros)',
  marginMicros: 'sum(margin_micros)',
  validClicks: validCountOf('click'),
  validInstalls: validCountOf('install'),
  validRejectedInstalls: validCountOf('install_rejected'),
  validImpressions: validCountOf('impression'),
  trainingInstalls: trainingCountOf('install'),
  trainingRejectedInstalls: trainingCountOf('install_rejected'),
} as const;

/**
 * A projection of the events table that aggregates by columns and by time. It commits together with its rows. A
 * deployed aggregate never changes: a migration adds one with another name and drops the one that it replaces.
 */
export interface Aggregate<Name extends string = string> {
  name: Name;
  /** What it is sorted by first: the company, for reports; the time, for queries across companies. */
  sortedBy: 'company' | 'time';
  grain: keyof typeof grainSql;
  /** Columns by which it groups, besides the company, `test` and the time. */
  columns: readonly string[];
  measures: readonly (keyof typeof measureSql)[];
}

const creativeColumns = [
  'creative_group_id',
  'creative_id',
  'creative_type',
  'creative_width',
  'creative_height',
  'creative_duration_ms',
];

const placementColumns = ['campaign_id', 'adset_id', 'app_id', 'os', 'country', 'exchange'];

const reportAggregate = <Name extends string>(
  name: Name,
  grain: 'hour' | 'day' | 'month',
  columns: readonly string[],
) => ({
  name,
  sortedBy: 'company' as const,
  grain,
  columns,
  measures: [
    'clicks',
    'installs',
    'impressions',
    'wins',
    'losses',
    'spendMicros',
    'validClicks',
    'validInstalls',
    'validRejectedInstalls',
  ] as const,
});

/**
 * Aggregates that reports read: by hour for charts over time in any time zone, by day and month of UTC for the rest
 * (docs/decisions/006-aggregates.md). A deployed migration creates all of these: a further one goes into a list and a
 * migration of its own.
 */
export const reportAggregates = [
  reportAggregate('hourly_campaigns', 'hour', ['campaign_id', 'app_id']),
  reportAggregate('daily_creatives', 'day', ['campaign_id', 'adset_id', 'app_id', 'os', ...creativeColumns]),
  reportAggregate('daily_places', 'day', placementColumns),
  reportAggregate('monthly_places', 'month', placementColumns),
  reportAggregate('daily_bundles', 'day', ['bundle']),
  reportAggregate('monthly_bundles', 'month', ['bundle']),
] as const;

export type ReportAggregateName = (typeof reportAggregates)[number]['name'];

/** Outcomes of bids by day, from which the bidder learns. */
export const dailyHistory: Aggregate = {
  name: 'daily_history',
  sortedBy: 'time',
  grain: 'day',
  columns: [
    'adset_id',
    'creative_id',
    'creative_type',
    'creative_width',
    'creative_height',
    'bundle',
    'country',
  ],
  measures: ['validImpressions', 'validClicks', 'trainingInstalls', 'trainingRejectedInstalls'],
};

/** Spend of ad sets by quarter hour, from which the spend of the current day follows in any time zone. */
export const quarterlySpend: Aggregate = {
  name: 'quarterly_spend',
  sortedBy: 'time',
  grain: 'quarterHour',
  columns: ['adset_id'],
  measures: ['spendMicros'],
};

/** Spend of campaigns by hour with the margin in it, for the ledger and for operators. Reports of advertisers have no margin. */
export const hourlyCosts: Aggregate = {
  name: 'hourly_costs',
  sortedBy: 'time',
  grain: 'hour',
  columns: ['campaign_id'],
  measures: ['spendMicros', 'marginMicros'],
};

/** Definition of an aggregate's projection. */
export function projectionSql({ sortedBy, grain, columns, measures }: Aggregate): string {
  const time = grainSql[grain];
  const first = sortedBy === 'company' ? ['company_id', 'test', time] : ['test', time, 'company_id'];
  const keys = [...first, ...columns].join(', ');
  return `( select ${keys}, ${measures.map((measure) => measureSql[measure]).join(', ')} group by ${keys} )`;
}

/** SQL of whether a row is about an event in an app: one that counts, or one that takes it back. */
export const IS_APP_EVENT = "kind in ('app_event', 'app_event_rejected')";

/** By what a row adds to the counts of in-app events; 0 for invalid traffic. */
const APP_EVENT_SIGN = "multiIf(mark != '', 0, kind = 'app_event', 1, kind = 'app_event_rejected', -1, 0)";

const NIL_SQL = "toUUID('00000000-0000-0000-0000-000000000000')";

/** The columns by which {@link appEventValues} groups, and what rows of other kinds have in their place. */
const appEventDefaults = {
  time: "toDateTime64(0, 3, 'UTC')",
  click_bid_id: NIL_SQL,
  event_name: "''",
  campaign_id: NIL_SQL,
  adset_id: NIL_SQL,
  app_id: NIL_SQL,
  creative_id: NIL_SQL,
  creative_group_id: NIL_SQL,
  creative_type: "''",
  creative_width: '0',
  creative_height: '0',
  creative_duration_ms: '0',
  bundle: "''",
  os: "''",
  country: "''",
  exchange: "''",
  is_ad_revenue: '0',
} as const;

export type AppEventColumn = keyof typeof appEventDefaults;

/** SQL of a column by which {@link appEventValues} groups. */
export function appEventColumnSql(column: AppEventColumn): string {
  return `if(${IS_APP_EVENT}, ${column}, ${appEventDefaults[column]})`;
}

/**
 * A projection with the in-app events: one row for each, and one row for all other events of an hour. A query reads it if it
 * uses exactly these expressions.
 */
export const appEventValues = {
  name: 'app_event_amounts',
  isAppEvent: IS_APP_EVENT,
  hour: grainSql.hour,
  measures: {
    events: `sum(${APP_EVENT_SIGN})`,
    /** Events with positive revenue. */
    paid: `sum(${APP_EVENT_SIGN} * (revenue_micros > 0))`,
    revenueMicros: `sum(${APP_EVENT_SIGN} * revenue_micros)`,
    knownRevenues: `sum(${APP_EVENT_SIGN} * revenue_known)`,
    // Not `!= ''`, which queries rewrite to a comparison of lengths, and so do not find in the projection.
    unknownRevenues: `sum(${APP_EVENT_SIGN} * (revenue_known = 0 and revenue_amount > ''))`,
  },
} as const;

/** Definition of the projection {@link appEventValues}, or of one without some of its columns. */
export function appEventValuesSql(without: readonly AppEventColumn[] = []): string {
  const columns = (Object.keys(appEventDefaults) as AppEventColumn[]).filter(
    (column) => !without.includes(column),
  );
  const keys = ['company_id', 'test', IS_APP_EVENT, grainSql.hour, ...columns.map(appEventColumnSql)].join(
    ', ',
  );
  return `( select ${keys}, ${Object.values(appEventValues.measures).join(', ')} group by ${keys} )`;
}

/** SQL of the number by which an event of an app is known. */
export const eventNumberSql = (app: string, name: string) => `cityHash64(${app}, ${name})`;

/** Condition on the events of a person: the install and what they did in the app. */
const OF_PERSON = "kind in ('install', 'install_rejected', 'app_event', 'app_event_rejected')";

/** Columns by which people can be grouped and filtered, with the value that the rows of other kinds share. */
const personColumns: Readonly<Record<string, string>> = {
  campaign_id: NIL_SQL,
  adset_id: NIL_SQL,
  app_id: NIL_SQL,
  creative_group_id: NIL_SQL,
  creative_id: NIL_SQL,
  creative_type: `''`,
  creative_width: '0',
  creative_height: '0',
  creative_duration_ms: '0',
  exchange: `''`,
  bundle: `''`,
  os: `''`,
  country: `''`,
};

const ofPerson = (expression: string, otherwise: string) => `if(${OF_PERSON}, ${expression}, ${otherwise})`;

/**
 * SQL of the projection `person_events`: a row for each person, who is the bid of an install, in each month of its events. All
 * keys are conditional, so that the rows of other kinds collapse into one. A query reads the projection only if it has exactly
 * these expressions. The person is a number, which is in the order of the bid's time.
 */
export const personSql = {
  projection: 'person_events',
  isPerson: OF_PERSON,
  month: grainSql.month,
  id: ofPerson(`toUInt128(if(${IS_APP_EVENT}, click_bid_id, bid_id))`, 'toUInt128(0)'),
  /** The column of a person's events; throws for one that the projection lacks. */
  column(name: string): string {
    const otherwise = personColumns[name];
    if (otherwise === undefined) throw new Error(`People are not grouped by ${name}`);
    return ofPerson(name, otherwise);
  },
  /** 1970 without a valid install. */
  installedAt: "minIf(time, kind = 'install' and mark = '')",
  rejections: "countIf(kind = 'install_rejected')",
  /** Valid events in the app: when, dollars in micros, whether from ads, whether taken back, whether the amount is not known, and
   * the number of app and name. "revenue_amount != ''" would be optimized to a read of the lengths, which the projection does
   * not match. */
  events: `groupArrayIf((event_at, revenue_micros, is_ad_revenue, kind = 'app_event_rejected',
    revenue_amount > '' and revenue_known = 0, ${eventNumberSql('app_id', 'event_name')}), ${IS_APP_EVENT} and mark = '')`,
} as const;

/** Definition of the projection of people, with other figures of their events than {@link personSql} has if these are given. */
export function personProjectionSql(events: string = personSql.events): string {
  const { isPerson, month, id, column, installedAt, rejections } = personSql;
  const keys = ['company_id', 'test', isPerson, id, month, ...Object.keys(personColumns).map(column)].join(
    ', ',
  );
  return `( select ${keys}, ${installedAt}, ${rejections}, ${events} group by ${keys} )`;
}
