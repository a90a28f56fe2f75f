import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAppleLink, parseStoreLink } from './store-link.ts';

const apple = 'https://apps.apple.com/app/id553834731';
const appleUs = 'https://apps.apple.com/us/app/id553834731';
const google = 'https://play.google.com/store/apps/details?id=com.example.Game_2';

describe('an App Store link', () => {
  test.each([
    [apple, apple, null, null],
    ['https://apps.apple.com/us/app/candy-crush-saga/id553834731', appleUs, 'Candy Crush Saga', 'us'],
    [
      'https://apps.apple.com/US/app/candy-crush-saga/id553834731?mt=8&pt=1#top',
      appleUs,
      'Candy Crush Saga',
      'us',
    ],
    ['http://itunes.apple.com/us/app/candy-crush-saga/id553834731?mt=8', appleUs, 'Candy Crush Saga', 'us'],
    ['https://itunes.apple.com/app/id553834731', apple, null, null],
    ['https://geo.itunes.apple.com/app/id553834731', apple, null, null],
    ['https://apps.apple.com/app/apple-store/id553834731?ct=x', apple, null, null],
    ['https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=553834731&mt=8', apple, null, null],
    ['apps.apple.com/us/app/id553834731', appleUs, null, 'us'],
    ['  HTTPS://APPS.APPLE.COM/app/id553834731/  ', apple, null, null],
    ['itms-apps://itunes.apple.com/app/id553834731', apple, null, null],
    ['itms-apps://apps.apple.com/us/app/candy/id553834731', appleUs, 'Candy', 'us'],
    [
      'https://apps.apple.com/de/app/%C3%BCber-uns/id553834731',
      'https://apps.apple.com/de/app/id553834731',
      'Über Uns',
      'de',
    ],
    ['https://apps.apple.com/us/app/%E0%A4%A/id553834731', appleUs, null, 'us'],
    ['https://apps.apple.com//us/app//candy-crush-saga/id553834731', appleUs, 'Candy Crush Saga', 'us'],
    ['https:////apps.apple.com/us/app/id553834731', appleUs, null, 'us'],
    ['https://apps.apple.com/us/app/candy%20crush/id553834731%20', appleUs, 'Candy Crush', 'us'],
    ['%20https://apps.apple.com/app/id553834731%20%20', apple, null, null],
  ])('%s', (link, canonical, name, country) => {
    expect(parseStoreLink(link)).toEqual({ os: 'ios', bundleId: '553834731', canonical, name, country });
    expect(isAppleLink(link)).toBe(true);
  });
});

describe('a Google Play link', () => {
  test.each([
    google,
    `${google}&hl=en&gl=US&referrer=utm_source%3Dx`,
    'http://play.google.com/store/apps/details?hl=de&id=com.example.Game_2',
    'play.google.com/store/apps/details?id=com.example.Game_2',
    'https://play.google.com/store/apps/details/Great_Game?id=com.example.Game_2',
    'https://PLAY.google.com/store/apps/details/?id=com.example.Game_2#reviews',
    'market://details?id=com.example.Game_2',
    'market://details/?id=com.example.Game_2&referrer=x',
    'https://market.android.com/details?id=com.example.Game_2',
    'https://play.google.com//store/apps/details?id=com.example.Game_2',
    'https://play.google.com/store//apps/details?id=com.example.Game_2%20',
    'https://play.google.com/store/apps/details?id=%20com.example.Game_2&hl=en',
    'market:////details?id=com.example.Game_2',
  ])('%s', (link) => {
    expect(parseStoreLink(link)).toEqual({
      os: 'android',
      bundleId: 'com.example.Game_2',
      canonical: google,
      name: null,
      country: null,
    });
    expect(isAppleLink(link)).toBe(false);
  });
});

test.each([
  '',
  'candy crush',
  'https://example.com/app/id553834731',
  'https://apps.apple.com.example.com/app/id553834731',
  'https://example.com/?https://apps.apple.com/app/id553834731',
  'https://apps.apple.com/us/app/candy-crush-saga',
  'https://apps.apple.com/us/developer/king/id123',
  'https://apps.apple.com/us/developer/king/id526656015',
  'https://play.google.com/store/apps/details',
  'https://play.google.com/store/apps/details?id=nodots',
  'https://play.google.com/store/apps/details?id=com.example/../x',
  'https://play.google.com/store/apps/dev?id=com.example.dev',
  'https://play.google.com/store/books/details?id=com.example.book',
  'https://play.google.com//store/books/details?id=com.example.book',
  `https://play.google.com/store/apps/details?id=com.${'x'.repeat(150)}`,
  'https://play.app.goo.gl/?link=https://play.google.com/store/apps/details?id=com.example.game',
  'market://search?q=game&id=com.example.game',
  'javascript://play.google.com/store/apps/details?id=com.example.game',
  'ftp://play.google.com/store/apps/details?id=com.example.game',
  'http://[::1',
])('"%s" is not an app link', (link) => {
  expect(parseStoreLink(link)).toBeNull();
});

test('any text is parsed without an exception, and a canonical link parses to itself', () => {
  const pieces = fc.constantFrom(
    'https://',
    'market://',
    'apps.apple.com',
    'play.google.com',
    '/us',
    '/app',
    '/id553834731',
    '?id=',
    'com.example.game',
    '/store/apps/details',
    '%',
    '//',
    '#',
    '&',
    ' ',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 8 }).map((p) => p.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseStoreLink(text);
      if (!parsed) return;
      expect(parseStoreLink(parsed.canonical)).toEqual({ ...parsed, name: null });
    }),
  );
});
