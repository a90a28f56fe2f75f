import { type Aggregate, projectionSql, reportAggregates } from '../aggregates.ts';

const replacedNames = {
  hourly_campaigns: 'hourly_by_campaign',
  daily_creatives: 'daily_by_creative',
  daily_places: 'daily_by_place',
  monthly_places: 'monthly_by_place',
  daily_bundles: 'daily_by_bundle',
  monthly_bundles: 'monthly_by_bundle',
};

/** The first aggregates for reports, which did not separate invalid traffic. A later migration replaces them. */
export const replacedAggregates: readonly Aggregate[] = reportAggregates.map((aggregate) => ({
  ...aggregate,
  name: replacedNames[aggregate.name],
  measures: ['clicks', 'installs', 'impressions', 'wins', 'losses', 'spendMicros'],
}));

/**
 * Aggregates for reports, each small enough to be worth reading. They commit with their rows, and read the company's own
 * rows first. The aggregate over every column that they replace was about as long as the events themselves. Expired
 * months are dropped whole: an aggregate would still include a single deleted row.
 */
export const eventAggregates = [
  'alter table events drop projection if exists hourly',
  'alter table events modify setting ttl_only_drop_parts = 1',
  ...replacedAggregates.flatMap((aggregate) => [
    `alter table events add projection if not exists ${aggregate.name} ${projectionSql(aggregate)}`,
    `alter table events materialize projection ${aggregate.name}`,
  ]),
];
