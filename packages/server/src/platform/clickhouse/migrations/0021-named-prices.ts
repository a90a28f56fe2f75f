/**
 * The price below the bid that a notice of the exchange's server named for a bid which a device's event charges, 0 for none;
 * and whether an event charged only what its price exceeded an earlier charge. The projection `events_of_bid` with both, and
 * with the margin. An earlier server finds all that it queries in it.
 */
export const namedPrices = [
  `alter table events add column if not exists named_cpm_micros Int64 default 0`,
  `alter table events add column if not exists top_up UInt8 default 0`,
  `alter table events add projection if not exists charges_of_bid (
    select bid_id, kind, spend_micros, margin_micros, named_cpm_micros, top_up, time, mark, untrained, batch
    order by toUInt128(bid_id)
  )`,
  'alter table events materialize projection charges_of_bid',
  'alter table events drop projection if exists events_of_bid',
];
