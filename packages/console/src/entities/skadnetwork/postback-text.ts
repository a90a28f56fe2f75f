import type { AppleFramework, CoarseValue } from '@bidwell/contract/skadnetwork/postbacks';
import type { PostbackKey, PostbackProblem } from '@bidwell/contract/skadnetwork/report';

/** Coarse conversion values. */
export const coarseTexts: Readonly<Record<CoarseValue, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

/** Names of Apple's frameworks. */
export const frameworkTexts: Readonly<Record<AppleFramework, string>> = {
  skadnetwork: 'SKAdNetwork',
  adattributionkit: 'AdAttributionKit',
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

/** Why postbacks are rejected or belong to no ad set, and what follows. */
export const postbackProblemTexts: Readonly<Record<PostbackProblem['reason'], string>> = {
  bad_signature:
    'Postbacks with a bad signature, which were changed on their way or forged. They are not counted.',
  unknown_key:
    'Postbacks signed with a key that is not accepted, such as the key of development devices. They are not counted.',
  unknown_network: 'Postbacks of an ad network that this installation does not have. They are not counted.',
  unsupported_version:
    'Postbacks of an unsupported version: 2.1 to 4.0 are supported, but not 2.0, for which bids are signed where an app offers nothing newer. They are not counted.',
  unreadable: 'Postbacks in which a field is missing or wrong. They are not counted.',
  unknown_source:
    'Postbacks with a source identifier that no ad set has. They are counted for the app alone.',
  test: 'Postbacks of test devices, with a valid signature. They are not counted.',
};
