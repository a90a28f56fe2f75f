import type { Aggregate } from './aggregates.ts';

/** Spend of ad sets by quarter hour, from which the spend of the current day follows in any time zone. */
export const quarterlySpend: Aggregate = {
  name: 'quarterly_spend',
  sortedBy: 'time',
  grain: 'quarterHour',
  columns: ['adset_id'],
  measures: ['spendMicros'],
};

/** Spend of campaigns by hour with the margin in it, for the ledger and for operators. Reports of advertisers have no margin. */
export const hourlyCosts: Aggregate = {
  name: 'hourly_costs',
  sortedBy: 'time',
  grain: 'hour',
  columns: ['campaign_id'],
  measures: ['spendMicros', 'marginMicros'],
};
