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
 * Sums for reports, each small enough to be worth reading: by the hour for what is drawn over time in any time zone, by
 * the day and the month of UTC for the rest (docs/decisions/006). They commit with the rows they sum, and read the company's own rows
 * first. The sums over every column at once, which they replace, were about as long as the events themselves. Months are
 * dropped whole when they are past keeping: a row that left alone would stay in the sums.
 */
export const eventSums = [
  'alter table events drop projection if exists hourly',
  'alter table events modify setting ttl_only_drop_parts = 1',
  ...Object.entries(projections).flatMap(([name, keys]) => [
    `alter table events add projection if not exists ${name} ${sums(keys)}`,
    `alter table events materialize projection ${name}`,
  ]),
];
