import type { WithheldReason } from '@bidwell/contract/insight/device-ids';
import { gppAllows, tcfStringIn, isOptedOutOfSale, isUsPrivacyString } from '../../privacy/gpp.ts';
import { type ConsentNeeds, tcfAllows } from '../../privacy/tcf.ts';
import { type JsonObject, isObject, numberOf, objectOf } from '../json.ts';

/**
 * A use of personal data, as each place that uses some asks for it.
 */
export type Use =
  /** The advertising id, in what is signed and stored. */
  | 'id'
  /** The address and the user agent of the device. */
  | 'address'
  /** Passing either on to a measurement partner. */
  | 'partners'
  /** Looking the person up in lists of devices. */
  | 'lists'
  /** A place that the device measured, instead of its country or region. */
  | 'place';

/** Purposes of TCF (IAB Europe, "TCF Policies", appendix A): 1 storage and access, 3 and 4 profiles for ads, 7 measurement of ads. */
const MEASUREMENT: ConsentNeeds = { purposes: [1, 7], preciseLocation: false };
const NEEDS: Readonly<Record<Use, ConsentNeeds>> = {
  id: MEASUREMENT,
  address: MEASUREMENT,
  partners: MEASUREMENT,
  lists: { purposes: [1, 3, 4, 7], preciseLocation: false },
  place: { purposes: [1, 7], preciseLocation: true },
};

/** The parts of a bid request that say what may be used. */
export interface PrivacySignals {
  device: JsonObject;
  user: JsonObject;
  regs: unknown;
  /** Our id in the IAB's Global Vendor List; null without one. */
  tcfVendorId: number | null;
}

/**
 * The first signal of a request that forbids a use of personal data; null if none does. Signals are in `regs` (OpenRTB 2.6, 3.2.3) with
 * Global Privacy Control (`gpc`, an opt-out of sale and sharing), the device's own flags (3.2.18) and the consent of the user (3.2.20). A
 * signal that is present and cannot be read counts as the stricter one. Null, and for strings of consent and objects an empty one, are
 * absent. A child's data (COPPA) has no use. Uses with the same needs are judged once, and what forbids all of them alike for all.
 */
export function privacyOf(signals: PrivacySignals): (use: Use) => WithheldReason | null {
  const { user, regs, tcfVendorId } = signals;
  const places = placesOf(regs);
  const ofAllUses = forbiddenBy(signals, places);
  if (!places || ofAllUses !== null) return () => ofAllUses;
  const isGdpr = places.some(({ gdpr }) => isSet(gdpr));
  const last = optedOutBy(places);
  const judged = new Map<ConsentNeeds, WithheldReason | null>();
  return (use) => {
    const needs = NEEDS[use];
    const known = judged.get(needs);
    if (known !== undefined) return known;
    const isRefused = isGdpr && !isConsented(user, places, tcfVendorId, needs);
    const reason = isRefused ? 'gdpr' : isAllowedByGpp(places, tcfVendorId, needs) ? last : 'gpp';
    judged.set(needs, reason);
    return reason;
  };
}

/** What forbids all uses, before any string of consent; null for nothing. */
function forbiddenBy(
  { device }: PrivacySignals,
  places: readonly JsonObject[] | null,
): WithheldReason | null {
  const deviceExt = readHolder(device['ext']);
  if (!places || !deviceExt) return 'unreadable';
  if (places.some(({ coppa }) => isSet(coppa))) return 'coppa';
  if (isSet(device['lmt']) || isSet(device['dnt'])) return 'limited';
  return allowsTracking(deviceExt['atts']) ? null : 'tracking_prompt';
}

/** What forbids all uses after the strings of consent: an opt-out of the sale of data; null for none. */
function optedOutBy(places: readonly JsonObject[]): WithheldReason | null {
  if (!places.every(({ us_privacy: usPrivacy }) => allowsSale(usPrivacy))) return 'us_privacy';
  return places.some(({ gpc }) => isSet(gpc)) ? 'gpc' : null;
}

