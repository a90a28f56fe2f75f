/**
 * The delivery funnel: requests that left it, by ad set, hour and reason, for a quarter of a year. And the sample of bid
 * requests without personal data, for a week.
 */
export const funnel = [
  `create table if not exists funnel (
    hour DateTime('UTC'),
    company_id UUID,
    campaign_id UUID,
    adset_id UUID,
    exit LowCardinality(String),
    outbid_by LowCardinality(String),
    requests UInt64,
    samples UInt64,
    variance UInt64
  ) engine = SummingMergeTree
  partition by toYYYYMM(hour)
  order by (company_id, adset_id, hour, exit, outbid_by, campaign_id)
  ttl hour + toIntervalDay(90)`,
  `create table if not exists request_sample (
    time DateTime64(3, 'UTC'),
    id UUID,
    exchange LowCardinality(String),
    weight UInt32,
    request String codec(ZSTD(3))
  ) engine = MergeTree
  partition by toDate(time)
  order by time
  ttl toDateTime(time) + toIntervalDay(7)`,
];
