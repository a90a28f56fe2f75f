/** What a use of personal data needs of a consent string: purposes, and the special feature of precise geolocation. */
export interface ConsentNeeds {
  purposes: readonly number[];
  preciseLocation: boolean;
}

/**
 * Whether an IAB TCF 2 consent string (TC string) allows a use: consent to each purpose and to the vendor, the publisher does not restrict
 * the vendor for these purposes, and the vendor was disclosed to the person (TCF 2.3). Legitimate interest allows nothing, for any purpose.
 * A string that cannot be read to its end, and one that was created from 28 February 2026 on without the segment of disclosed vendors,
 * allow nothing.
 */
export function tcfAllows(consent: string, vendorId: number | null, needs: ConsentNeeds): boolean {
  if (vendorId === null || consent === '' || consent.length > CONSENT_CHARS_MAX) return false;
  const [core, ...segments] = consent.split('.', SEGMENTS_MAX + 1).map((text) => new BitReader(text));
  if (segments.length >= SEGMENTS_MAX || segments.some(({ length }) => length === 0)) return false;
  const disclosures = segments.filter((segment) => segment.read(0, 3) === DISCLOSED_VENDORS);
  return (
    core!.read(0, 6) === VERSION &&
    (!needs.preciseLocation || core!.read(SPECIAL_FEATURES_AT, 1) === 1) &&
    needs.purposes.every((purpose) => core!.read(PURPOSES_AT + purpose - 1, 1) === 1) &&
    isVendorIn(core!, VENDORS_AT, vendorId) &&
    !isRestricted(core!, vendorId, needs.purposes) &&
    (disclosures.length > 0 || core!.read(CREATED_AT, 36) < DISCLOSED_VENDORS_SINCE) &&
    disclosures.every((segment) => isVendorIn(segment, 3, vendorId))
  );
}

const CONSENT_CHARS_MAX = 10_000;
/** The core and one segment of each type, and room for types that do not exist yet. */
const SEGMENTS_MAX = 8;
const VERSION = 2;
/** Type of the segment of disclosed vendors, which the three first bits of a segment say. */
const DISCLOSED_VENDORS = 1;
/** Tenths of seconds since 1970, as consent strings count, from which on a string needs the segment of disclosed vendors. */
const DISCLOSED_VENDORS_SINCE = Date.UTC(2026, 1, 28) / 100;
/** Bit offsets of fields (IAB Tech Lab, "Consent string and vendor list formats v2", core string). */
const CREATED_AT = 6;
const SPECIAL_FEATURES_AT = 140;
const PURPOSES_AT = 152;
const VENDORS_AT = 213;

/** Types of the publisher's restrictions of a purpose: not allowed at all, and by legitimate interest alone. */
const NOT_ALLOWED = 0;
const LEGITIMATE_INTEREST = 2;

/**
 * Whether the publisher forbids a vendor one of the purposes, or its consent as the legal basis; true too where the core ends before its
 * restrictions do.
 */
function isRestricted(core: BitReader, vendorId: number, purposes: readonly number[]): boolean {
  const interestsAt = endOfVendors(core, VENDORS_AT);
  const countAt = endOfVendors(core, interestsAt);
  let at = countAt + 12;
  for (let left = core.read(countAt, 12); left > 0 && at <= core.length; left -= 1) {
    const [purpose, type] = [core.read(at, 6), core.read(at + 6, 2)];
    const ranges = rangesIn(core, at + 8);
    const isOfPurpose = purposes.includes(purpose) && (type === NOT_ALLOWED || type === LEGITIMATE_INTEREST);
    if (isOfPurpose && ranges.has(vendorId)) return true;
    at = ranges.end;
  }
  return at > core.length;
}

/** Whether a vendor is in the list from bit `from` on, which is encoded as a bit field or as ranges. */
function isVendorIn(bits: BitReader, from: number, vendorId: number): boolean {
  if (vendorId > bits.read(from, 16)) return false;
  const bodyAt = from + 17;
  if (bits.read(from + 16, 1) === 0) return bits.read(bodyAt + vendorId - 1, 1) === 1;
  return rangesIn(bits, bodyAt).has(vendorId);
}

/** The bit after the list of vendors from bit `from` on. */
function endOfVendors(bits: BitReader, from: number): number {
  const bodyAt = from + 17;
  return bits.read(from + 16, 1) === 0 ? bodyAt + bits.read(from, 16) : rangesIn(bits, bodyAt).end;
}

/** The ranges of vendors whose number is at bit `from`, without one that was cut off, and the bit after them. */
function rangesIn(bits: BitReader, from: number): { has: (vendorId: number) => boolean; end: number } {
  const ranges: [first: number, last: number][] = [];
  let at = from + 12;
  for (let left = bits.read(from, 12); left > 0 && at <= bits.length; left -= 1) {
    const isRange = bits.read(at, 1) === 1;
    const first = bits.read(at + 1, 16);
    const last = isRange ? bits.read(at + 17, 16) : first;
    at += isRange ? 33 : 17;
    if (at <= bits.length) ranges.push([first, last]);
  }
  return {
    has: (vendorId) => ranges.some(([first, last]) => vendorId >= first && vendorId <= last),
    end: at,
  };
}

/** Reads unsigned integers from a bit sequence as consent strings encode them. */
export class BitReader {
  readonly #bytes: Buffer;
  /** Bits of the sequence. */
  readonly length: number;

  /** Decodes base64url, six bits for each character; other text yields no bits. */
  constructor(text: string) {
    const isReadable = /^[\w-]+$/.test(text);
    // Node.js drops the bits of an incomplete last byte; the padding completes it.
    this.#bytes = Buffer.from(isReadable ? `${text}AAA` : '', 'base64url');
    this.length = isReadable ? text.length * 6 : 0;
  }
  /** Reads `count` bits from bit `at` on, most significant first; bits beyond the end are 0. */
  read(at: number, count: number): number {
    let value = 0;
    for (let bit = at; bit < at + count; bit += 1)
      value = value * 2 + (((this.#bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    return value;
  }

  /** Reads a Fibonacci-coded number from bit `from` on: one bit for each of 1, 2, 3, 5, …; two consecutive 1 bits end it. */
  fibonacci(from: number): { value: number; end: number } {
    let [fib, following] = [1, 2];
    let value = 0;
    for (let at = from; at < this.length; at += 1) {
      if (this.read(at, 1) === 1) {
        value += fib;
        if (this.read(at + 1, 1) === 1) return { value, end: at + 2 };
      }
      [fib, following] = [following, fib + following];
    }
    return { value, end: this.length };
  }
}
