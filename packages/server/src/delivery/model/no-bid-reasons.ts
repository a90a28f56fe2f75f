/**
 * Why a bid request, or one imp of it, got no bid. In the order of the checks: when several ad sets fail, the latest
 * check that any of them reached gives the reason.
 */
export const NO_BID_REASONS = [
  'unreadable',
  'unknown_exchange',
  'bidding_stopped',
  'no_tracker',
  'event_log',
  'too_many_requests',
  'shed',
  'timeout',
  'not_in_app',
  'currency',
  'seat_not_allowed',
  'dsa_not_rendered',
  'private_auction',
  'not_secure',
  'no_active_adset',
  'no_matching_format',
  'blocked_ad_type',
  'blocked_attribute',
  'not_linear',
  'api_not_accepted',
  'protocol_not_accepted',
  'delivery_not_accepted',
  'no_matching_size',
  'mime_not_accepted',
  'video_duration',
  'video_bitrate',
  'video_orientation',
  'native_assets',
  'rewarded',
  'campaign_not_running',
  'os',
  'country',
  'exchange',
  'device_type',
  'os_version',
  'device_model',
  'connection_type',
  'language',
  'genre',
  'bundle_black_listed',
  'bundle_not_white_listed',
  'own_app',
  'blocked_app',
  'blocked_advertiser',
  'blocked_category',
  'category_not_allowed',
  'creative_language',
  'insecure_address',
  'dsa_unknown',
  'floor',
  'overloaded',
  'no_lease',
  'pacing',
  'daily_budget',
  'total_budget',
  'balance',
  'already_bid',
  'answer_too_long',
  'markup_failed',
] as const;
export type NoBidReason = (typeof NO_BID_REASONS)[number];

const ranks = new Map<NoBidReason, number>(NO_BID_REASONS.map((reason, rank) => [reason, rank]));

/** The later of two reasons in the order of {@link NO_BID_REASONS}. */
export function further(a: NoBidReason, b: NoBidReason): NoBidReason {
  return ranks.get(a)! >= ranks.get(b)! ? a : b;
}
