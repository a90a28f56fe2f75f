import type { AppleFramework, CoarseValue } from '@bidwell/contract/skadnetwork/postbacks';

/** What an install postback says that Apple signed, and the values beside it that are not signed. */
export interface InstallPostback {
  framework: AppleFramework;
  /** Of SKAdNetwork: `2.1` to `4.0`; '' of AdAttributionKit, whose postbacks name none. */
  version: string;
  /** In lower case. */
  networkId: string;
  /** The digits of the source identifier that the device sent, or the campaign id of SKAdNetwork up to 3.0. */
  sourceIdentifier: string;
  /** The App Store's id of the advertised app. */
  itemId: string;
  transactionId: string;
  conversionType: 'download' | 'redownload' | 're-engagement';
  /** The App Store's id of the publisher's app; null where the device did not name it, and of ads on the web. */
  sourceAppId: string | null;
  sourceDomain: string | null;
  /** 0 of views, 1 of ads that StoreKit rendered and of clicks; null where the version does not say. Of AdAttributionKit not signed. */
  fidelity: 0 | 1 | null;
  didWin: boolean;
  /** The conversion window: 0, 1 or 2. */
  sequenceIndex: number;
  /** 0 to 63, not signed. */
  fineValue: number | null;
  /** Not signed. */
  coarseValue: CoarseValue | null;
  /** Two letters, not signed. */
  country: string | null;
}

/** An app and an ad network that a postback names, whether or not it is signed; '' where it names none. */
export interface ClaimedBy {
  itemId: string;
  networkId: string;
}

/** A postback that Apple's key or an allowed one signed; one of a `test` is counted nowhere. */
export interface VerifiedPostback {
  postback: InstallPostback;
  isTest: boolean;
}

/** Why a postback is not counted. */
export type PostbackFault = 'unreadable' | 'unsupported_version' | 'unknown_key' | 'bad_signature';

/** The result of a verification. */
export type Verification = VerifiedPostback | { fault: PostbackFault; claimed: ClaimedBy };
