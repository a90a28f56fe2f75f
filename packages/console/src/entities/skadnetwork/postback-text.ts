import type { CoarseValue } from '@bidwell/contract/skadnetwork/postbacks';
import type { PostbackKey, PostbackProblem } from '@bidwell/contract/skadnetwork/report';

/** Coarse conversion values. */
export const coarseTexts: Readonly<Record<CoarseValue, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

/** The keys of reports. */
export const postbackKeyTexts: Readonly<Record<PostbackKey, string>> = {
  day: 'Day of arrival',
  app: 'App',
  adset: 'Ad set',
  source_identifier: 'Source identifier',
  framework: 'Framework',
  version: 'Version',
  fidelity: 'Fidelity',
  window: 'Window',
  result: 'Won or lost',
  conversion_type: 'Kind of install',
  value: 'Conversion value',
  country: 'Country',
  source_app: 'Publisher',
};

/** Postbacks that need a look, with what to do. */
export const postbackProblemTexts: Readonly<Record<PostbackProblem['reason'], string>> = {
  bad_signature:
    'Postbacks with a bad signature: they were changed on their way or made up, and count nothing.',
  unknown_key:
    'Postbacks signed with a key that is not accepted, such as that of development devices: they count nothing.',
  unknown_network: 'Postbacks of an ad network that is not this installation’s: they count nothing here.',
  unsupported_version: 'Postbacks of a version that is not supported: 2.1 to 4.0 are.',
  unreadable: 'Postbacks in which a field is missing or wrong: they count nothing.',
  unknown_source: 'Postbacks with a source identifier that no ad set has: they count for the app alone.',
  test: 'Postbacks of test devices: their signature fits, and they count nothing.',
};
