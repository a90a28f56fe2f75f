/** SQL of the start of the period of UTC in which an event lies, for each length that aggregates group by. */
export const grainSql = {
  quarterHour: 'toStartOfFifteenMinutes(time)',
  hour: 'toStartOfHour(time)',
  day: 'toDate(time)',
  month: 'toStartOfMonth(time)',
} as const;

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
  /** Its first sort key: the company, for reports; the time, for queries across companies. */
  sortedBy: 'company' | 'time';
  grain: keyof typeof grainSql;
  /** Columns by which it groups, in addition to the company, `test` and the time. */
  columns: readonly string[];
  measures: readonly (keyof typeof measureSql)[];
}

/** Definition of an aggregate's projection. */
export function projectionSql({ sortedBy, grain, columns, measures }: Aggregate): string {
  const time = grainSql[grain];
  const first = sortedBy === 'company' ? ['company_id', 'test', time] : ['test', time, 'company_id'];
  const keys = [...first, ...columns].join(', ');
  return `( select ${keys}, ${measures.map((measure) => measureSql[measure]).join(', ')} group by ${keys} )`;
}
