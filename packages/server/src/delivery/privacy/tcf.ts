import { BitReader } from './bit-reader.ts';

/**
 * Whether the core of an IAB TCF 2 consent string allows the use of a device id: consent to storage and access on the
 * device (purpose 1), to ad measurement (purpose 7) and to the vendor. A string that cannot be read allows nothing.
 */
export function allowsDeviceId(consent: string, vendorId: number | null): boolean {
  if (vendorId === null || consent === '' || consent.length > CONSENT_CHARS_MAX) return false;
  const [core = ''] = consent.split('.');
  if (!/^[\w-]+$/.test(core)) return false;
  const bits = new BitReader(Buffer.from(core, 'base64url'));
  return (
    bits.read(0, 6) === VERSION &&
    PURPOSES.every((purpose) => bits.read(PURPOSES_AT + purpose - 1, 1) === 1) &&
    isVendorIn(bits, vendorId)
  );
}

const CONSENT_CHARS_MAX = 10_000;
const VERSION = 2;
const PURPOSES = [1, 7];
/** Bit offsets of fields (IAB Tech Lab, "Consent string and vendor list formats v2", core string). */
const PURPOSES_AT = 152;
const VENDORS_AT = 213;

/** Vendor consents are encoded as a bit field or as a list of ranges. */
function isVendorIn(bits: BitReader, vendorId: number): boolean {
  const vendorMax = bits.read(VENDORS_AT, 16);
  if (vendorId > vendorMax) return false;
  const bodyAt = VENDORS_AT + 17;
  if (bits.read(VENDORS_AT + 16, 1) === 0) return bits.read(bodyAt + vendorId - 1, 1) === 1;
  let at = bodyAt + 12;
  for (let left = bits.read(bodyAt, 12); left > 0 && at < bits.length; left -= 1) {
    const isRange = bits.read(at, 1) === 1;
    const first = bits.read(at + 1, 16);
    const last = isRange ? bits.read(at + 17, 16) : first;
    if (vendorId >= first && vendorId <= last) return true;
    at += isRange ? 33 : 17;
  }
  return false;
}
