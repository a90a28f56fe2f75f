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
