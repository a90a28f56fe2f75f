import { MMPS } from '@bidwell/contract/apps/fields';
import { withDeepLink } from '@bidwell/contract/measurement/partners/deep-links';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { TRACKING_MACROS, fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLinks } from './check-link.ts';
import { linkTemplate } from '../../entities/tracking-links/link-templates.ts';
import type { LinkedApp } from '../../entities/measurement/linked-app.ts';
import { sampleValues } from '@bidwell/contract/tracking-links/sample-values';

const app = (mmp: LinkedApp['mobile_measurement_partner'], os: LinkedApp['os'] = 'android'): LinkedApp =>
  os === 'android'
    ? {
        os,
        bundle_id: 'com.example.farm',
        store_link: 'https://play.google.com/store/apps/details?id=com.example.farm',
        mobile_measurement_partner: mmp,
      }
    : {
        os,
        bundle_id: 'com.example.farm',
        store_link: 'https://apps.apple.com/us/app/farm/id6400900117',
        mobile_measurement_partner: mmp,
      };
const texts = (found: { level: string; text: string }[], level: 'error' | 'warning') =>
  found.filter((finding) => finding.level === level).map(({ text }) => text);
const good =
  'https://app.appsflyer.com/com.example.farm?pid=bidwell_int&clickid={click_id}&af_siteid={exchange}&advertising_id={gaid}';
const clickErrors = (click_url: string, linked: LinkedApp | undefined = app('appsflyer')) =>
  texts(checkLinks({ click_url, view_url: '' }, linked).click_url, 'error').join(' ');
const clickWarnings = (click_url: string, linked: LinkedApp | undefined = app('appsflyer')) =>
  texts(checkLinks({ click_url, view_url: '' }, linked).click_url, 'warning').join(' ');

describe('templates', () => {
  const origin = 'https://ads.example';
  const cases = MMPS.flatMap((mmp) => (['android', 'ios'] as const).map((os) => [mmp, os] as const));
  test.each(cases)('of %s for %s are valid once their placeholders are replaced', (mmp, os) => {
    const urls = linkTemplate(app(mmp, os), origin);
    const found = checkLinks(urls, app(mmp, os));
    for (const finding of [...found.click_url, ...found.view_url]) {
      expect(finding).toMatchObject({ level: 'error', text: expect.stringMatching(/^Replace [A-Z_]+ with/) });
    }
    const words = Object.keys(PARTNERS[mmp].links.placeholders);
    const own = (url: string) =>
      words.reduce((text, word) => text.replace(word, word.toLowerCase().replaceAll('_', '-')), url);
    const filled = { click_url: own(urls.click_url), view_url: own(urls.view_url) };
    expect(checkLinks(filled, app(mmp, os))).toEqual({ click_url: [], view_url: [] });
    const reEngaging = { ...filled, click_url: withDeepLink(filled.click_url, mmp) };
    expect(checkLinks(reEngaging, app(mmp, os))).toEqual({ click_url: [], view_url: [] });
  });

  test('contain the App Store number of an iOS app', () => {
    expect(linkTemplate(app('appsflyer', 'ios'), origin).click_url).toContain('.com/id6400900117?');
  });

  test('give Adjust a callback that is parsed as one URL', () => {
    const { click_url } = linkTemplate(app('adjust'), origin);
    const filled = new URL(fillTrackingMacros(click_url, sampleValues(app('adjust'), 1_770_000_000)));
    expect(filled.searchParams.get('install_callback')).toBe(
      'https://ads.example/postback/adjust/click/bidwell-test-install?activity_kind={activity_kind}&installed_at={installed_at}&gps_adid={gps_adid}&idfa={idfa}',
    );
  });
});

test('a good link has no findings, an empty one neither', () => {
  expect(checkLinks({ click_url: good, view_url: '' }, app('appsflyer'))).toEqual({
    click_url: [],
    view_url: [],
  });
});

