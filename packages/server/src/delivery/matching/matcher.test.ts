import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoursInput, hoursOf } from '@bidwell/contract/adsets/hours';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/no-bid-reason.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Candidate, IncludeExclude } from '../model/candidate.ts';
import { requestProfileOf } from './request-profile.ts';
import { createBitset, hasBit, setBit } from '../model/bitset.ts';
import { compareVersions, versionOf } from './versions.ts';

const phone = {
  os: 'Android',
  osv: '12.4',
  model: 'Pixel 6',
  devicetype: 4,
  connectiontype: 2,
  language: 'en',
  geo: { country: 'USA' },
};

function outcome(
  target: Partial<TargetSettings>,
  device: object = {},
  request: object = {},
): NoBidReason | null {
  const body = {
    id: 'r',
    imp: [{ id: '1' }],
    app: { bundle: 'com.publisher', cat: ['IAB9-30'] },
    device: { ...phone, ...device },
    ...request,
  };
  return mismatch(compileSnapshot([adsetRowOf({ target })]), readBidRequest(body, 'sample')!, 0);
}

/** No-bid reason when no ad set fits; null when one does. */
function mismatch(
  { matcher, candidates }: Snapshot,
  request: ParsedRequest,
  nowMs: number,
): NoBidReason | null {
  return matcher.narrow(everyone(candidates), requestProfileOf(request), nowMs);
}

function everyone(candidates: readonly Candidate[]) {
  const bits = createBitset(candidates.length);
  for (const { index } of candidates) setBit(bits, index);
  return bits;
}

const cases: [string, Partial<TargetSettings>, object, NoBidReason | null][] = [
  ['no target takes all', {}, {}, null],
  ['another system', {}, { os: 'iOS' }, 'os'],
  ['no system', {}, { os: '', model: '' }, 'os'],
  ['its system by another spelling', { device_os: ['Android'] }, {}, null],
  ['the country', { location_include: ['US'] }, {}, null],
  ['the country in lower case', { location_include: ['us'] }, {}, null],
  ['another country', { location_include: ['DE'] }, {}, 'country'],
  ['an excluded country', { location_exclude: ['us'] }, {}, 'country'],
  ['no country where one is wanted', { location_include: ['US'] }, { geo: null }, 'country'],
  ['no country where one is excluded', { location_exclude: ['DE'] }, { geo: null }, null],
  ['an exchange', { exchange_include: ['Sample'] }, {}, null],
  ['another exchange', { exchange_include: ['other'] }, {}, 'exchange'],
  ['a phone is a mobile', { device_types: ['Mobile'] }, {}, null],
  ['a phone is no tablet', { device_types: ['Tablet'] }, {}, 'device_type'],
  ['a television', {}, { devicetype: 3 }, 'device_type'],
  ['a connected device', {}, { devicetype: 6 }, 'device_type'],
  ['a set-top box', {}, { devicetype: 7 }, 'device_type'],
  ['a screen out of home', {}, { devicetype: 8 }, 'device_type'],
  ['a television that is named', { device_types: ['ConnectedTV', 'Phone'] }, { devicetype: 3 }, null],
  ['a television where phones are named', { device_types: ['Phone'] }, { devicetype: 3 }, 'device_type'],
  ['a computer', {}, { devicetype: 2 }, null],
  ['no device type', {}, { devicetype: null }, null],
  ['a minimum version', { device_min_os_version: '12.4' }, {}, null],
  ['a later minimum version', { device_min_os_version: '12.10' }, {}, 'os_version'],
  ['a maximum includes its parts', { device_max_os_version: '12' }, {}, null],
  ['an earlier maximum', { device_max_os_version: '12.3' }, {}, 'os_version'],
  ['no version where one is wanted', { device_min_os_version: '5' }, { osv: '' }, 'os_version'],
  ['the model', { device_models: ['pixel 6'] }, {}, null],
  ['another model', { device_models: ['Pixel 7'] }, {}, 'device_model'],
  ['wifi', { device_connection_types: ['WiFi'] }, {}, null],
  ['4G is cellular', { device_connection_types: ['Cellular'] }, { connectiontype: 6 }, null],
  ['wifi is not cellular', { device_connection_types: ['Cellular'] }, {}, 'connection_type'],
  ['the language', { language_include: ['EN'] }, { language: 'en-GB' }, null],
  ['Indonesian as Android names it', { language_include: ['id'] }, { language: 'in' }, null],
  ['Hebrew as Android names it', { language_include: ['he'] }, { language: 'iw_IL' }, null],
  ['Yiddish as Android names it', { language_exclude: ['yi'] }, { language: 'ji' }, 'language'],
  ['Norwegian by its written form', { language_include: ['no'] }, { language: 'nb-NO' }, null],
  ['either form of Norwegian', { language_include: ['nn'] }, { language: 'nb' }, null],
  ['Norwegian where a form is excluded', { language_exclude: ['nb'] }, { language: 'no' }, 'language'],
  ['Filipino is Tagalog', { language_include: ['tl'] }, { language: 'fil-PH' }, null],
  ['a code of three letters', { language_include: ['zh'] }, { language: 'cmn-Hans-CN' }, null],
  ['Danish is not Norwegian', { language_include: ['no'] }, { language: 'da' }, 'language'],
  ['another language', { language_include: ['de'] }, {}, 'language'],
  ['the genre', { genre_include: ['Games'] }, {}, null],
  ['another genre', { genre_include: ['Books'] }, {}, 'genre'],
  ['an excluded genre', { genre_exclude: ['Games'] }, {}, 'genre'],
];

