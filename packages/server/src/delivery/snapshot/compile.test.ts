import { expect, test } from 'vitest';
import { adsetRowOf, bannerOf } from '../../testing/candidates.ts';
import { compareVersions, compileSnapshot, versionOf } from './compile.ts';

test('a bundle keeps its letters for the wire and loses them for comparing', () => {
  const app = { ...adsetRowOf().app, bundle: 'com.example.DrPuzzle' };
  const [candidate] = compileSnapshot([adsetRowOf({ app })], 0).candidates;
  expect(candidate!.app).toMatchObject({ bundle: 'com.example.DrPuzzle', bundleKey: 'com.example.drpuzzle' });
});

test('an iOS app goes over the wire by its number in the store', () => {
  const bundleOf = (storeLink: string, bundle: string) => {
    const app = { ...adsetRowOf().app, os: 'ios' as const, storeLink, bundle };
    return compileSnapshot([adsetRowOf({ app })], 0).candidates[0]!.app.bundle;
  };
  expect(bundleOf('https://apps.apple.com/us/app/puzzle/id553834731', 'com.example.puzzle')).toBe(
    '553834731',
  );
  expect(bundleOf('https://example.com/app', '553834731')).toBe('553834731');
});

test('codes are compared in one spelling, however the target wrote them', () => {
  const target = { location_include: ['us'], language_exclude: ['DE'], exchange_include: ['Sample'] };
  const [candidate] = compileSnapshot([adsetRowOf({ target })], 0).candidates;
  expect(candidate!.countries.include).toEqual(new Set(['US']));
  expect(candidate!.languages.exclude).toEqual(new Set(['de']));
  expect(candidate!.exchanges.include).toEqual(new Set(['sample']));
});

test('an advertiser is blocked by its domain and all above it but the last', () => {
  const [candidate] = compileSnapshot([adsetRowOf()], 0).candidates;
  expect(candidate!.advertiserDomains).toEqual(['play.google.com', 'google.com']);
});

test('of one shape, system and country the one that may bid most comes first', () => {
  const rows = [
    adsetRowOf({ campaignName: 'low', cpmMicros: 1 }),
    adsetRowOf({ campaignName: 'a bundle pays', cpmMicros: 1, bundleCpmMicros: { 'com.rich': 9 } }),
    adsetRowOf({ campaignName: 'here', cpmMicros: 5, target: { location_include: ['US', 'CA'] } }),
    adsetRowOf({
      campaignName: 'two sizes',
      cpmMicros: 7,
      creatives: [bannerOf(320, 50), bannerOf(300, 250)],
    }),
  ];
  const { Banner: slots } = compileSnapshot(rows, 0).byShape;
  const slotOf = (width: number) => slots.find(({ shape }) => shape.width === width)!;
  const slot = slotOf(320).byOs.get('android')!;
  expect(slot.anywhere.map(({ campaignName }) => campaignName)).toEqual([
    'a bundle pays',
    'two sizes',
    'low',
  ]);
  expect([...slot.byCountry.keys()]).toEqual(['US', 'CA']);
  expect(slotOf(300).byOs.get('android')!.anywhere).toHaveLength(1);
  expect(slotOf(320).byOs.get('ios')).toBeUndefined();
});

test('versions are compared by their numbers', () => {
  expect(compareVersions(versionOf('9.10'), versionOf('9.9'))).toBeGreaterThan(0);
  expect(compareVersions(versionOf('12'), versionOf('12.0.0'))).toBe(0);
  expect(compareVersions(versionOf('4.4.4'), versionOf('5'))).toBeLessThan(0);
});
