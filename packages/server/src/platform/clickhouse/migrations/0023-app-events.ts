/**
 * Events in the advertised apps, and their revenue in dollars (`revenue_known` is 0 where it is not known) and as sent. Such an
 * event has its own id as `bid_id`, by which it is counted once; `click_bid_id` is its bid. Rows of other kinds have the
 * defaults, and an earlier server, which lists its columns, writes and reads on.
 *
 * A postback has the outcome `event`, as in earlier releases, and `event_outcome` is the outcome of the event.
 */
export const appEvents = [
  `alter table events add column if not exists event_name LowCardinality(String) default ''`,
  'alter table events add column if not exists revenue_micros Int64 default 0',
  'alter table events add column if not exists revenue_known UInt8 default 0',
  `alter table events add column if not exists revenue_amount String default ''`,
  `alter table events add column if not exists revenue_currency LowCardinality(String) default ''`,
  'alter table events add column if not exists is_ad_revenue UInt8 default 0',
  `alter table events add column if not exists event_at DateTime64(3, 'UTC') default 0`,
  `alter table events add column if not exists install_at DateTime64(3, 'UTC') default 0`,
  'alter table events add column if not exists click_bid_id UUID',
  'alter table postbacks add column if not exists app_id UUID',
  `alter table postbacks add column if not exists event_outcome LowCardinality(String) default ''`,
  'alter table postbacks add column if not exists event_id UUID',
  `alter table postbacks add column if not exists event_name LowCardinality(String) default ''`,
  `alter table postbacks add column if not exists revenue_amount String default ''`,
  `alter table postbacks add column if not exists revenue_currency LowCardinality(String) default ''`,
  'alter table postbacks add column if not exists revenue_micros Int64 default 0',
  'alter table postbacks add column if not exists revenue_known UInt8 default 0',
];
