/**
 * The price at which a lost bid would have won, in the terms of `charged_cpm_micros`; 0 where the exchange did not report it, and
 * in events of earlier releases.
 */
export const minToWin = [`alter table events add column if not exists min_to_win_cpm_micros Int64 default 0`];
