import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IAB_CATEGORIES } from '@bidwell/contract/reference/iab-categories';
import { PageUnavailable } from '../../../platform/outbound/fetch-page.ts';
import { testApp } from '@bidwell/testing/test-app';
import { readLookup, readGooglePlay, categoryOf } from './app-store-listing.ts';

const pages = new Map<string, string>();
const requested: { address: string; hosts: string[] }[] = [];
const app = await testApp({}, async (address, hosts) => {
  requested.push({ address, hosts: [...hosts] });
  const page = pages.get(address);
  if (page === undefined) throw new PageUnavailable('The network is unavailable');
  return page;
});

const lookup = (result: object) => JSON.stringify({ resultCount: 1, results: [result] });
const candy = {
  kind: 'software',
  trackId: 553834731,
  trackName: 'Candy Crush Saga',
  bundleId: 'com.midasplayer.apps.candycrushsaga',
  artworkUrl100: 'https://is1-ssl.mzstatic.com/image/100x100bb.jpg',
  artworkUrl512: 'https://is1-ssl.mzstatic.com/image/512x512bb.jpg',
  averageUserRating: 4.68321,
  fileSizeBytes: '332939264',
  primaryGenreName: 'Games',
  sellerUrl: 'http://www.king.com/games',
  genres: ['Games', 'Puzzle', 'Casual'],
  description: `Start playing\n\nCandy Crush Saga ${'today '.repeat(60)}`,
};

const structured = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: 'Chess & Friends',
  url: 'https://play.google.com/store/apps/details/Chess?id=com.example.chess',
  description: 'Play "chess" with\nyour friends',
  applicationCategory: 'GAME_BOARD',
  author: { '@type': 'Person', name: 'Chess Inc.', url: 'https://chess.example/contact' },
  image: 'https://play-lh.googleusercontent.com/abc=s0',
  aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.249', ratingCount: '1000' },
};
const openGraph =
  '<meta content="Tom &amp; Jerry&#39;s Chess - Apps on Google Play" property="og:title">' +
  "<meta property='og:image' content='https://play-lh.googleusercontent.com/og'>" +
  '<meta property="og:description" content="Cat &quot;and&quot; mouse">';
const html = (data: unknown, head = openGraph) =>
  `<!doctype html><html><head>${head}<script type="application/ld+json" nonce="x">${JSON.stringify(data)}</script>` +
  '</head><body><script>if (1 < 2) {}</script></body></html>';

describe('an App Store link', () => {
  const address = 'https://itunes.apple.com/lookup?id=553834731&country=de&entity=software';

  test('is filled in from the look-up API', async () => {
    pages.set(address, lookup(candy));
    const company = await app.freshCompany();
    const link = 'https://apps.apple.com/de/app/candy/id553834731';
    const response = await company.call('POST', '/app/parse', { link });
    expect(response.status).toBe(200);
    const { description, ...rest } = response.data;
    expect(rest).toEqual({
      os: 'ios',
      bundle_id: 'com.midasplayer.apps.candycrushsaga',
      store_link: 'https://apps.apple.com/de/app/id553834731',
      name: 'Candy Crush Saga',
      icon_link: candy.artworkUrl512,
      rating: 4.7,
      size_in_kb: 325_136,
      iab_category: 'IAB9-5',
      advertiser_domain: 'king.com',
      missing: ['mobile_measurement_partner'],
    });
    expect(description).toMatch(/^Start playing Candy Crush Saga today .*…$/);
    expect(description.length).toBeLessThanOrEqual(200);
    expect(requested.at(-1)).toEqual({ address, hosts: ['itunes.apple.com'] });

    const before = requested.length;
    await company.call('POST', '/app/parse', { link: `${link}?mt=8` });
    expect(requested).toHaveLength(before);
  });

  test('that the store does not know has the fields in the link', async () => {
    pages.set('https://itunes.apple.com/lookup?id=999999999&country=us&entity=software', '{"results":[]}');
    const company = await app.freshCompany();
    const link = 'https://apps.apple.com/app/some-game/id999999999';
    expect((await company.call('POST', '/app/parse', { link })).data).toMatchObject({
      bundle_id: '999999999',
      name: 'Some Game',
      icon_link: null,
    });
  });
});

describe('a Google Play link', () => {
  test('is filled in from the page', async () => {
    pages.set(
      'https://play.google.com/store/apps/details?id=com.example.chess&hl=en&gl=us',
      html(structured),
    );
    const company = await app.freshCompany();
    const link = 'market://details?id=com.example.chess';
    expect(await company.call('POST', '/app/parse', { link })).toMatchObject({
      status: 200,
      data: {
        os: 'android',
        bundle_id: 'com.example.chess',
        store_link: 'https://play.google.com/store/apps/details?id=com.example.chess',
        name: 'Chess & Friends',
        description: 'Play "chess" with your friends',
        icon_link: 'https://play-lh.googleusercontent.com/abc=s0',
        rating: 4.2,
        size_in_kb: null,
        iab_category: 'IAB9-5',
        advertiser_domain: 'chess.example',
        missing: ['size_in_kb', 'mobile_measurement_partner'],
      },
    });
    expect(requested.at(-1)?.hosts).toEqual(['play.google.com']);
  });

  test('without a network has the fields in the link, and the store is called again later', async () => {
    const company = await app.freshCompany();
    const link = 'https://play.google.com/store/apps/details?id=com.example.later';
    const offline = await company.call('POST', '/app/parse', { link });
    expect(offline).toMatchObject({ status: 200, data: { bundle_id: 'com.example.later', name: null } });
    expect(offline.data.missing).toContain('name');
    pages.set(
      'https://play.google.com/store/apps/details?id=com.example.later&hl=en&gl=us',
      html(structured),
    );
    expect((await company.call('POST', '/app/parse', { link })).data.name).toBe('Chess & Friends');
  });
});