test.each(cases)('%s', (_name, target, device, expected) => {
  expect(outcome(target, device)).toBe(expected);
});

test.each([
  ['in', ['id']],
  ['id', ['in']],
  ['nb', ['no']],
  ['tl', ['fil']],
  ['iw', ['he-IL']],
])('creatives for a device in %s may be shown where only %j is allowed', (language, wlang) => {
  const target = { language_include: [language] };
  expect(outcome(target, { language }, { wlang })).toBeNull();
  expect(outcome(target, { language }, { wlangb: wlang })).toBeNull();
  expect(outcome(target, { language }, { wlang: ['fr'] })).toBe('creative_language');
});

const blocks: [string, object, NoBidReason | null][] = [
  ['the advertiser', { badv: ['example.com'] }, 'blocked_advertiser'],
  ['the advertiser in other letters', { badv: ['Example.COM'] }, 'blocked_advertiser'],
  ['the same as an address', { badv: ['https://www.example.com/'] }, 'blocked_advertiser'],
  ['a domain that only ends alike', { badv: ['le.com', 'com'] }, null],
  ['a domain below the advertiser', { badv: ['eu.example.com'] }, null],
  ['the app', { bapp: ['COM.example.advertised'] }, 'blocked_app'],
  ['another app', { bapp: ['com.example'] }, null],
  ['the category', { bcat: ['IAB9-30'] }, 'blocked_category'],
  ['the category above', { bcat: ['IAB9'] }, 'blocked_category'],
  ['a sibling category', { bcat: ['IAB9-3'] }, null],
];

test.each(blocks)('the publisher blocks %s', (_name, request, expected) => {
  expect(outcome({}, {}, request)).toBe(expected);
});

test('an app of the App Store is blocked by its number, with or without the prefix id', () => {
  const app = { ...adsetRowOf().app, os: 'ios' as const, bundle: '123456' };
  const snapshot = compileSnapshot([adsetRowOf({ app })]);
  for (const bapp of ['123456', 'id123456']) {
    const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: { os: 'iOS' }, bapp: [bapp] };
    expect(mismatch(snapshot, readBidRequest(body, 'sample')!, 0)).toBe('blocked_app');
  }
});

const appInTheStore = 'https://apps.apple.com/us/app/advertised/id123456';
const ownApps: [string, object, object, NoBidReason | null][] = [
  ['by its package in other letters', {}, { bundle: 'COM.Example.Advertised' }, 'own_app'],
  ['by its store URL', {}, { bundle: '', storeurl: adsetRowOf().app.storeLink }, 'own_app'],
  ['by its store number', { os: 'ios', storeLink: appInTheStore }, { bundle: 'id123456' }, 'own_app'],
  [
    'by the bundle id of its developer',
    { os: 'ios', storeLink: appInTheStore },
    { bundle: 'com.example.advertised' },
    'own_app',
  ],
  [
    'by a store URL with another bundle',
    { os: 'ios', storeLink: appInTheStore },
    { bundle: 'com.unknown', storeurl: appInTheStore },
    'own_app',
  ],
  ['unless only the beginning is alike', {}, { bundle: 'com.example.advertised.lite' }, null],
  ['unless nothing names the app', {}, { bundle: '' }, null],
];

