import {
  type AppleFramework,
  type CoarseValue,
  COARSE_VALUES,
  FINE_VALUE_MAX,
} from '@bidwell/contract/skadnetwork/postbacks';
import { z } from 'zod';

/** An install postback: the fields that Apple signed, and the values next to them that are not signed. */
export interface InstallPostback {
  framework: AppleFramework;
  /** The version of SKAdNetwork, `2.1` to `4.0`; '' for AdAttributionKit, whose postbacks name none. */
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
  /**
   * 0 for views, 1 for ads that StoreKit rendered and for clicks; null where the version does not say. AdAttributionKit does not sign
   * it.
   */
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

/** Ids of an ad network, such as `example123.skadnetwork`. */
export const NetworkId = z.string().regex(/^[A-Za-z\d][\w.-]{0,99}$/);
/** The device makes it a UUID; the longest that is stored has 64 characters. */
export const TransactionId = z.string().regex(/^[\w-]{1,64}$/);
/** Ids of the App Store; 0 in tests. JSON's numbers beyond 2^53 would be printed differently from how they were signed. */
export const ItemId = z.int().min(0);
export const Digits = z.string().regex(/^\d{2,4}$/);
export const WindowIndex = z.int().min(0).max(2);

/** These fields are not signed, so an invalid one is left out and the postback still counts. */
export const unsignedFields = {
  'conversion-value': z.int().min(0).max(FINE_VALUE_MAX).optional().catch(undefined),
  'country-code': z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .transform((code) => code.toUpperCase())
    .optional()
    .catch(undefined),
};
/** Present in postbacks of SKAdNetwork 4.0 and AdAttributionKit; earlier versions do not have it. */
export const coarseField = {
  'coarse-conversion-value': z.enum(COARSE_VALUES).optional().catch(undefined),
};
const Unsigned = z.object({ ...unsignedFields, ...coarseField }).partial();

type ValueOf = Pick<InstallPostback, 'fineValue' | 'coarseValue' | 'country'>;

/**
 * The values next to a signature. Apple sends none for an ad that did not win, a fine one only in the first window, and never both a
 * fine and a coarse one; others were added by someone else.
 */
export function valuesOf(
  unsigned: z.infer<typeof Unsigned>,
  { didWin, sequenceIndex }: Pick<InstallPostback, 'didWin' | 'sequenceIndex'>,
): ValueOf {
  const country = unsigned['country-code'] ?? null;
  if (!didWin) return { fineValue: null, coarseValue: null, country };
  const fineValue = sequenceIndex === 0 ? (unsigned['conversion-value'] ?? null) : null;
  const coarseValue = fineValue === null ? (unsigned['coarse-conversion-value'] ?? null) : null;
  return { fineValue, coarseValue, country };
}

const Claims = z.object({
  itemId: ItemId.transform(String).catch(''),
  networkId: NetworkId.transform((id) => id.toLowerCase()).catch(''),
});

/** The app and the network that a postback names, as far as they can be read. */
export function claimsOf(itemId: unknown, networkId: unknown): ClaimedBy {
  return Claims.parse({ itemId, networkId });
}
