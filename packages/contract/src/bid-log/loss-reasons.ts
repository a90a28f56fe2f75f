import type { ProfileSlug } from '../operator/exchange-rules.ts';

/** Loss reason codes of OpenRTB 2.6 ("List: Loss Reason Codes"), as a person reads them. */
export const LOSS_REASONS: Readonly<Record<number, string>> = {
  0: 'No code',
  1: 'Internal error of the exchange',
  2: 'Impression opportunity expired',
  3: 'Invalid bid response',
  4: 'Invalid deal id',
  5: 'Invalid auction id',
  6: 'Invalid advertiser domain',
  7: 'Markup is missing',
  8: 'Creative id is missing',
  9: 'Price is missing',
  10: 'Data to approve the creative is missing',
  100: 'Below the auction floor',
  101: 'Below the floor of the deal',
  102: 'Lost to a higher bid',
  103: 'Lost to a bid for a deal',
  104: 'Our seat is blocked',
  200: 'Creative filtered',
  201: 'Creative waits for the review of the exchange',
  202: 'Creative is disapproved by the exchange',
  203: 'Size of the creative is not allowed',
  204: 'Format of the creative is wrong',
  205: 'Advertiser is excluded',
  206: 'Advertised app is excluded',
  207: 'Creative is not secure',
  208: 'Language is excluded',
  209: 'Category is excluded',
  210: 'Attribute of the creative is excluded',
  211: 'Type of ad is excluded',
  212: 'Animation is too long',
  213: 'Creative is not allowed in the deal',
};

/** From this code on, exchanges define their own. Stands for all of these where they are counted together. */
export const OWN_LOSS_CODES = 1000;
/** Stands for all codes without a meaning in OpenRTB where they are counted together; has none itself. */
export const UNKNOWN_LOSS_CODES = 999;

/** Codes of exchanges that have a meaning of their own there: new codes, and codes that mean something else than in OpenRTB. */
export const OWN_LOSS_REASONS: Readonly<Partial<Record<ProfileSlug, Readonly<Record<number, string>>>>> = {
  applovin: { 103: 'Sold directly by the publisher' },
  unity: {
    101: 'Below the floor',
    212: 'Video is too long',
    1000: 'Bid fails the validation of Unity',
    1001: 'Bid response is no valid JSON',
    1002: 'Blocked by a rule of the marketplace',
    1003: 'Age rating of the advertised app is too high',
    1004: 'Type of creative (crtype) is missing in the bid',
    1005: 'Type of creative (crtype) of the bid is not valid',
    1006: 'Region is blocked',
    1007: 'Platform is blocked',
    1008: 'Sensitive content is blocked',
    1009: 'Subcategory is blocked',
    1011: 'Billing notice (burl) is missing',
  },
};

/** The exchange whose feedback says by a creative status code why a bid did not win. */
export const STATUS_PROFILE = 'google' satisfies ProfileSlug;
/** Its loss codes: the status code with this number added. */
export const STATUS_LOSS_CODES = 10_000;

/** Whether an exchange of a profile gives a code its own meaning. */
export function isOwnLossCode(code: number, profile: ProfileSlug): boolean {
  if (profile === STATUS_PROFILE) return code >= STATUS_LOSS_CODES;
  return Object.hasOwn(OWN_LOSS_REASONS[profile] ?? {}, code);
}

/** The meaning of a loss reason code, at an exchange of a profile if that is known. */
export function lossReason(code: number, profile?: ProfileSlug | null): string {
  if (profile && isOwnLossCode(code, profile))
    return OWN_LOSS_REASONS[profile]?.[code] ?? `Creative status ${code - STATUS_LOSS_CODES} of Google`;
  return (
    LOSS_REASONS[code] ??
    (code >= OWN_LOSS_CODES ? 'Code of the exchange' : 'Code without a meaning in OpenRTB')
  );
}
