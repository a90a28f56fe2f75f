/**
 * When ClickHouse stored an event or a sampled bid, by which an export finds what came late. Rows that are there before get 1970: their column
 * is written before the default becomes the present, since a merge would compute it anew.
 */
export const storedAt = ['events', 'bid_sample'].flatMap((table) => [
  `alter table ${table} add column if not exists stored_at DateTime64(3, 'UTC') default toDateTime64(0, 3, 'UTC')`,
  `alter table ${table} materialize column stored_at settings mutations_sync = 2`,
  `alter table ${table} add index if not exists stored_at_index stored_at type minmax granularity 4`,
  `alter table ${table} materialize index stored_at_index settings mutations_sync = 2`,
  `alter table ${table} modify column stored_at DateTime64(3, 'UTC') default now64(3, 'UTC')`,
]);
