/**
 * Source identifiers. A postback carries the last two, three or four digits of the number that an ad was signed with, so the last two
 * stand for the ad set. None begins with a zero: whether a device would send it is not documented.
 */
export const AD_SET_DIGITS_MIN = 10;
export const AD_SET_DIGITS_MAX = 99;

/** The hundreds and thousands of a number that is not split any further than by ad set. */
export const UNSPLIT_HUNDREDS = 11;

/** Ad sets of one app in the store that can have a number at the same time. */
export const AD_SETS_PER_ITEM = AD_SET_DIGITS_MAX - AD_SET_DIGITS_MIN + 1;

/** Numbers of an app in the store that a company which has as many already does not get: others may advertise the app, too. */
export const RESERVED_NUMBERS = 10;

/** Ad sets of one app in the store that can have a number at the same time, of one company. */
export const AD_SETS_PER_COMPANY = AD_SETS_PER_ITEM - RESERVED_NUMBERS;

/**
 * Days after its last bid for which a number is not given to another ad set. Apple's longest times in a row: 30 days from the impression to the
 * install, 60 to the first launch, 35 to the end of the third conversion window, 6 until its postback is sent, 9 of further attempts.
 */
export const SOURCE_IDENTIFIER_DAYS = 30 + 60 + 35 + 6 + 9;

/** The value of `campaign` up to SKAdNetwork 3.0, 10 to 99: the digits of the ad set. */
export function campaignOf(sourceIdentifier: number): number {
  return sourceIdentifier % 100;
}
