/**
 * Whether a bid on a request of an iOS app could be signed, or why not: the request has no object of SKAdNetwork or AdAttributionKit,
 * the publisher's app does not list our ad network, the versions that it offers are none of ours or newer than its iOS, or the
 * publisher's app has no number of the store. None of them keeps an ad from being bought.
 */
export const SKADNETWORK_OUTCOMES = [
  'signable',
  'no_object',
  'not_listed',
  'too_old',
  'no_source_app',
] as const;
export type SkadnetworkOutcome = (typeof SKADNETWORK_OUTCOMES)[number];

/**
 * Why a bid on a request of an iOS app is not signed: as above, or the installation has no ad network with a private key, signing is off
 * with the exchange, the ad set has no source identifier (its app is not switched on, or none is left), or the response would be too long.
 */
export const UNSIGNED_REASONS = [
  'no_network',
  'exchange_off',
  'no_source_identifier',
  'no_object',
  'not_listed',
  'too_old',
  'no_source_app',
  'too_long',
] as const;
export type UnsignedReason = (typeof UNSIGNED_REASONS)[number];
