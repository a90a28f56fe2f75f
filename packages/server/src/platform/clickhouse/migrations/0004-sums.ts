const sums = (keys: string) => `(
    select
      ${keys},
      countIf(kind = 'click'), countIf(kind = 'install'), countIf(kind = 'impression'), countIf(kind = 'win'),
      countIf(kind = 'loss'), sum(spend_micros)
    group by ${keys}
  )`;

const creative =
  'creative_group_id, creative_id, creative_type, creative_width, creative_height, creative_duration_ms';

const place = 'campaign_id, adset_id, app_id, os, country, exchange';

const projections = {
  hourly_by_campaign: 'company_id, test, toStartOfHour(time), campaign_id, app_id',
  daily_by_creative: `company_id, test, toDate(time), campaign_id, adset_id, app_id, os, ${creative}`,
  daily_by_place: `company_id, test, toDate(time), ${place}`,
  monthly_by_place: `company_id, test, toStartOfMonth(time), ${place}`,
  daily_by_bundle: 'company_id, test, toDate(time), bundle',
  monthly_by_bundle: 'company_id, test, toStartOfMonth(time), bundle',
};

/**
 * Aggregates for reports, each small enough to be worth reading: by hour for charts over time in any time zone, by day
 * and month of UTC for the rest (docs/decisions/006). They commit with their rows, and read the company's own rows first.
 * The aggregate over every column that they replace was about as long as the events themselves. Expired months are
 * dropped whole: an aggregate would still include a single deleted row.
 */
export const eventSums = [
  'alter table events drop projection if exists hourly',
  'alter table events modify setting ttl_only_drop_parts = 1',
  ...Object.entries(projections).flatMap(([name, keys]) => [
    `alter table events add projection if not exists ${name} ${sums(keys)}`,
    `alter table events materialize projection ${name}`,
  ]),
];
