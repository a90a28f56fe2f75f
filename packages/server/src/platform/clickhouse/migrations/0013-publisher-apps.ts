/** Apps of publishers as exchanges offered them: a row for each app, exchange and day, and for each change. */
export const publisherApps = [
  `create table if not exists publisher_apps (
    seen_at DateTime64(3, 'UTC'),
    bundle String,
    exchange LowCardinality(String),
    name String,
    publisher String,
    store_link String,
    chain LowCardinality(String),
    seller_domain LowCardinality(String),
    seller_id String
  ) engine = MergeTree
  order by (bundle, exchange, seen_at)
  ttl toDateTime(seen_at) + toIntervalDay(90)`,
];
