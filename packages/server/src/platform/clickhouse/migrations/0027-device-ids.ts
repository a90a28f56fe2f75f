/** What the requests that an ad set targets have of an advertising id, by hour: usable, absent, or the reason why it may not be used. */
export const deviceIds = [
  `create table if not exists device_ids (
    hour DateTime('UTC'),
    company_id UUID,
    campaign_id UUID,
    adset_id UUID,
    state LowCardinality(String),
    requests UInt64,
    samples UInt64,
    variance UInt64
  ) engine = SummingMergeTree
  partition by toYYYYMM(hour)
  order by (company_id, adset_id, hour, state, campaign_id)
  ttl hour + toIntervalDay(90)`,
];
