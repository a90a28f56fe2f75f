import type { IdState } from '@bidwell/contract/insight/device-ids';
import { GppModel } from '@iabgpp/cmpapi';
import { Segment, SegmentEncoder, TCModel } from '@iabtcf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { privacyOf } from './read-privacy.ts';
import { readBidRequest } from './read-request.ts';

const IFA = '6d92078a-8246-4ba4-ae5b-76104861e7dc';

/** Whether the personal data of a request with these parts is used. */
function isUsed({ device, ...rest }: { device?: object; user?: object; regs?: unknown }): boolean {
  const personal = { os: 'iOS', ifa: IFA, ip: '203.0.113.9', ua: 'Agent' };
  const request = { id: 'r', imp: [{ id: '1', banner: {} }], device: { ...personal, ...device }, ...rest };
  const { ifa, ip, userAgent } = readBidRequest(request, 'sample')!.device;
  expect([
    ['', '', ''],
    [IFA, '203.0.113.9', 'Agent'],
  ]).toContainEqual([ifa, ip, userAgent]);
  return ifa !== '';
}

/** A consent string for vendor 7 with these purposes, and with precise geolocation. */
function consentTo(purposes: readonly number[], hasPreciseLocation: boolean): string {
  const model = new TCModel();
  model.cmpId = 31;
  model.cmpVersion = 1;
  model.vendorListVersion = 200;
  model.policyVersion = 5;
  model.consentLanguage = 'EN';
  model.created = new Date(Date.UTC(2026, 1, 27));
  model.purposeConsents.set([...purposes]);
  // Legitimate interest allows nothing.
  model.purposeLegitimateInterests.set([3, 4, 7]);
  if (hasPreciseLocation) model.specialFeatureOptins.set(1);
  model.vendorConsents.set(7);
  model.vendorLegitimateInterests.set(7);
  return SegmentEncoder.encode(model, Segment.CORE);
}

const ALL_USES = ['id', 'address', 'partners', 'lists', 'place'] as const;

test.each([
  ['nothing forbids it', {}, [...ALL_USES]],
  ['consent to everything', { consent: consentTo([1, 3, 4, 7], true) }, [...ALL_USES]],
  ['consent to measurement', { consent: consentTo([1, 7], false) }, ['id', 'address', 'partners']],
  [
    'consent to measurement and the place',
    { consent: consentTo([1, 7], true) },
    ['id', 'address', 'partners', 'place'],
  ],
  ['consent to profiles without measurement', { consent: consentTo([1, 3, 4], true) }, []],
  [
    'consent to a profile for ads without its making',
    { consent: consentTo([1, 4, 7], true) },
    ['id', 'address', 'partners', 'place'],
  ],
])('%s: each use needs its own purposes', (_what, user, uses) => {
  const regs = 'consent' in user ? { gdpr: 1 } : {};
  const withheldBy = privacyOf({ device: {}, user, regs, tcfVendorId: 7 });
  expect(ALL_USES.filter((use) => withheldBy(use) === null)).toEqual(uses);
});

const YES = consentTo([1, 7], false);
const NO = consentTo([], false);
const european = (consent: string) => `DBABMA~${consent}`;

test.each([
  ['its extension', { consent: YES, ext: { consent: NO } }, {}],
  ['the user', { consent: NO, ext: { consent: YES } }, {}],
  ['the European section of a GPP string', { consent: YES }, { gpp: european(NO) }],
  ['the GPP string of the extension', {}, { gpp: european(YES), ext: { gpp: european(NO) } }],
])('of strings that contradict each other, the no in %s counts', (_place, user, regs) => {
  const isUsedBy = (consent: object, more: object) =>
    privacyOf({ device: {}, user: { ...consent }, regs: { gdpr: 1, ...more }, tcfVendorId: 7 })('id') ===
    null;
  expect(isUsedBy(user, regs)).toBe(false);
  const agreed = JSON.parse(JSON.stringify([user, regs]).replaceAll(NO, YES)) as [object, object];
  expect(isUsedBy(...agreed)).toBe(true);
});

