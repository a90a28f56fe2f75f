import { expect, test } from 'vitest';
import { adsetRowOf, bannerOf } from '@bidwell/testing/pacing/candidates';
import { hasBit } from '../model/bitset.ts';
import { compareVersions, versionOf } from '../matching/versions.ts';
import { compileSnapshot } from './compile.ts';

test('a bundle keeps its case for responses and is compared without it', () => {
  const app = { ...adsetRowOf().app, bundle: 'com.example.DrPuzzle' };
  const [candidate] = compileSnapshot([adsetRowOf({ app })]).candidates;
  expect(candidate!.app).toMatchObject({ bundle: 'com.example.DrPuzzle', bundleKey: 'com.example.drpuzzle' });
});

test('an iOS app is sent by its number in the store', () => {
  const bundleOf = (storeLink: string, bundle: string) => {
    const app = { ...adsetRowOf().app, os: 'ios' as const, storeLink, bundle };
    return compileSnapshot([adsetRowOf({ app })]).candidates[0]!.app.bundle;
  };
  expect(bundleOf('https://apps.apple.com/us/app/puzzle/id553834731', 'com.example.puzzle')).toBe(
    '553834731',
  );
  expect(bundleOf('https://example.com/app', '553834731')).toBe('553834731');
});

test('codes are normalised before they are compared', () => {
  const target = { location_include: ['us'], language_exclude: ['DE'], exchange_include: ['Sample'] };
  const [candidate] = compileSnapshot([adsetRowOf({ target })]).candidates;
  expect(candidate!.countries.include).toEqual(new Set(['US']));
  expect(candidate!.languages.exclude).toEqual(new Set(['de']));
  expect(candidate!.exchanges.include).toEqual(new Set(['sample']));
});

test('an advertiser is blocked by its domain and all parent domains except the top one', () => {
  const advertiserOf = (advertiserDomain: string | null) => {
    const app = { ...adsetRowOf().app, advertiserDomain };
    const { advertiserDomain: domain, advertiserDomains } = compileSnapshot([adsetRowOf({ app })])
      .candidates[0]!;
    return { domain, advertiserDomains };
  };
  expect(advertiserOf('games.example.com')).toEqual({
    domain: 'games.example.com',
    advertiserDomains: ['games.example.com', 'example.com'],
  });
  // An app whose company has not set a domain yet.
  expect(advertiserOf(null).domain).toBe('play.google.com');
});

test('the ad set with the highest possible bid comes first', () => {
  const rows = [
    adsetRowOf({ campaignName: 'low', cpmMicros: 1 }),
    adsetRowOf({ campaignName: 'a bundle pays', cpmMicros: 1, bundleCpmMicros: { 'com.rich': 9 } }),
    adsetRowOf({ campaignName: 'high', cpmMicros: 7 }),
  ];
  const { candidates } = compileSnapshot(rows);
  expect(candidates.map(({ campaignName }) => campaignName)).toEqual(['a bundle pays', 'high', 'low']);
  expect(candidates.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test('an ad set is listed under each format of its creatives once', () => {
  const rows = [
    adsetRowOf({ creatives: [bannerOf(320, 50), bannerOf(320, 50), bannerOf(300, 250)] }),
    adsetRowOf({ creatives: [bannerOf(320, 50)] }),
  ];
  const { Banner: slots } = compileSnapshot(rows).byFormat;
  const placesOf = (width: number) => {
    const { adsets } = slots.find(({ creativeFormat }) => creativeFormat.width === width)!;
    return [0, 1].filter((index) => hasBit(adsets, index));
  };
  expect([placesOf(320), placesOf(300)]).toEqual([[0, 1], [0]]);
});

test('versions are compared by their numbers', () => {
  expect(compareVersions(versionOf('9.10'), versionOf('9.9'))).toBeGreaterThan(0);
  expect(compareVersions(versionOf('12'), versionOf('12.0.0'))).toBe(0);
  expect(compareVersions(versionOf('4.4.4'), versionOf('5'))).toBeLessThan(0);
});
