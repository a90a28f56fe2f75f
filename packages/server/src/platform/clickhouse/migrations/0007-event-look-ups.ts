const history =
  'test, toDate(time), company_id, adset_id, creative_id, creative_type, creative_width, creative_height, bundle, country';
const quarters = 'test, toStartOfFifteenMinutes(time), company_id, adset_id';

/**
 * What a start and the deduplication read, so that neither reads the events. `by_bid` finds the events of bids: a UUID
 * compares by its second half in ClickHouse, as a number it is in the order of time. `daily_history` is what the bidder
 * learns from, `quarterly_spend` what ad sets spent in the current day of any time zone.
 */
export const eventLookUps = [
  `alter table events add projection if not exists by_bid (
    select bid_id, kind, spend_micros, time, mark, untrained order by toUInt128(bid_id)
  )`,
  `alter table events add projection if not exists daily_history (
    select
      ${history},
      countIf(kind = 'impression' and mark = ''), countIf(kind = 'click' and mark = ''),
      countIf(kind = 'install' and mark = '' and untrained = ''),
      countIf(kind = 'install_rejected' and mark = '' and untrained = '')
    group by ${history}
  )`,
  `alter table events add projection if not exists quarterly_spend (
    select ${quarters}, sum(spend_micros) group by ${quarters}
  )`,
  ...['by_bid', 'daily_history', 'quarterly_spend'].map(
    (name) => `alter table events materialize projection ${name}`,
  ),
];
