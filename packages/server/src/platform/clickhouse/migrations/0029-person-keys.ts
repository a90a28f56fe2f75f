/**
 * The key of the person of a bid of an ad set with frequency caps, a keyed hash; 0 for other bids, and for rows of earlier releases. By the
 * index a bidder finds the impressions since it last stored its counts.
 */
export const personKeys = [
  `alter table events add column if not exists person_key UInt64 default 0`,
  `alter table events add index if not exists person_key_index person_key type set(100) granularity 4`,
];