test.each<[IdState, Parameters<typeof isUsed>[0]]>([
  ['usable', {}],
  ['absent', { device: { ifa: '00000000-0000-0000-0000-000000000000' }, regs: { coppa: 1 } }],
  ['unreadable', { regs: '{"coppa":0}' }],
  ['coppa', { regs: { coppa: 1, gdpr: 1 }, device: { lmt: 1 } }],
  ['limited', { device: { dnt: 1, ext: { atts: 2 } } }],
  ['tracking_prompt', { device: { ext: { atts: 2 } }, regs: { gdpr: 1 } }],
  ['gdpr', { regs: { gdpr: 1, us_privacy: '1YYN' } }],
  ['gpp', { regs: { gpp: 'DBAA', gpp_sid: [5], gpc: 1 } }],
  ['us_privacy', { regs: { us_privacy: '1YYN', gpc: 1 } }],
  ['gpc', { regs: { gpc: 1 } }],
])('%s: the first signal that forbids the use of an id is its reason', (state, { device, ...rest }) => {
  const request = {
    id: 'r',
    imp: [{ id: '1', banner: {} }],
    device: { os: 'iOS', ifa: IFA, ...device },
    ...rest,
  };
  expect(readBidRequest(request, 'sample')!.device.idState).toBe(state);
});

/** Requests with a flag, at each of the places where exchanges send it. */
const flags: readonly [string, (value: unknown) => Parameters<typeof isUsed>[0]][] = [
  ['lmt', (lmt) => ({ device: { lmt } })],
  ['dnt', (dnt) => ({ device: { dnt } })],
  ['coppa', (coppa) => ({ regs: { coppa } })],
  ['coppa of the extension', (coppa) => ({ regs: { ext: { coppa } } })],
  ['gpc', (gpc) => ({ regs: { gpc } })],
  ['gpc of the extension', (gpc) => ({ regs: { gpc: 0, ext: { gpc } } })],
  ['gdpr', (gdpr) => ({ regs: { gdpr } })],
  ['gdpr of the extension', (gdpr) => ({ regs: { gdpr: 0, ext: { gdpr } } })],
];
const OFF = [undefined, null, 0, false, '0', '0.0', ' 0 ', 'false', 'False', 'FALSE '];
const ON = [1, true, '1', 'true', 'TRUE', ' True', 'yes', 'Y', 'on', '', ' ', -1, 2, [1], [0], [], {}, '1,0'];
const anyValue = fc.oneof(fc.jsonValue(), fc.mixedCase(fc.constantFrom('true', 'yes', 'on', 'y', 't')));

test.each(flags)('%s: only what says no lets the device id pass', (_name, requestWith) => {
  for (const value of OFF) expect([value, isUsed(requestWith(value))]).toEqual([value, true]);
  for (const value of ON) expect([value, isUsed(requestWith(value))]).toEqual([value, false]);
  fc.assert(
    fc.property(anyValue, (value) => {
      const saysNo =
        value === null ||
        value === false ||
        (['number', 'string'].includes(typeof value) && value !== '' && Number(value) === 0) ||
        (typeof value === 'string' && value.trim().toLowerCase() === 'false');
      fc.pre(typeof value !== 'string' || value.trim() !== '');
      expect(isUsed(requestWith(value))).toBe(saysNo);
    }),
  );
});

test('only "authorized" of Apple’s tracking prompt lets the device id pass', () => {
  const withAtts = (atts: unknown) => isUsed({ device: { ext: { atts } } });
  for (const value of [undefined, null, 3, '3', 3]) expect([value, withAtts(value)]).toEqual([value, true]);
  fc.assert(
    fc.property(anyValue, (value) => {
      // An object without a text of its own has no number, either.
      fc.pre(value !== null && (typeof value === 'object' ? !Array.isArray(value) : Number(value) !== 3));
      expect(withAtts(value)).toBe(false);
    }),
  );
});

