import { BitReader } from './bit-reader.ts';

/**
 * Whether an IAB TCF 2 consent string (TC string) allows the use of a device id: consent to storage and access on the device
 * (purpose 1), to ad measurement (purpose 7) and to the vendor, and the vendor was disclosed to the person (TCF 2.3).
 * Legitimate interest allows nothing, for any purpose. A string that cannot be read, and one that was created from 28 February
 * 2026 on without the segment of disclosed vendors, allow nothing.
 */
export function allowsDeviceId(consent: string, vendorId: number | null): boolean {
  if (vendorId === null || consent === '' || consent.length > CONSENT_CHARS_MAX) return false;
  const [core, ...segments] = consent.split('.', SEGMENTS_MAX + 1).map((text) => new BitReader(text));
  if (segments.length >= SEGMENTS_MAX || segments.some(({ length }) => length === 0)) return false;
  const disclosures = segments.filter((segment) => segment.read(0, 3) === DISCLOSED_VENDORS);
  return (
    core!.read(0, 6) === VERSION &&
    PURPOSES.every((purpose) => core!.read(PURPOSES_AT + purpose - 1, 1) === 1) &&
    isVendorIn(core!, VENDORS_AT, vendorId) &&
    (disclosures.length > 0 || core!.read(CREATED_AT, 36) < DISCLOSED_VENDORS_SINCE) &&
    disclosures.every((segment) => isVendorIn(segment, 3, vendorId))
  );
}

const CONSENT_CHARS_MAX = 10_000;
/** The core and one segment of each type, and room for types that do not exist yet. */
const SEGMENTS_MAX = 8;
const VERSION = 2;
const PURPOSES = [1, 7];
/** Type of the segment of disclosed vendors, which the three first bits of a segment say. */
const DISCLOSED_VENDORS = 1;
/** Tenths of seconds since 1970, as consent strings count, from which on a string needs the segment of disclosed vendors. */
const DISCLOSED_VENDORS_SINCE = Date.UTC(2026, 1, 28) / 100;
/** Bit offsets of fields (IAB Tech Lab, "Consent string and vendor list formats v2", core string). */
const CREATED_AT = 6;
const PURPOSES_AT = 152;
const VENDORS_AT = 213;

/** Whether a vendor is in the list from bit `from` on, which is encoded as a bit field or as ranges. */
function isVendorIn(bits: BitReader, from: number, vendorId: number): boolean {
  if (vendorId > bits.read(from, 16)) return false;
  const bodyAt = from + 17;
  if (bits.read(from + 16, 1) === 0) return bits.read(bodyAt + vendorId - 1, 1) === 1;
  let at = bodyAt + 12;
  for (let left = bits.read(bodyAt, 12); left > 0; left -= 1) {
    const isRange = bits.read(at, 1) === 1;
    const end = at + (isRange ? 33 : 17);
    if (end > bits.length) return false;
    const first = bits.read(at + 1, 16);
    const last = isRange ? bits.read(at + 17, 16) : first;
    if (vendorId >= first && vendorId <= last) return true;
    at = end;
  }
  return false;
}