/** `regs` and its extension, in which older requests have some of the signals; null if one of them cannot be read. */
function placesOf(value: unknown): readonly JsonObject[] | null {
  const regs = readHolder(value);
  const ext = regs && readHolder(regs['ext']);
  return ext && [regs, ext];
}

/** An object that may hold signals; null for anything else that is not empty. PHP writes an empty object as `[]`. */
function readHolder(value: unknown): JsonObject | null {
  if (isObject(value)) return value;
  return isAbsent(value) || (Array.isArray(value) && value.length === 0) ? objectOf(null) : null;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Whether a flag that forbids something is set: it is unless it is absent, 0 or false. */
function isSet(flag: unknown): boolean {
  if (flag === undefined || flag === null || flag === false || numberOf(flag) === 0) return false;
  return typeof flag !== 'string' || flag.trim().toLowerCase() !== 'false';
}

/** Apple's tracking prompt: 3 is "authorized"; 0 to 2 are "not determined", "restricted" and "denied". */
function allowsTracking(atts: unknown): boolean {
  return atts === undefined || atts === null || numberOf(atts) === 3;
}

function allowsSale(usPrivacy: unknown): boolean {
  if (isAbsent(usPrivacy)) return true;
  return typeof usPrivacy === 'string' && isUsPrivacyString(usPrivacy) && !isOptedOutOfSale(usPrivacy);
}

/**
 * Whether all strings of consent consent: they are in `user` and its extension, and in the European section of a GPP string. A person who
 * withdrew consent in one of them has withdrawn it.
 */
function isConsented(
  user: JsonObject,
  places: readonly JsonObject[],
  tcfVendorId: number | null,
  needs: ConsentNeeds,
): boolean {
  const own = [user['consent'], objectOf(user['ext'])['consent']];
  const sections = places.map(({ gpp }) => (typeof gpp === 'string' ? tcfStringIn(gpp) : gpp));
  const consents = [...own, ...sections].filter((consent) => !isAbsent(consent));
  return (
    consents.length > 0 &&
    consents.every((consent) => typeof consent === 'string' && tcfAllows(consent, tcfVendorId, needs))
  );
}

/** Evaluates the sections that any place names (`gpp_sid`) in the string of every place that has one (`gpp`). */
function isAllowedByGpp(
  places: readonly JsonObject[],
  tcfVendorId: number | null,
  needs: ConsentNeeds,
): boolean {
  const applying: number[] = [];
  for (const { gpp_sid: value } of places) {
    if (isAbsent(value)) continue;
    const ids = sectionIdsOf(value);
    if (!ids) return false;
    applying.push(...ids);
  }
  if (applying.length === 0) return true;
  const strings = places.map(({ gpp }) => gpp).filter((gpp) => !isAbsent(gpp));
  if (strings.length === 0) strings.push('');
  return strings.every((gpp) => gppAllows(typeof gpp === 'string' ? gpp : '', applying, tcfVendorId, needs));
}

const SECTIONS_MAX = 100;

/**
 * Ids of sections: a list, one id, or ids in a text as in URLs, separated by `_` or a comma. Null if any of them cannot be
 * read.
 */
function sectionIdsOf(value: unknown): readonly number[] | null {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (items.length > SECTIONS_MAX) return null;
  const ids: number[] = [];
  for (const item of items) {
    const parts =
      typeof item === 'string' && item.length <= SECTION_CHARS_MAX ? item.split(/[_,\s]+/) : [item];
    for (const part of parts) {
      const id = numberOf(part);
      // 0 and -1 mean that no section applies.
      if (!Number.isInteger(id) || id < -1) return null;
      ids.push(id);
    }
  }
  return ids.length <= SECTIONS_MAX ? ids : null;
}

const SECTION_CHARS_MAX = 500;
