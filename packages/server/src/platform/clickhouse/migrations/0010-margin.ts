import { projectionSql, hourlyCosts } from '../aggregates.ts';

/**
 * The part of `spend_micros` that is margin, 0 in events of earlier releases; and an aggregate, so that neither posting to
 * the ledger nor the revenue by day reads events.
 */
export const margin = [
  `alter table events add column if not exists margin_micros Int64 default 0`,
  `alter table events add projection if not exists ${hourlyCosts.name} ${projectionSql(hourlyCosts)}`,
  `alter table events materialize projection ${hourlyCosts.name}`,
];
