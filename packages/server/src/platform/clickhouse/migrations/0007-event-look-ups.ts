const history =
  'test, toDate(time), company_id, adset_id, creative_id, creative_type, creative_width, creative_height, bundle, country';
const quarters = 'test, toStartOfFifteenMinutes(time), company_id, adset_id';

/**
 * Projections for the start and for deduplication, so that neither reads the events. `by_bid` finds the events of bids:
 * ClickHouse orders a UUID by its second half first, but as a number it is in the order of time. The bidder learns from
 * `daily_history`; `quarterly_spend` has the spend of ad sets in the current day of any time zone, by quarter hour.
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
