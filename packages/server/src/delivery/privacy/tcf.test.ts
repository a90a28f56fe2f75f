import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { tcfAllows } from './tcf.ts';

const allowedBy = (consent: string, vendorId: number | null): boolean =>
  tcfAllows(consent, vendorId, { purposes: [1, 7], preciseLocation: false });

const number = (value: number, count: number) => value.toString(2).padStart(count, '0');

/** A list of vendors: a bit field, or ranges. */
function listOf(vendors: readonly number[], ranges: readonly [number, number][] | null): string {
  const vendorMax = Math.max(0, ...(ranges ? ranges.flat() : vendors));
  if (ranges)
    return [
      number(vendorMax, 16),
      `1${number(ranges.length, 12)}`,
      ...ranges.map(([first, last]) =>
        first === last ? `0${number(first, 16)}` : `1${number(first, 16)}${number(last, 16)}`,
      ),
    ].join('');
  const has = new Set(vendors);
  const bits = Array.from({ length: vendorMax }, (_, index) => (has.has(index + 1) ? '1' : '0'));
  return `${number(vendorMax, 16)}0${bits.join('')}`;
}

/** Base64url, six bits for each character, as the last one of some encoders holds less than a byte. */
function base64(bits: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return bits.match(/.{1,6}/g)!.map((six) => alphabet[Number.parseInt(six.padEnd(6, '0'), 2)]).join(''); // prettier-ignore
}

/** Restrictions of the publisher: a purpose, a type (0 not allowed, 1 by consent, 2 by legitimate interest) and ranges of vendors. */
type Restriction = [purpose: number, type: number, ranges: [number, number][]];

/** Builds the core of a consent string from these parts; all other bits are zero. */
function consentOf({
  version = 2,
  created = '2026-02-27',
  purposes = [1, 7],
  interests = [] as number[],
  vendors = [7] as number[],
  ranges = null as [number, number][] | null,
  interested = [] as number[],
  restrictions = [] as Restriction[],
}): string {
  const flags = (ids: readonly number[]) =>
    Array.from({ length: 24 }, (_, index) => (ids.includes(index + 1) ? '1' : '0')).join('');
  const head = `${number(version, 6)}${number(Date.parse(created) / 100, 36)}`.padEnd(152, '0');
  const restricted = restrictions.map(
    ([purpose, type, list]) => `${number(purpose, 6)}${number(type, 2)}${listOf([], list).slice(17)}`,
  );
  return base64(
    [
      `${head}${flags(purposes)}${flags(interests)}`.padEnd(213, '0'),
      listOf(vendors, ranges),
      listOf(interested, null),
      number(restrictions.length, 12),
      ...restricted,
    ].join(''),
  );
}

/** A segment of disclosed vendors. */
const disclosed = (vendors: readonly number[], ranges: readonly [number, number][] | null = null): string =>
  base64(number(1, 3) + listOf(vendors, ranges));

/** A segment of the publisher's own purposes, which does not name vendors. */
const publisher = base64(`${number(3, 3)}${'1'.repeat(48)}${number(0, 6)}`);
const late = consentOf({ created: '2026-02-28' });