test.each([
  ['no address', 'app.appsflyer.com/x', /starts with https/],
  ['a script', 'javascript:alert(1)', /starts with https/],
  ['plain http', good.replace('https', 'http'), /Use https/],
  ['no click id', good.replace('clickid={click_id}&', ''), /No clickid=\{click_id\}/],
  ['the click id in another place', good.replace('clickid=', 'click_id='), /No clickid=/],
  ['a misspelt macro', good.replace('{gaid}', '{gaid}&c={campain_name}'), /mean \{campaign_name\}\?/],
  [
    'a macro in capitals',
    good.replace('{click_id}', '{CLICK_ID}'),
    /Write \{click_id\} in place of \{CLICK_ID\}/,
  ],
  [
    'a macro in two braces',
    good.replace('{click_id}', '{{click_id}}'),
    /Write \{click_id\} in place of \{\{click_id\}\}/,
  ],
  [
    'a macro with a dollar',
    good.replace('{click_id}', '${click_id}'),
    /Write \{click_id\} in place of \$\{click_id\}/,
  ],
  ['an unknown macro', `${good}&x={weather}`, /\{weather\} is not a macro/],
  ['an exchange’s macro', `${good}&x=\${AUCTION_PRICE}`, /\{AUCTION_PRICE\} is not a macro/],
  ['an open brace', `${good}&x={ua`, /no matching brace/],
  ['an encoded macro', `${good}&x=%7Bua%7D`, /Write \{ua\}/],
  ['a space', `${good}&x=a b`, /contains a space/],
  ['another partner', 'https://app.adjust.com/abc123?click_id={click_id}', /URL of Adjust/],
  ['the host for views', good.replace('app.', 'impression.'), /host of AppsFlyer for views/],
  ['another app', good.replace('com.example.farm', 'com.example.other'), /com\.example\.other; this one is/],
  ['no partner id', good.replace('pid=bidwell_int&', ''), /No pid/],
  ['a disabled redirect to the store', `${good}&redirect=false`, /not sent to the store/],
])('%s is an error', (_name, url, message) => {
  expect(clickErrors(url)).toMatch(message);
});

test.each([
  [
    'a host of no partner',
    good.replace('app.appsflyer.com', 'go.example.com'),
    /go\.example\.com is not a host of AppsFlyer/,
  ],
  ['no publisher', good.replace('&af_siteid={exchange}', ''), /No af_siteid/],
  ['no device id', good.replace('&advertising_id={gaid}', ''), /No advertising_id=\{gaid\}/],
  ['a truncated id', `${good}&af_c_id={campaign_id}`, /af_c_id is limited to 24 characters.*af_sub1/],
  ['a repeated parameter', `${good}&pid=other`, /Repeated parameters: pid/],
])('%s is a warning', (_name, url, message) => {
  expect(clickErrors(url)).toBe('');
  expect(clickWarnings(url)).toMatch(message);
});

test.each<[LinkedApp['mobile_measurement_partner'], string, RegExp | null]>([
  [
    'adjust',
    'https://view.adjust.com/impression/abc123?s2s=1&gps_adid={gaid}&label={click_id}',
    /Adjust takes no view/,
  ],
  ['adjust', 'https://s2s.adjust.com/impression/abc123?gps_adid={gaid}&label={click_id}', /one for servers/],
  ['adjust', 'https://view.adjust.com/impression/abc123?gps_adid={gaid}&label={click_id}', null],
  [
    'branch',
    'https://impression.link/impression?%24s2s=true&%24aaid={gaid}&~click_id={click_id}',
    /Branch requires the advertising id/,
  ],
])('a view URL of %s that is for servers is an error: %s', (mmp, view_url, expected) => {
  const found = texts(checkLinks({ click_url: '', view_url }, app(mmp)).view_url, 'error').join(' ');
  if (expected) expect(found).toMatch(expected);
  else expect(found).toBe('');
});

test('the view URL differs from the click URL, and a missing click id is only a warning', () => {
  expect(
    texts(checkLinks({ click_url: good, view_url: good }, app('appsflyer')).view_url, 'error').join(),
  ).toMatch(/This is the click URL/);
  const view_url =
    'https://impression.appsflyer.com/com.example.farm?pid=bidwell_int&af_siteid=1&advertising_id={gaid}';
  const { view_url: found } = checkLinks({ click_url: good, view_url }, app('appsflyer'));
  expect(found).toMatchObject([{ level: 'warning', text: expect.stringMatching(/view without a click/) }]);
});

test('Adjust: the click id goes into the callback, whose own placeholders are encoded', () => {
  const callback = 'https%3A%2F%2Fa.example%2Fpostback%3Fclick_id%3D';
  const link = (text: string) => `https://app.adjust.com/abc123?gps_adid={gaid}&${text}`;
  const adjust = app('adjust');
  expect(clickErrors(link(`install_callback=${callback}{click_id}%26c%3D%7Bcountry%7D`), adjust)).toBe('');
  expect(clickErrors(link(`install_callback=${callback}%7Bclick_id%7D`), adjust)).toMatch(
    /Write \{click_id\}/,
  );
  expect(clickErrors(link('click_id={click_id}'), adjust)).toMatch(
    /No \{install_token\} in install_callback or label=\{click_id\}/,
  );
  expect(clickErrors(link(`install_callback=${callback}{click_id}%26g%3D{tracker}`), adjust)).toMatch(
    /If it is a macro of Adjust, write %7Btracker%7D/,
  );
  const tokens = checkLinks(
    {
      click_url: link(`install_callback=${callback}{click_id}`),
      view_url: `https://view.adjust.com/impression/zzz999?gps_adid={gaid}&install_callback=${callback}{click_id}`,
    },
    adjust,
  );
  expect(tokens.view_url).toMatchObject([
    { level: 'warning', text: expect.stringMatching(/different tokens/) },
  ]);
});

