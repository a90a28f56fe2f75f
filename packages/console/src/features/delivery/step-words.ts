import type { FunnelExit, FunnelStep } from '@bidwell/contract/funnel';

/** What the requests of a step have passed. */
export const STEP_NAMES: Record<FunnelStep, string> = {
  open: 'Open to bids',
  targeted: 'Matched by the target',
  placed: 'With a place for a creative',
  funded: 'With budget',
  above_floor: 'Above the floor',
  chosen: 'Highest on this platform',
  sent: 'Bids',
};

/** Why requests did not reach a step, as in a list of reasons. */
export const EXIT_NAMES: Record<FunnelExit, string> = {
  not_in_app: 'Not in an app',
  currency: 'Currency without a rate',
  seat_not_allowed: 'Not offered to this seat',
  campaign_not_running: 'Outside the dates of the campaign',
  os: 'Another operating system',
  country: 'Another country',
  exchange: 'Another exchange',
  device_type: 'Another type of device',
  os_version: 'Another version of the system',
  device_model: 'Another device model',
  connection_type: 'Another connection',
  language: 'Another language',
  genre: 'Another genre',
  bundle_black_listed: 'On the blocklist',
  bundle_not_white_listed: 'Not on the allowlist',
  private_auction: 'Private auction',
  not_secure: 'Secure addresses required',
  no_matching_format: 'No creative of the format',
  blocked_ad_type: 'Type of ad blocked',
  blocked_attribute: 'Attribute of the creative blocked',
  not_linear: 'Overlay videos only',
  api_not_accepted: 'Playables not supported',
  protocol_not_accepted: 'VAST version not supported',
  delivery_not_accepted: 'Delivery of videos not supported',
  no_matching_size: 'No creative of the size',
  mime_not_accepted: 'File type not accepted',
  video_duration: 'Video too long or too short',
  video_bitrate: 'Bit rate of the video not accepted',
  video_orientation: 'Orientation of the video not accepted',
  native_assets: 'Native assets missing',
  rewarded: 'Rewarded ads only',
  blocked_app: 'App blocked by the publisher',
  blocked_advertiser: 'Advertiser blocked by the publisher',
  blocked_category: 'Category blocked by the publisher',
  category_not_allowed: 'Category not allowed',
  creative_language: 'Language of the creative not accepted',
  insecure_address: 'View URL without https',
  dsa_not_rendered: 'Publisher does not show who paid',
  dsa_unknown: 'Name of the advertiser missing',
  overloaded: 'Too many bids in progress',
  no_lease: 'No share of the budget at that moment',
  pacing: 'Skipped by pacing',
  daily_budget: 'Daily budget used up',
  total_budget: 'Total budget used up',
  balance: 'Balance used up',
  floor: 'Below the floor',
  outbid: 'Another ad set bid more',
  timeout: 'Too late',
  answer_too_long: 'Response too long for the exchange',
  markup_failed: 'Ad could not be rendered',
};

/** Loss reason codes of OpenRTB 2.6 (list 5.25), those that exchanges send most. */
const LOSS_NAMES: Readonly<Record<number, string>> = {
  0: 'Won',
  1: 'Internal error of the exchange',
  2: 'Impression opportunity expired',
  3: 'Invalid bid response',
  100: 'Below the floor',
  101: 'Below the price of a deal',
  102: 'Outbid by others',
  103: 'Outbid by a deal',
  104: 'Seat blocked',
  200: 'Creative filtered',
  202: 'Size of the creative not allowed',
  204: 'Advertiser filtered',
  205: 'App of the advertiser filtered',
  206: 'Not secure',
  207: 'Language filtered',
  208: 'Category filtered',
  209: 'Attribute of the creative filtered',
  210: 'Type of ad filtered',
  211: 'Animation too long',
};

/** The meaning of a loss reason code. */
export function lossName(code: number): string {
  return LOSS_NAMES[code] ?? `Code ${code}`;
}
