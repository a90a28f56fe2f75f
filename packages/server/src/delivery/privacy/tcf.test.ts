import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowsDeviceId } from './tcf.ts';

/** Builds a consent string from these parts; all other bits are zero. */
function consentOf({
  version = 2,
  purposes = [1, 7],
  vendors = [7] as number[],
  ranges = null as [number, number][] | null,
}): string {
  let bits = version.toString(2).padStart(6, '0').padEnd(152, '0');
  for (let purpose = 1; purpose <= 24; purpose += 1) bits += purposes.includes(purpose) ? '1' : '0';
  bits = bits.padEnd(213, '0');
  const all = ranges ? ranges.flat() : vendors;
  const vendorMax = Math.max(0, ...all);
  const number = (value: number, count: number) => value.toString(2).padStart(count, '0');
  bits += number(vendorMax, 16);
  if (ranges) {
    bits += `1${number(ranges.length, 12)}`;
    for (const [first, last] of ranges)
      bits += first === last ? `0${number(first, 16)}` : `1${number(first, 16)}${number(last, 16)}`;
  } else {
    bits += '0';
    for (let vendor = 1; vendor <= vendorMax; vendor += 1) bits += vendors.includes(vendor) ? '1' : '0';
  }
  const bytes = bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  return Buffer.from(bytes).toString('base64url');
}

test.each([
  ['all of it', consentOf({}), true],
  ['with further segments', `${consentOf({})}.YAAAAAAAAAA`, true],
  ['not to storing', consentOf({ purposes: [7] }), false],
  ['not to measuring', consentOf({ purposes: [1] }), false],
  ['not to the vendor', consentOf({ vendors: [6, 8] }), false],
  ['to a range around the vendor', consentOf({ ranges: [[1, 3], [5, 9]] }), true], // prettier-ignore
  ['to single vendors in ranges', consentOf({ ranges: [[2, 2], [7, 7]] }), true], // prettier-ignore
  ['to other ranges', consentOf({ ranges: [[1, 6], [8, 90]] }), false], // prettier-ignore
  ['in the first version', consentOf({ version: 1 }), false],
  ['in no such form', 'not a consent string!', false],
  ['not at all', '', false],
])('consent %s', (_what, consent, allowed) => {
  expect(allowsDeviceId(consent, 7)).toBe(allowed);
  expect(allowsDeviceId(consent, null)).toBe(false);
});

test('any string gets an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), fc.nat(65_535), (consent, vendorId) => {
      expect(typeof allowsDeviceId(consent, vendorId)).toBe('boolean');
    }),
  );
});
