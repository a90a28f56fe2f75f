/**
 * The value of a shaded bid's impression to the ad set, in the same terms as `bid_cpm_micros`; 0 for bids that were not
 * shaded, and in events of earlier releases.
 */
export const bidValue = [`alter table events add column if not exists value_cpm_micros Int64 default 0`];
