import { projectionSql, quarterlySpend, dailyHistory } from '../aggregates.ts';

/**
 * Projections for the start and for deduplication, so that neither reads the events. `by_bid`, which a later migration replaces,
 * finds the events of bids: ClickHouse orders a UUID by its second half first, but as a number it is in the order of time.
 */
export const eventLookUps = [
  `alter table events add projection if not exists by_bid (
    select bid_id, kind, spend_micros, time, mark, untrained order by toUInt128(bid_id)
  )`,
  ...[dailyHistory, quarterlySpend].map(
    (aggregate) =>
      `alter table events add projection if not exists ${aggregate.name} ${projectionSql(aggregate)}`,
  ),
  ...['by_bid', dailyHistory.name, quarterlySpend.name].map(
    (name) => `alter table events materialize projection ${name}`,
  ),
];
