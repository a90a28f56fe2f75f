/** Bids placed and won by price step, without test traffic and without companies, from which forecasts know the market. */
export const bidPrices = [
  `create table if not exists bid_prices (
    hour DateTime('UTC'),
    exchange LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(String),
    price_step UInt8,
    placed UInt64,
    won UInt64,
    impressions UInt64
  ) engine = SummingMergeTree
  partition by toYYYYMM(hour)
  order by (hour, exchange, country, format, price_step)
  ttl hour + toIntervalDay(30)`,
];