test.each(ownApps)('an app is not advertised in itself: %s', (_name, advertised, publisher, expected) => {
  const app = { ...adsetRowOf().app, ...advertised };
  const os = app.os === 'ios' ? 'iOS' : 'Android';
  const body = { id: 'r', imp: [{ id: '1' }], app: publisher, device: { os } };
  expect(mismatch(compileSnapshot([adsetRowOf({ app })]), readBidRequest(body, 'sample')!, 0)).toBe(expected);
});

test('a campaign runs from its start instant until before its end', () => {
  const row = adsetRowOf({ startDate: '2026-05-04', endDate: '2026-05-04', timeZone: 'America/New_York' });
  const snapshot = compileSnapshot([row]);
  const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: phone };
  const request = readBidRequest(body, 'sample')!;
  const at = (instant: string) => mismatch(snapshot, request, Date.parse(instant));
  expect(at('2026-05-04T03:59:59.999Z')).toBe('campaign_not_running');
  expect(at('2026-05-04T04:00:00Z')).toBeNull();
  expect(at('2026-05-05T03:59:59.999Z')).toBeNull();
  expect(at('2026-05-05T04:00:00Z')).toBe('campaign_not_running');
});

test('a campaign runs from its start time until its end time', () => {
  const snapshot = compileSnapshot([
    adsetRowOf({
      startDate: '2026-05-04',
      startTime: '09:30',
      endDate: '2026-05-04',
      endTime: '18:00',
      timeZone: 'America/New_York',
    }),
  ]);
  const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: phone };
  const at = (instant: string) => mismatch(snapshot, readBidRequest(body, 'sample')!, Date.parse(instant));
  expect(at('2026-05-04T13:29:59.999Z')).toBe('campaign_not_running');
  expect(at('2026-05-04T13:30:00Z')).toBeNull();
  expect(at('2026-05-04T21:59:59.999Z')).toBeNull();
  expect(at('2026-05-04T22:00:00Z')).toBe('campaign_not_running');
});

describe('hours', () => {
  const officeHours = HoursInput.parse({
    mon: [[8, 22]],
    sun: [
      [0, 1],
      [23, 24],
    ],
  })!;
  const at = (snapshot: Snapshot, instant: string, geo: object = {}) => {
    const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: { ...phone, geo } };
    return mismatch(snapshot, readBidRequest(body, 'sample')!, Date.parse(instant));
  };
  const snapshotOf = (hoursZone: 'company' | 'device', timeZone: string) =>
    compileSnapshot([adsetRowOf({ hours: officeHours, hoursZone, timeZone })]);

  test('are in the time of the company, across changes of its clocks', () => {
    const berlin = snapshotOf('company', 'Europe/Berlin');
    const elsewhere = { utcoffset: -480, country: 'USA' };
    expect(at(berlin, '2026-05-04T05:59:59Z', elsewhere)).toBe('out_of_hours');
    expect(at(berlin, '2026-05-04T06:00:00Z', elsewhere)).toBeNull();
    expect(at(berlin, '2026-05-04T19:59:59Z', elsewhere)).toBeNull();
    expect(at(berlin, '2026-05-04T20:00:00Z', elsewhere)).toBe('out_of_hours');
    // Sunday has 23 hours here, of which the first and the last are open.
    expect(at(berlin, '2026-03-28T23:30:00Z')).toBeNull();
    expect(at(berlin, '2026-03-29T21:30:00Z')).toBeNull();
    expect(at(berlin, '2026-03-29T22:30:00Z')).toBe('out_of_hours');
    expect(at(berlin, '2026-03-30T06:00:00Z')).toBeNull();
  });

  test('begin at half hours of UTC where the zone does', () => {
    const kolkata = snapshotOf('company', 'Asia/Kolkata');
    expect(at(kolkata, '2026-05-04T02:29:59Z')).toBe('out_of_hours');
    expect(at(kolkata, '2026-05-04T02:30:00Z')).toBeNull();
  });

  test('are in the time of the device by its offset, else its region or country, else the company', () => {
    const device = snapshotOf('device', 'Asia/Tokyo');
    expect(at(device, '2026-05-04T02:30:00Z', { utcoffset: 330, country: 'USA' })).toBeNull();
    expect(at(device, '2026-05-04T02:29:00Z', { utcoffset: 330, country: 'USA' })).toBe('out_of_hours');
    expect(at(device, '2026-05-04T06:00:00Z', { country: 'DEU' })).toBeNull();
    expect(at(device, '2026-05-04T05:59:00Z', { country: 'DEU' })).toBe('out_of_hours');
    expect(at(device, '2026-05-04T16:00:00Z', { country: 'USA', region: 'CA' })).toBeNull();
    expect(at(device, '2026-05-04T14:00:00Z', { country: 'USA', region: 'CA' })).toBe('out_of_hours');
    expect(at(device, '2026-05-04T14:00:00Z', { country: 'USA' })).toBeNull();
    expect(at(device, '2026-05-04T12:59:00Z')).toBeNull();
    expect(at(device, '2026-05-04T13:00:00Z')).toBe('out_of_hours');
  });
});