test('a link of no store causes no request', async () => {
  const before = requested.length;
  const company = await app.freshCompany();
  expect((await company.call('POST', '/app/parse', { link: 'https://169.254.169.254/' })).status).toBe(422);
  expect(requested).toHaveLength(before);
});

describe('a page of Google Play', () => {
  test('without structured data is read from its Open Graph tags', () => {
    expect(readGooglePlay(`<head>${openGraph}</head>`)).toEqual({
      bundleId: null,
      name: "Tom & Jerry's Chess",
      description: 'Cat "and" mouse',
      iconLink: 'https://play-lh.googleusercontent.com/og',
      rating: null,
      sizeKb: null,
      category: null,
      advertiserDomain: null,
    });
  });

  test.each([
    ['a list of them', [{ '@type': 'BreadcrumbList' }, structured]],
    ['a graph', { '@context': 'x', '@graph': [structured] }],
    ['several types', { ...structured, '@type': ['MobileApplication', 'VideoGame'] }],
  ])('may contain %s', (_name, data) => {
    expect(readGooglePlay(html(data, ''))).toMatchObject({ name: 'Chess & Friends', category: 'IAB9-5' });
  });

  test('is not read from comments and from the text of other scripts', () => {
    const comment = `<!-- ${openGraph} --><script>'${openGraph}'</script>`;
    expect(readGooglePlay(`<head>${comment}</head>`)).toBeNull();
    const wide = '<meta property="og:title" data-a="a > b" content="Chess">';
    expect(readGooglePlay(`${comment}${wide}`)).toMatchObject({ name: 'Chess' });
  });

  test('with two megabytes of tags is read to its end', () => {
    for (const piece of [
      '<div>',
      '<meta property="og:',
      '<script type="application/ld+json">',
      '<meta a=b>',
    ]) {
      const page = piece.repeat((2 * 1024 * 1024) / piece.length);
      expect([piece, readGooglePlay(page)]).toEqual([piece, null]);
    }
  });

  test('gives nothing if its values are implausible', () => {
    const absurd = {
      '@type': 'SoftwareApplication',
      name: `  A\u0000 very\nlong ${'😀'.repeat(60)}`,
      image: 'javascript:alert(1)',
      applicationCategory: 'UNHEARD_OF',
      aggregateRating: { ratingValue: '11' },
      description: 7,
    };
    const page = readGooglePlay(html(absurd, ''));
    expect(page).toMatchObject({ iconLink: null, rating: null, category: null, description: null });
    expect(page?.name).toMatch(/^A very long (😀)+…$/u);
    expect(page?.name?.length).toBeLessThanOrEqual(50);
  });

  test.each([
    '',
    '<html></html>',
    'null',
    html('text', ''),
    html(null, ''),
    '<script type="application/ld+json">{',
  ])('"%s" has no facts', (text) => {
    expect(readGooglePlay(text)).toBeNull();
  });
});

describe('the response of the look-up API', () => {
  test.each([
    '',
    'null',
    '[]',
    '{"results":7}',
    lookup({ trackId: { toString: '' } }),
    lookup({ trackId: 1 }),
    lookup({}),
  ])('"%s" has no such app', (text) => {
    expect(readLookup(text, '553834731')).toBeNull();
  });

  test('may lack every field', () => {
    expect(readLookup(lookup({ trackId: 553834731, averageUserRating: 0 }), '553834731')).toEqual({
      bundleId: null,
      name: null,
      description: null,
      iconLink: null,
      rating: null,
      sizeKb: null,
      category: null,
      advertiserDomain: null,
    });
  });
});

test.each([
  [['GAME_PUZZLE'], 'IAB9-5'],
  [['GAME_ACTION'], 'IAB9-30'],
  [['GAME'], 'IAB9-30'],
  [['Games', 'Family', 'Role Playing'], 'IAB9-25'],
  [['Games', 'Action'], 'IAB9-30'],
  [['Food & Drink', 'Lifestyle'], 'IAB8'],
  [['FOOD_AND_DRINK'], 'IAB8'],
  [['Photo & Video'], 'IAB9-23'],
  [['VIDEO_PLAYERS'], 'IAB1'],
  [['Weather'], 'IAB15-10'],
  [['Something new'], null],
  [[], null],
])('%o is %s', (genres, category) => {
  expect(categoryOf(genres)).toBe(category);
});

test('any response of a store gives values that are valid in the form', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .dictionary(fc.constantFrom(...Object.keys(candy)), fc.jsonValue())
      .map((over) => lookup({ ...candy, ...over })),
    fc
      .dictionary(fc.constantFrom(...Object.keys(structured)), fc.jsonValue())
      .map((over) => html({ ...structured, ...over })),
    fc
      .array(
        fc.constantFrom(
          '<script ',
          '<meta ',
          'property=',
          '"og:title"',
          'type="application/ld+json"',
          '>',
          '{}',
        ),
      )
      .map((p) => p.join('')),
  );
  const codes = new Set([null, ...IAB_CATEGORIES.map(({ value }) => value)]);
  fc.assert(
    fc.property(anything, (text) => {
      for (const page of [readLookup(text, '553834731'), readGooglePlay(text)]) {
        if (!page) continue;
        expect(page.name?.length ?? 0).toBeLessThanOrEqual(50);
        expect(page.description?.length ?? 0).toBeLessThanOrEqual(200);
        expect(page.rating ?? 0).toBeLessThanOrEqual(5);
        expect(codes).toContain(page.category);
        expect(page.iconLink ?? 'https://').toMatch(/^https:\/\//);
      }
    }),
  );
});
