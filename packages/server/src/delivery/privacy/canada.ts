import { BitReader, type ConsentNeeds } from './tcf.ts';

/**
 * Whether the Canadian section of a GPP string (IAB Canada TCF, `tcfcav1`) allows a use: for each purpose the express or the implied
 * consent to it and to the vendor, as far as the publisher's restrictions leave either, and precise geolocation by express consent. Where
 * the section lists the vendors that were disclosed, the vendor is one of them. A section that cannot be read to its end allows nothing.
 */
export function canadaAllows(section: string, vendorId: number | null, needs: ConsentNeeds): boolean {
  if (vendorId === null) return false;
  const [coreText = '', ...segments] = section.split('.', SEGMENTS_MAX + 1);
  if (segments.length >= SEGMENTS_MAX) return false;
  const core = readCore(new BitReader(coreText), vendorId);
  if (!core) return false;
  const isAllowed = (purpose: number): boolean => {
    const types = core.restrictions.filter((one) => one.purpose === purpose).map(({ type }) => type);
    if (types.includes(NOT_ALLOWED)) return false;
    const isExpress = core.express.has(purpose) && !types.includes(IMPLIED_ONLY);
    return isExpress || (core.implied.has(purpose) && !types.includes(EXPRESS_ONLY));
  };
  return (
    (!needs.preciseLocation || core.hasPreciseLocation) &&
    needs.purposes.every(isAllowed) &&
    segments.every((text) => isDisclosed(new BitReader(text), vendorId))
  );
}

const SEGMENTS_MAX = 8;
const VERSION = 1;
const DISCLOSED_VENDORS = 1;
/** Bit offsets of the core (IAB Tech Lab, "GPP Extension: IAB Canada TCF"). */
const SPECIAL_FEATURES_AT = 139;
const EXPRESS_AT = 151;
const IMPLIED_AT = 175;
const VENDORS_AT = 199;
const PURPOSES = 24;
/** Types of the publisher's restrictions. */
const NOT_ALLOWED = 0;
const EXPRESS_ONLY = 1;
const IMPLIED_ONLY = 2;

/** What a core says of a vendor: the purposes with its consent, and the restrictions of the publisher. */
interface Core {
  express: ReadonlySet<number>;
  implied: ReadonlySet<number>;
  hasPreciseLocation: boolean;
  restrictions: readonly { purpose: number; type: number }[];
}

/**
 * How ranges of vendors are written: by Fibonacci numbers as the specification says, or by numbers of 16 bits as in Europe, which encoders
 * wrote before they were corrected.
 */
const CODINGS = ['fibonacci', 'fixed'] as const;
type Coding = (typeof CODINGS)[number];

/** The core by the first of the codings with which it ends where its text ends; null for none. */
function readCore(bits: BitReader, vendorId: number): Core | null {
  if (bits.read(0, 6) !== VERSION) return null;
  for (const coding of CODINGS) {
    const express = readVendors(bits, VENDORS_AT, vendorId, coding);
    const implied = readVendors(bits, express.end, vendorId, coding);
    const { restrictions, end } = readRestrictions(bits, implied.end, vendorId, coding);
    if (!isEnd(bits, end)) continue;
    return {
      express: express.has ? purposesAt(bits, EXPRESS_AT) : new Set(),
      implied: implied.has ? purposesAt(bits, IMPLIED_AT) : new Set(),
      hasPreciseLocation: express.has && bits.read(SPECIAL_FEATURES_AT, 1) === 1,
      restrictions,
    };
  }
  return null;
}

function purposesAt(bits: BitReader, at: number): ReadonlySet<number> {
  const purposes = new Set<number>();
  for (let purpose = 1; purpose <= PURPOSES; purpose += 1)
    if (bits.read(at + purpose - 1, 1) === 1) purposes.add(purpose);
  return purposes;
}

/** Encoders fill the last byte, and then the last character, with zeros. */
const PADDING_MAX = 23;

function isEnd(bits: BitReader, at: number): boolean {
  const left = bits.length - at;
  return left >= 0 && left <= PADDING_MAX && bits.read(at, left) === 0;
}

function readRestrictions(
  bits: BitReader,
  from: number,
  vendorId: number,
  coding: Coding,
): { restrictions: Core['restrictions']; end: number } {
  const restrictions: { purpose: number; type: number }[] = [];
  let at = from + 12;
  for (let left = bits.read(from, 12); left > 0 && at <= bits.length; left -= 1) {
    const [purpose, type] = [bits.read(at, 6), bits.read(at + 6, 2)];
    // Without a maximum and a bit field, in the older coding.
    const vendors =
      coding === 'fixed'
        ? readRanges(bits, at + 8, vendorId, coding)
        : readVendors(bits, at + 8, vendorId, coding);
    if (vendors.has) restrictions.push({ purpose, type });
    at = vendors.end;
  }
  return { restrictions, end: at };
}

/** Whether a vendor is in a list, and the bit after the list. */
interface Membership {
  has: boolean;
  end: number;
}

/** A list of vendors: their maximum, and a bit field or ranges. */
function readVendors(bits: BitReader, from: number, vendorId: number, coding: Coding): Membership {
  const most = bits.read(from, 16);
  const bodyAt = from + 17;
  if (bits.read(from + 16, 1) === 1) return readRanges(bits, bodyAt, vendorId, coding);
  return { has: vendorId <= most && bits.read(bodyAt + vendorId - 1, 1) === 1, end: bodyAt + most };
}

function readRanges(bits: BitReader, from: number, vendorId: number, coding: Coding): Membership {
  let at = from + 12;
  let last = 0;
  let has = false;
  const next = (): number => {
    if (coding === 'fixed') {
      at += 16;
      return bits.read(at - 16, 16);
    }
    const { value, end } = bits.fibonacci(at);
    at = end;
    return last + value;
  };
  for (let left = bits.read(from, 12); left > 0 && at <= bits.length; left -= 1) {
    const isRange = bits.read(at, 1) === 1;
    at += 1;
    const first = next();
    last = first;
    if (isRange) last = next();
    has ||= vendorId >= first && vendorId <= last;
  }
  return { has, end: at };
}

/** Whether a segment does not say that the vendor was not disclosed. */
function isDisclosed(segment: BitReader, vendorId: number): boolean {
  if (segment.length === 0) return false;
  if (segment.read(0, 3) !== DISCLOSED_VENDORS) return true;
  return (
    CODINGS.map((coding) => readVendors(segment, 3, vendorId, coding)).find(({ end }) => isEnd(segment, end))
      ?.has === true
  );
}