test('exclusion wins over inclusion', () => {
  const countries = fc.subarray(['US', 'DE', 'FR', 'JP']);
  fc.assert(
    fc.property(
      countries,
      countries,
      fc.constantFrom('USA', 'DEU', 'FRA', 'JPN'),
      (include, exclude, country) => {
        const code = { USA: 'US', DEU: 'DE', FRA: 'FR', JPN: 'JP' }[country]!;
        const fits = (include.length === 0 || include.includes(code)) && !exclude.includes(code);
        const target = { location_include: include, location_exclude: exclude };
        expect(outcome(target, { geo: { country } })).toBe(fits ? null : 'country');
      },
    ),
  );
});

const some = (...values: string[]) => fc.subarray(values);
const targets = fc.record({
  location_include: some('US', 'DE'),
  location_exclude: some('US', 'FR'),
  exchange_include: some('sample', 'other'),
  exchange_exclude: some('other'),
  device_types: some('Phone', 'Tablet', 'Mobile', 'ConnectedTV'),
  device_min_os_version: fc.constantFrom(null, '9', '12.4'),
  device_max_os_version: fc.constantFrom(null, '12', '13.1'),
  device_models: some('Pixel 6', 'SM-G991B'),
  device_connection_types: some('WiFi', 'Cellular'),
  language_include: some('en', 'de'),
  language_exclude: some('de'),
  genre_include: some('Games', 'Books'),
  genre_exclude: some('Books'),
});
const rows = fc.record({
  target: targets,
  os: fc.constantFrom('ios' as const, 'android' as const),
  blackList: some('com.publisher', 'com.unwanted'),
  whiteList: some('com.publisher', 'com.wanted'),
  days: fc.constantFrom(
    [null, null],
    ['2026-05-04', null],
    [null, '2026-05-04'],
    ['2026-05-05', '2026-05-06'],
  ),
  cpmMicros: fc.integer({ min: 1, max: 9 }),
  hours: fc.option(fc.uint8Array({ min: 0, max: 1, minLength: 168, maxLength: 168 }).map(hoursOf)),
  hoursZone: fc.constantFrom('company' as const, 'device' as const),
  timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
});
const requests = fc.record({
  os: fc.constantFrom('Android', 'iOS', ''),
  osv: fc.constantFrom('', '9', '12.4.1', '13.2'),
  model: fc.constantFrom('Pixel 6', 'SM-G991B', ''),
  devicetype: fc.constantFrom(4, 5, 3, 7),
  connectiontype: fc.constantFrom(0, 2, 6),
  language: fc.constantFrom('en', 'de', ''),
  country: fc.constantFrom('USA', 'DEU', 'FRA', ''),
  bundle: fc.constantFrom('com.publisher', 'com.wanted', 'com.else', 'com.Example.Advertised'),
  cat: some('IAB9-30', 'IAB1-1'),
  badv: some('google.com', 'else.example'),
  bapp: some('com.example.advertised'),
  bcat: some('IAB9', 'IAB1-2'),
  utcoffset: fc.constantFrom(null, -570, 0, 345),
});
const nowMs = Date.parse('2026-05-04T12:00:00Z');