test.each([
  ['singular', 'https://acme.sng.link/D1/x?aifa={gaid}&click_id={click_id}', /No cl=\{click_id\}: Singular/],
  ['singular', 'https://i.sng.link/D1/x?aifa={gaid}&cl={click_id}', /host of Singular for views/],
  [
    'branch',
    'https://acme.app.link/x?%24aaid={gaid}&click_id={click_id}',
    /No ~click_id=\{click_id\}: Branch/,
  ],
  [
    'branch',
    'https://impression.link/impression?$aaid={gaid}&~click_id={click_id}',
    /host of Branch for views/,
  ],
  [
    'kochava',
    'https://imp.control.kochava.com/track/impression?device_id={gaid}&click_id={click_id}',
    /for views/,
  ],
  ['tenjin', 'https://track.tenjin.com/v0/click/x?advertising_id={gaid}', /No \{click_id\}: Tenjin/],
  ['other', 'https://tracker.example/c?gaid={gaid}', /No \{click_id\}: Other/],
  [
    'other',
    'https://app.adjust.com/abc?label={click_id}&gaid={gaid}',
    /URL of Adjust; the app is measured by Other/,
  ],
] as const)('a link of %s to %s is checked by the rules of the partner', (mmp, url, message) => {
  expect(clickErrors(url, app(mmp))).toMatch(message);
});

test.each([
  ['branch', 'https://acme.app.link/x?$aaid={gaid}&%7Eclick_id={click_id}'],
  ['tenjin', 'https://track.tenjin.com/v0/click/x?advertising_id={gaid}&c={click_id}'],
  ['other', 'https://tracker.example/c?gaid={gaid}&anything={click_id}'],
] as const)('a link of %s to %s has no findings', (mmp, click_url) => {
  expect(checkLinks({ click_url, view_url: '' }, app(mmp)).click_url).toEqual([]);
});

test('without an app, only the rules for all partners apply', () => {
  const found = (click_url: string) => checkLinks({ click_url, view_url: '' }, undefined).click_url;
  expect(found('https://example.com/?c={click_id}')).toEqual([]);
  expect(found('https://example.com/')).toMatchObject([
    { level: 'error', text: expect.stringMatching(/No \{click_id\}/) },
  ]);
});

test('any input is checked without a failure', () => {
  const piece = fc.constantFrom(
    'https://',
    'app.adjust.com',
    '/',
    '?',
    '&',
    '=',
    '{',
    '}',
    '%',
    '%7B',
    'click_id',
    ' ',
    'ж',
    '\u0000',
    '#',
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((parts) => parts.join('')),
      fc.constantFrom(...MMPS),
      (text, mmp) => {
        const found = checkLinks({ click_url: text, view_url: text }, app(mmp));
        for (const { text: said } of [...found.click_url, ...found.view_url]) expect(said).not.toBe('');
      },
    ),
  );
});

test('a test click has a value for every macro', () => {
  for (const os of ['android', 'ios'] as const) {
    const values = sampleValues(app('adjust', os), 1_770_000_000);
    for (const macro of Object.keys(TRACKING_MACROS)) expect(values).toHaveProperty(macro);
  }
});

describe('the postback secret', () => {
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlYw';
  const holding = `https://app.adjust.com/abc123?label={click_id}&install_callback=${encodeURIComponent(`https://ads.example/postback/adjust/${secret}?click_id=`)}{click_id}`;
  test.each([
    ['as it is', holding, secret],
    ['of another time', holding, 'another'],
    ['with an escape in it', holding.replace('c2Vj', 'c2V%6A'), secret],
  ])('%s is an error in an address that devices see', (_how, click_url, own) => {
    const found = checkLinks({ click_url, view_url: '' }, app('adjust'), own).click_url;
    expect(texts(found, 'error').join(' ')).toContain('contains your postback secret');
  });

  test('is not in the templates', () => {
    for (const mmp of MMPS) {
      const urls = linkTemplate(app(mmp), 'https://ads.example');
      const found = checkLinks(urls, app(mmp), secret);
      expect(texts(found.click_url, 'error').join(' ')).not.toContain('secret');
    }
  });
});
