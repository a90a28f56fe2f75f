import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeepLink } from './deep-link.ts';
import { adsetMessages } from './messages.ts';
import { isOwnDeepLink } from './own-deep-link.ts';

test.each([
  'https://example.com/offers/1',
  'https://go.example.com/a?b={campaign_id}&c=%20d#e',
  'myapp://',
  'myapp://offers/1?from={click_id}',
  'com.example.app://x',
  'fb123456://y',
  'playgarden://x',
  'geoguess://x',
  'mapsme://x',
])('%s is a deep link', (link) => {
  expect(DeepLink.parse(link)).toBe(link);
});

test('the message of an unknown macro lists the macros', () => {
  expect(adsetMessages.deepLinkMacro('{foo}')).toMatch(
    /^\{foo\} is no macro\. Macros are \{click_id\}, .*\{timestamp\}$/,
  );
});

test('an empty deep link is none', () => {
  expect([undefined, null, '', '  '].map((text) => DeepLink.parse(text))).toEqual([null, null, null, null]);
});

test.each([
  ['example.com/x', adsetMessages.deepLinkForm],
  ['myapp:x', adsetMessages.deepLinkForm],
  ['//example.com', adsetMessages.deepLinkForm],
  ['javascript://%0aalert(1)', adsetMessages.deepLinkScheme('javascript')],
  ['JavaScript://x', adsetMessages.deepLinkScheme('javascript')],
  ['data://text/html,x', adsetMessages.deepLinkScheme('data')],
  ['intent://x#Intent;scheme=y;end', adsetMessages.deepLinkScheme('intent')],
  ['market://details?id=x', adsetMessages.deepLinkScheme('market')],
  ['http://example.com', adsetMessages.deepLinkScheme('http')],
  ...[
    'firefox',
    'microsoft-edge-https',
    'touch-https',
    'opera-http',
    'x-web-search',
    'itms-beta',
    'telprompt',
    'whatsapp',
    'upi',
    'about',
    'googlechrome',
    'facetime-audio',
    'itms-services',
    'sms',
    'telnet',
    'x-safari-https',
    'yandexbrowser-open-url',
    'mimarket',
    'amzn',
    'testflight',
    'webcal',
    'webcals',
    'workflow',
    'apple-magnifier',
    'trollstore',
    'sip',
    'otpauth',
    'com.apple.preferences',
    'ddgQuickLink',
    'fxios',
    'org.mozilla.ios.Focus',
    'venmo',
    'alipays',
    'smb',
    'magnet',
  ].map((scheme): [string, string] => [
    `${scheme}://open-url?url=https://evil.example`,
    adsetMessages.deepLinkScheme(scheme.toLowerCase()),
  ]),
  ['myapp://x#Intent;component=com.evil/.A;end', adsetMessages.deepLinkIntent],
  ['myapp://a b', adsetMessages.deepLinkCharacters],
  ['myapp://"><script>', adsetMessages.deepLinkCharacters],
  ['myapp://x\nSet-Cookie: y', adsetMessages.deepLinkCharacters],
  ['myapp://x?{deep_link}', adsetMessages.deepLinkInItself],
  ['myapp://x?id={{click_id}}', 'Write {click_id} in place of {{click_id}}: only that spelling is filled.'],
  ['basketbloom://offers/{foo}', adsetMessages.deepLinkMacro('{foo}')],
  ['myapp://x?a={click_id}&b={}', adsetMessages.deepLinkMacro('{}')],
  ['https://{bundle}.example.com/', adsetMessages.deepLinkHost],
  ['https://example.com@evil.example/', adsetMessages.deepLinkHost],
  ['https://localhost/', adsetMessages.deepLinkHost],
  [`myapp://${'x'.repeat(1000)}`, 'At most 1000 characters'],
])('%s is no deep link', (link, message) => {
  expect(DeepLink.safeParse(link).error?.issues.map((issue) => issue.message)).toContain(message);
});

test('a universal link is of the developer or of a measurement partner', () => {
  const isOwn = (link: string) => isOwnDeepLink(link, 'example.com');
  expect(['https://example.com/', 'https://go.example.com/', 'https://brand.onelink.me/a', 'myapp://x'].map(isOwn)).toEqual([true, true, true, true]); // prettier-ignore
  expect(['https://evil.example/', 'https://notexample.com/', 'https://example.com.evil.example/'].map(isOwn)).toEqual([false, false, false]); // prettier-ignore
  expect(isOwnDeepLink('https://example.com/', null)).toBe(false);
});

test('the link of a measurement partner leads to no website but the developer’s', () => {
  const isOwn = (query: string) => isOwnDeepLink(`https://brand.onelink.me/x?${query}`, 'example.com');
  for (const query of [
    'pid=a&c={campaign_id}',
    'af_dp=myapp%3A%2F%2Foffer',
    'af_r=https://example.com/x',
    '$fallback_url=https%3A%2F%2Fgo.example.com%2F',
  ])
    expect([query, isOwn(query)]).toEqual([query, true]);
  for (const query of [
    'af_r=https://evil.example',
    'redirect=https%3A%2F%2Fevil.example',
    'af_r=https%253A%252F%252Fevil.example',
    'af_r=//evil.example',
    'af_r=%5C%5Cevil.example',
    'af_r=https:evil.example',
    '$fallback_url=HTTPS://example.com@evil.example',
    'af_web_dp=https://notexample.com',
  ])
    expect([query, isOwn(query)]).toEqual([query, false]);
});

test('no text makes a universal link of another host pass', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('/', '', '?', '#', '@', '\\', ':'),
      (text, sign) => {
        const link = `https://${text}${sign}evil.example/`;
        const parsed = DeepLink.safeParse(link);
        if (!parsed.success || parsed.data === null || !isOwnDeepLink(parsed.data, 'example.com')) return;
        expect(new URL(parsed.data).hostname).toMatch(/(?:^|\.)example\.com$/);
      },
    ),
  );
});