test.each([
  ['all of it', consentOf({}), true],
  ['with a segment of the publisher', `${consentOf({})}.${publisher}`, true],
  ['to the vendor that was disclosed', `${consentOf({})}.${disclosed([3, 7])}`, true],
  ['to a vendor that was not disclosed', `${consentOf({})}.${disclosed([3, 6, 8])}`, false],
  ['to a vendor of no disclosed range', `${consentOf({})}.${disclosed([], [[1, 6], [8, 9]])}`, false], // prettier-ignore
  ['to a vendor of a disclosed range', `${consentOf({})}.${disclosed([], [[1, 2], [7, 9]])}`, true], // prettier-ignore
  ['of the last day without the segment', consentOf({ created: '2026-02-27T23:59:59.900Z' }), true],
  ['from 28 February 2026 on without the segment', late, false],
  ['from 28 February 2026 on with another segment', `${late}.${publisher}`, false],
  ['from 28 February 2026 on with the segment', `${late}.${disclosed([7])}`, true],
  ['with segments in the order of types', `${late}.${disclosed([7])}.${publisher}`, true],
  ['with segments in another order', `${late}.${publisher}.${disclosed([7])}`, true],
  ['disclosed in another order to others', `${late}.${publisher}.${disclosed([6])}`, false],
  ['disclosed twice, once to others', `${late}.${disclosed([7])}.${disclosed([6])}`, false],
  ['with an empty segment', `${late}..${disclosed([7])}`, false],
  ['with a segment that is no base64', `${late}.${disclosed([7])}.a!b`, false],
  ['with more segments than there are types', `${late}${`.${disclosed([7])}`.repeat(9)}`, false],
  ['with a segment that was cut off', `${late}.${disclosed([], [[2, 3], [7, 9]]).slice(0, -3)}`, false], // prettier-ignore
  ['by legitimate interest to measuring', consentOf({ purposes: [1], interests: [2, 3, 4, 5, 6, 7] }), false],
  ['not to storing', consentOf({ purposes: [7] }), false],
  ['not to measuring', consentOf({ purposes: [1] }), false],
  ['not to the vendor', consentOf({ vendors: [6, 8] }), false],
  ['to a range around the vendor', consentOf({ ranges: [[1, 3], [5, 9]] }), true], // prettier-ignore
  ['to single vendors in ranges', consentOf({ ranges: [[2, 2], [7, 7]] }), true], // prettier-ignore
  ['to other ranges', consentOf({ ranges: [[1, 6], [8, 90]] }), false], // prettier-ignore
  ['but the publisher forbids the purpose', consentOf({ restrictions: [[7, 0, [[7, 7]]]] }), false],
  ['but the publisher forbids storing to a range', consentOf({ restrictions: [[1, 0, [[1, 3], [5, 9]]]] }), false], // prettier-ignore
  ['but the publisher wants interest for it', consentOf({ restrictions: [[7, 2, [[7, 7]]]] }), false],
  ['and the publisher wants consent for it', consentOf({ restrictions: [[7, 1, [[7, 7]]]] }), true],
  ['and the publisher forbids others', consentOf({ restrictions: [[7, 0, [[1, 6], [8, 8]]]] }), true], // prettier-ignore
  ['and the publisher forbids other purposes', consentOf({ restrictions: [[4, 0, [[7, 7]]]] }), true],
  ['but the last restriction forbids it', consentOf({ interested: [2, 30], ranges: [[1, 9]], restrictions: [[4, 0, [[7, 7]]], [7, 1, [[7, 7]]], [1, 0, [[7, 7]]]] }), false], // prettier-ignore
  ['but the restrictions were cut off', consentOf({ restrictions: [[4, 0, [[1, 2], [5, 7]]]] }).slice(0, -3), false], // prettier-ignore
  ['but the interests were cut off', consentOf({ interested: Array.from({ length: 40 }, (_, at) => at) }).slice(0, -6), false], // prettier-ignore
  ['with the padding of other encodings', `${consentOf({})}==`, false],
  ['in the first version', consentOf({ version: 1 }), false],
  ['in no such form', 'not a consent string!', false],
  ['not at all', '', false],
])('consent %s', (_what, consent, allowed) => {
  expect(allowedBy(consent, 7)).toBe(allowed);
  expect(allowedBy(consent, null)).toBe(false);
});

test('any string gets an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), fc.nat(65_535), (consent, vendorId) => {
      expect(typeof allowedBy(consent, vendorId)).toBe('boolean');
    }),
  );
});

/** Ranges of vendors, as their ends, in ascending order and apart from each other. */
const anyRanges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(20)), { minLength: 1, maxLength: 10 })
  .map((steps) => {
    let last = 0;
    return steps.map(([gap, more]): [number, number] => {
      const first = last + gap;
      last = first + more;
      return [first, last];
    });
  });
const vendorsIn = (ranges: readonly [number, number][]): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

test('exactly the vendors with a consent that were disclosed are allowed, in each encoding', () => {
  const list = fc.record({ ranges: anyRanges, isField: fc.boolean() });
  const results = new Set<boolean>();
  fc.assert(
    fc.property(
      list,
      list,
      fc.constantFrom('2019-08-21', '2026-02-28', '2030-01-01'),
      fc.boolean(),
      fc.nat(),
      (core, shown, created, isLast, at) => {
        // prettier-ignore
        const consented = vendorsIn(core.ranges);
        const known = vendorsIn(shown.ranges);
        const segment = shown.isField ? disclosed(known) : disclosed([], shown.ranges);
        const string = [
          consentOf({ created, vendors: consented, ranges: core.isField ? null : core.ranges }),
          ...(isLast ? [publisher, segment] : [segment, publisher]),
        ].join('.');
        const all = [...consented, ...known];
        const vendorId = Math.max(1, all[at % all.length]! + (at % 3) - 1);
        const isAllowed = consented.includes(vendorId) && known.includes(vendorId);
        results.add(isAllowed);
        expect(allowedBy(string, vendorId)).toBe(isAllowed);
        expect(allowedBy(string.split('.')[0]!, vendorId)).toBe(
          consented.includes(vendorId) && created < '2026-02-28',
        );
      },
    ),
    runs(300),
  );
  expect(results).toEqual(new Set([true, false]));
});

test('a string that was cut off allows no vendor that the whole one does not', () => {
  fc.assert(
    fc.property(anyRanges, fc.nat(), fc.integer({ min: 1, max: 700 }), (ranges, cut, vendorId) => {
      const string = `${consentOf({ ranges, restrictions: [[7, 0, [[1, 9]]]] })}.${disclosed([], ranges)}`;
      const allowed = allowedBy(string.slice(0, cut % string.length), vendorId);
      expect(allowed && !allowedBy(string, vendorId)).toBe(false);
    }),
    runs(300),
  );
});
