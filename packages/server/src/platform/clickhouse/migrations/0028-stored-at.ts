/**
 * When ClickHouse stored an event or a sampled bid, by which an export finds what came late. Only inserts that say `has_stored_at` have the time;
 * rows that are there before, and rows of an earlier server, have 1970 whenever their parts are read or merged, so that nothing is rewritten.
 */
export const storedAt = ['events', 'bid_sample'].flatMap((table) => [
  `alter table ${table} add column if not exists has_stored_at UInt8 default 0`,
  `alter table ${table} add column if not exists stored_at DateTime64(3, 'UTC')
    default if(has_stored_at = 1, now64(3, 'UTC'), toDateTime64(0, 3, 'UTC'))`,
  `alter table ${table} add index if not exists stored_at_index stored_at type minmax granularity 4`,
]);
