/**
 * Events of bids. `batch` and `seq` are the row's position in the write-ahead log, by which the stored rows are recognized
 * after a crash. The hourly aggregates are a projection, which commits together with its rows.
 */
export const events = [
  `create table if not exists events (
    time DateTime64(3, 'UTC'),
    kind LowCardinality(String),
    bid_id UUID,
    company_id UUID,
    app_id UUID,
    campaign_id UUID,
    adset_id UUID,
    creative_id UUID,
    creative_group_id UUID,
    creative_type LowCardinality(String),
    creative_width UInt16,
    creative_height UInt16,
    creative_duration_ms UInt32,
    exchange LowCardinality(String),
    bundle String,
    os LowCardinality(String),
    country LowCardinality(String),
    language LowCardinality(String),
    spend_micros Int64,
    bid_cpm_micros Int64,
    loss_reason UInt16,
    test UInt8,
    batch UUID,
    seq UInt32,
    index batch_index batch type bloom_filter granularity 1,
    projection hourly (
      select
        toStartOfHour(time), company_id, test, kind, app_id, campaign_id, adset_id, creative_id, creative_group_id,
        creative_type, creative_width, creative_height, creative_duration_ms, exchange, bundle, os, country,
        count(), sum(spend_micros)
      group by
        toStartOfHour(time), company_id, test, kind, app_id, campaign_id, adset_id, creative_id, creative_group_id,
        creative_type, creative_width, creative_height, creative_duration_ms, exchange, bundle, os, country
    )
  ) engine = MergeTree
  partition by toYYYYMM(time)
  order by (company_id, time)`,
];
