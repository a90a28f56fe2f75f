const sums = (keys: string) => `(
    select
      ${keys},
      countIf(kind = 'click'), countIf(kind = 'install'), countIf(kind = 'impression'), countIf(kind = 'win'),
      countIf(kind = 'loss'), sum(spend_micros),
      countIf(kind = 'click' and mark = ''), countIf(kind = 'install' and mark = ''),
      countIf(kind = 'install_rejected' and mark = '')
    group by ${keys}
  )`;

const creative =
  'creative_group_id, creative_id, creative_type, creative_width, creative_height, creative_duration_ms';

const place = 'campaign_id, adset_id, app_id, os, country, exchange';

const projections = {
  hourly_campaigns: 'company_id, test, toStartOfHour(time), campaign_id, app_id',
  daily_creatives: `company_id, test, toDate(time), campaign_id, adset_id, app_id, os, ${creative}`,
  daily_places: `company_id, test, toDate(time), ${place}`,
  monthly_places: `company_id, test, toStartOfMonth(time), ${place}`,
  daily_bundles: 'company_id, test, toDate(time), bundle',
  monthly_bundles: 'company_id, test, toStartOfMonth(time), bundle',
};

/** The replaced aggregates: an older server finds all that it queries in the new ones. */
const replaced = [
  'hourly_by_campaign',
  'daily_by_creative',
  'daily_by_place',
  'monthly_by_place',
  'daily_by_bundle',
  'monthly_by_bundle',
];

/** Aggregates for reports that separate invalid traffic and subtract rejected installs. */
export const validSums = [
  ...Object.entries(projections).flatMap(([name, keys]) => [
    `alter table events add projection if not exists ${name} ${sums(keys)}`,
    `alter table events materialize projection ${name}`,
  ]),
  ...replaced.map((name) => `alter table events drop projection if exists ${name}`),
];
