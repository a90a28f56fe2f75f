import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TargetSettings } from '@bidwell/contract/target';
import { adsetRowOf } from '../../testing/candidates.ts';
import { readBidRequest } from '../openrtb/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { audienceOf, mismatch } from './match.ts';
import type { NoBidReason } from './reasons.ts';

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
  const [candidate] = compileSnapshot([adsetRowOf({ target })], 0).candidates;
  return mismatch(candidate!, audienceOf(readBidRequest(body, 'sample')!), 0);
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
  ['another language', { language_include: ['de'] }, {}, 'language'],
  ['the genre', { genre_include: ['Games'] }, {}, null],
  ['another genre', { genre_include: ['Books'] }, {}, 'genre'],
  ['an excluded genre', { genre_exclude: ['Games'] }, {}, 'genre'],
];

test.each(cases)('%s', (_name, target, device, expected) => {
  expect(outcome(target, device)).toBe(expected);
});

const blocks: [string, object, NoBidReason | null][] = [
  ['the advertiser', { badv: ['play.google.com'] }, 'blocked_advertiser'],
  ['a domain above the advertiser', { badv: ['Google.com'] }, 'blocked_advertiser'],
  ['the same as an address', { badv: ['https://www.google.com/'] }, 'blocked_advertiser'],
  ['a domain that only ends alike', { badv: ['le.com', 'com'] }, null],
  ['a domain below the advertiser', { badv: ['eu.play.google.com'] }, null],
  ['the app', { bapp: ['COM.example.advertised'] }, 'blocked_app'],
  ['another app', { bapp: ['com.example'] }, null],
  ['the category', { bcat: ['IAB9-30'] }, 'blocked_category'],
  ['the category above', { bcat: ['IAB9'] }, 'blocked_category'],
  ['a category beside', { bcat: ['IAB9-3'] }, null],
];

test.each(blocks)('the publisher blocks %s', (_name, request, expected) => {
  expect(outcome({}, {}, request)).toBe(expected);
});

test('an app of the App Store is blocked by its number, with or without id before it', () => {
  const app = { ...adsetRowOf().app, os: 'ios' as const, bundle: '123456' };
  const [candidate] = compileSnapshot([adsetRowOf({ app })], 0).candidates;
  for (const bapp of ['123456', 'id123456']) {
    const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: { os: 'iOS' }, bapp: [bapp] };
    expect(mismatch(candidate!, audienceOf(readBidRequest(body, 'sample')!), 0)).toBe('blocked_app');
  }
});

test('a campaign runs from its first instant to before its end', () => {
  const row = adsetRowOf({ startDate: '2026-05-04', endDate: '2026-05-04', timeZone: 'America/New_York' });
  const [candidate] = compileSnapshot([row], 0).candidates;
  const body = { id: 'r', imp: [{ id: '1' }], app: {}, device: phone };
  const audience = audienceOf(readBidRequest(body, 'sample')!);
  const at = (instant: string) => mismatch(candidate!, audience, Date.parse(instant));
  expect(at('2026-05-04T03:59:59.999Z')).toBe('campaign_not_running');
  expect(at('2026-05-04T04:00:00Z')).toBeNull();
  expect(at('2026-05-05T03:59:59.999Z')).toBeNull();
  expect(at('2026-05-05T04:00:00Z')).toBe('campaign_not_running');
});

test('what is excluded never passes, whatever is included', () => {
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
