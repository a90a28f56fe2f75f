/**
 * The bid as the advertiser would be charged for it, per thousand with the margin; 0 in events of earlier releases. And the
 * sample of sent bids, each standing for `weight` bids of its campaign, for a month.
 */
export const bidLog = [
  `alter table events add column if not exists charged_cpm_micros Int64 default 0`,
  `create table if not exists bid_sample (
    time DateTime64(3, 'UTC'),
    bid_id UUID,
    company_id UUID,
    campaign_id UUID,
    adset_id UUID,
    creative_id UUID,
    creative_type LowCardinality(String),
    creative_width UInt16,
    creative_height UInt16,
    exchange LowCardinality(String),
    bundle String,
    os LowCardinality(String),
    country LowCardinality(String),
    charged_cpm_micros Int64,
    weight UInt32
  ) engine = MergeTree
  partition by toDate(time)
  order by (company_id, time)
  ttl toDateTime(time) + toIntervalDay(30)`,
];
