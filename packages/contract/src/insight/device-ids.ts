/** Why an advertising id that a bid request has may not be used: the first of its signals that forbids it. */
export const WITHHELD_REASONS = [
  'unreadable',
  'coppa',
  'limited',
  'tracking_prompt',
  'gdpr',
  'gpp',
  'us_privacy',
  'gpc',
] as const;
export type WithheldReason = (typeof WITHHELD_REASONS)[number];

/** What a bid request has of an advertising id. */
export const ID_STATES = ['usable', 'absent', ...WITHHELD_REASONS] as const;
export type IdState = (typeof ID_STATES)[number];

/** A reason in a list of reasons. */
export const withheldTexts: Readonly<Record<WithheldReason, string>> = {
  unreadable: 'Privacy signals cannot be read',
  coppa: 'Directed to children (COPPA)',
  limited: 'Ad tracking is limited on the device',
  tracking_prompt: 'Not allowed in Apple’s tracking prompt',
  gdpr: 'No consent for this purpose and vendor (GDPR)',
  gpp: 'No consent, or opted out (GPP)',
  us_privacy: 'Opted out of the sale of data (US Privacy)',
  gpc: 'Opted out by Global Privacy Control',
};