test('a US Privacy String that is none, or says no at either place, counts as no', () => {
  const places = (value: unknown) => [
    { regs: { us_privacy: value } },
    { regs: { us_privacy: '1YNN', ext: { us_privacy: value } } },
  ];
  for (const value of [undefined, null, '', '1YNN', '1---', '1ynn', ' 1YNN '])
    for (const request of places(value)) expect([request, isUsed(request)]).toEqual([request, true]);
  for (const value of [
    '1YYN',
    '1nyn',
    ' 1YYN',
    '2YNN',
    '1YN',
    '${US_PRIVACY}',
    'null',
    1,
    true,
    ['1YNN'],
    {},
  ])
    for (const request of places(value)) expect([request, isUsed(request)]).toEqual([request, false]);
});

/**
 * A GPP string whose national section says `national`, and whose section for California says `california` (1
 * yes, 2 no).
 */
function gppOf(national: number, california: number): string {
  const model = new GppModel();
  for (const [name, value] of [
    ['usnat', national],
    ['usca', california],
  ] as const) {
    model.setFieldValue(name, 'SaleOptOut', value);
    model.setFieldValue(name, 'SharingOptOut', 2);
  }
  return model.encode();
}

/** The same sections, spelled as exchanges spell them. */
const spellings = (ids: readonly number[]): unknown[] => [
  ids,
  ids.map(String),
  ids.join('_'),
  ids.join(','),
  ids.join(', '),
  [ids.join(',')],
  [ids.join('_')],
];

/** Whether an id says that no section is there. An object whose `toString` is no function cannot become a number. */
function isNoSection(id: unknown): boolean {
  try {
    return [0, -1].includes(Number(id));
  } catch {
    return false;
  }
}

test('the sections of a GPP string are read in each spelling, and those that cannot be read count as no', () => {
  const withSections = (sections: unknown, gpp: string) => [
    { regs: { gpp, gpp_sid: sections } },
    { regs: { ext: { gpp, gpp_sid: sections } } },
    { regs: { gpp, gpp_sid: [-1], ext: { gpp_sid: sections } } },
  ];
  const usedWith = (sections: unknown, gpp: string) => withSections(sections, gpp).map(isUsed);
  for (const sections of spellings([7, 8])) {
    expect([sections, usedWith(sections, gppOf(2, 2))]).toEqual([sections, [true, true, true]]);
    for (const gpp of [gppOf(1, 2), gppOf(2, 1)])
      expect([sections, usedWith(sections, gpp)]).toEqual([sections, [false, false, false]]);
  }
  expect(usedWith([{ toString: '' }], gppOf(1, 1))).toEqual([false, false, false]);
  for (const sections of [undefined, null, '', [], -1, [-1], '-1', '0'])
    expect([sections, usedWith(sections, gppOf(1, 1))]).toEqual([sections, [true, true, true]]);
  fc.assert(
    fc.property(anyValue, (sections) => {
      const isNone = [null, '', '0', '-1', 0, -1].some((one) => one === sections);
      fc.pre(!isNone && !(Array.isArray(sections) && sections.every(isNoSection)));
      const parts = typeof sections === 'string' ? sections.split(/[_,\s]+/) : [7];
      fc.pre(!parts.every(isNoSection));
      expect(usedWith(sections, gppOf(1, 1))).toEqual([false, false, false]);
    }),
  );
});

test('a GPP string that says no at either place counts', () => {
  const [yes, no] = [gppOf(1, 1), gppOf(2, 2)];
  expect(isUsed({ regs: { gpp: no, gpp_sid: [7], ext: { gpp: no, gpp_sid: [7] } } })).toBe(true);
  expect(isUsed({ regs: { gpp: no, gpp_sid: [7], ext: { gpp: yes, gpp_sid: [7] } } })).toBe(false);
});

test('signals in an object that cannot be read count as no; an empty one has none', () => {
  for (const empty of [undefined, null, '', [], {}])
    for (const request of [{ regs: empty }, { regs: { ext: empty } }, { device: { ext: empty } }])
      expect([request, isUsed(request)]).toEqual([request, true]);
  for (const unread of ['{"coppa":1}', [{ coppa: 1 }], 1, true])
    for (const request of [{ regs: unread }, { regs: { ext: unread } }, { device: { ext: unread } }])
      expect([request, isUsed(request)]).toEqual([request, false]);
});
