/**
 * The steps from a bid request to a bid, in the order in which the delivery funnel counts them. Each has the reasons for
 * which requests leave the funnel there; every sampled request leaves at exactly one, or gets a bid.
 */
export const FUNNEL_STEPS = [
  { step: 'open', exits: ['not_in_app', 'currency', 'seat_not_allowed'] },
  {
    step: 'targeted',
    exits: [
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
    ],
  },
  {
    step: 'placed',
    exits: [
      'private_auction',
      'not_secure',
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
      'blocked_app',
      'blocked_advertiser',
      'blocked_category',
      'category_not_allowed',
      'creative_language',
      'insecure_address',
      'dsa_not_rendered',
      'dsa_unknown',
    ],
  },
  {
    step: 'funded',
    exits: ['overloaded', 'no_lease', 'pacing', 'daily_budget', 'total_budget', 'balance'],
  },
  { step: 'above_floor', exits: ['floor'] },
  { step: 'chosen', exits: ['outbid'] },
  { step: 'sent', exits: ['timeout', 'answer_too_long', 'markup_failed'] },
] as const;

export type FunnelStep = (typeof FUNNEL_STEPS)[number]['step'];
/** Why a request left the funnel of an ad set. `outbid`: another ad set of this platform bid more. */
export type FunnelExit = (typeof FUNNEL_STEPS)[number]['exits'][number];

/** All exits, in the order of the steps. */
export const FUNNEL_EXITS: readonly FunnelExit[] = FUNNEL_STEPS.flatMap(({ exits }) => [...exits]);

const steps = new Map<FunnelExit, FunnelStep>(
  FUNNEL_STEPS.flatMap(({ step, exits }) => exits.map((exit) => [exit, step] as const)),
);

/** The step that a request does not reach when it leaves by an exit. */
export function stepOf(exit: FunnelExit): FunnelStep {
  return steps.get(exit)!;
}
