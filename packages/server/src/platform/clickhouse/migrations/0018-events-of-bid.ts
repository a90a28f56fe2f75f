/**
 * The projection `by_bid` with the batch of each event, by which a repeated round of counting recognizes the events that it has stored: ClickHouse
 * uses a projection only if it has every column of a query, and read the whole table without. An older server finds all that
 * it queries in it.
 */
export const eventsOfBid = [
  `alter table events add projection if not exists events_of_bid (
    select bid_id, kind, spend_micros, time, mark, untrained, batch order by toUInt128(bid_id)
  )`,
  'alter table events materialize projection events_of_bid',
  'alter table events drop projection if exists by_bid',
];