test('many ad sets together match as each does alone, and the no-bid reason comes from the one that passed most checks', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 70 }), requests, (adsets, profile) => {
      const { candidates, matcher } = compileSnapshot(
        adsets.map(({ os, days: [startDate, endDate], ...row }) =>
          adsetRowOf({ ...row, startDate: startDate!, endDate: endDate!, app: { ...adsetRowOf().app, os } }),
        ),
      );
      const { country, bundle, cat, badv, bapp, bcat, utcoffset, ...device } = profile;
      const request = readBidRequest(
        {
          id: 'r',
          imp: [{ id: '1' }],
          app: { bundle, cat },
          device: { ...device, geo: { country, utcoffset } },
          badv,
          bapp,
          bcat,
        },
        'sample',
      )!;
      const walked = candidates.map((candidate) => walkedMismatch(candidate, request));
      const fitting = everyone(candidates);
      const reason = matcher.narrow(fitting, requestProfileOf(request), nowMs);
      expect(candidates.map(({ index }) => hasBit(fitting, index))).toEqual(
        walked.map((why) => why === null),
      );
      const together = everyone(candidates);
      const intersection = matcher.fitting(requestProfileOf(request), nowMs);
      if (intersection) intersection.narrow(together);
      else together.fill(0);
      expect(together).toEqual(fitting);
      if (!walked.includes(null))
        expect(reason).toBe(walked.reduce<NoBidReason>((a, b) => further(a, b!), 'unreadable'));
      else expect(reason).toBeNull();
    }),
  );
});

/** Reference implementation: checks each ad set, property by property. */
function walkedMismatch(candidate: Candidate, request: ParsedRequest): NoBidReason | null {
  const { device, ssp } = request;
  const { bundle, model, deviceTypes, connections, genres } = requestProfileOf(request);
  if (nowMs < candidate.runsFromMs || nowMs >= candidate.runsUntilMs) return 'campaign_not_running';
  if (device.os !== candidate.app.os || !oneOf(candidate.os, [device.os])) return 'os';
  if (!admits(candidate.countries, [device.country])) return 'country';
  if (!admits(candidate.exchanges, [ssp])) return 'exchange';
  if (!admits(candidate.deviceTypes, deviceTypes)) return 'device_type';
  if (!versionFits(candidate, device.osVersion)) return 'os_version';
  if (!oneOf(candidate.models, [model])) return 'device_model';
  if (!oneOf(candidate.connections, connections)) return 'connection_type';
  if (!admits(candidate.languages, [device.language])) return 'language';
  if (!admits(candidate.genres, genres)) return 'genre';
  if (candidate.bundles.exclude.has(bundle)) return 'bundle_black_listed';
  if (!oneOf(candidate.bundles.include, [bundle])) return 'bundle_not_white_listed';
  if (bundle === candidate.app.bundleKey) return 'own_app';
  if (!isOpenFor(candidate, device)) return 'out_of_hours';
  if (request.blockedApps.includes(candidate.app.bundleKey)) return 'blocked_app';
  if (request.blockedAdvertisers.some((domain) => candidate.advertiserDomains.includes(domain)))
    return 'blocked_advertiser';
  const category = candidate.app.category.toUpperCase();
  return request.blockedCategories.some(
    (blocked) => blocked === category || blocked === category.split('-')[0],
  )
    ? 'blocked_category'
    : null;
}

const ZONES: Readonly<Record<string, string>> = {
  US: 'America/New_York',
  DE: 'Europe/Berlin',
  FR: 'Europe/Paris',
};

function isOpenFor({ hours, timeZone }: Candidate, device: ParsedRequest['device']): boolean {
  if (!hours) return true;
  const { utcOffsetMinutes: minutes, country } = device;
  if (hours.zone === 'company') return isOpenAt(hours.open, nowMs, timeZone);
  if (minutes !== null) return isOpenAt(hours.open, nowMs + minutes * 60_000, 'UTC');
  return isOpenAt(hours.open, nowMs, ZONES[country] ?? timeZone);
}

function isOpenAt(open: Uint8Array, atMs: number, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday']!);
  return open[day * 24 + Number(parts['hour'])] === 1;
}

function oneOf(allowed: ReadonlySet<string>, values: readonly string[]): boolean {
  return allowed.size === 0 || values.some((value) => allowed.has(value));
}

function admits({ include, exclude }: IncludeExclude, values: readonly string[]): boolean {
  return oneOf(include, values) && !values.some((value) => exclude.has(value));
}

function versionFits({ osVersionMin: min, osVersionMax: max }: Candidate, version: string): boolean {
  if (!min && !max) return true;
  if (version === '') return false;
  const parts = versionOf(version);
  if (min && compareVersions(parts, min) < 0) return false;
  return !max || compareVersions(parts.slice(0, max.length), max) <= 0;
}
