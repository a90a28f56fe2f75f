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
