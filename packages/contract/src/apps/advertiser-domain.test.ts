import { expect, test } from 'vitest';
import { AdvertiserDomain, developerDomain, domainFrom, domainOfBundle } from './advertiser-domain.ts';

test.each([
  ['example.com', 'example.com'],
  ['  WWW.Example.com ', 'example.com'],
  ['https://www.example.com/games?x=1', 'example.com'],
  ['games.example.co.uk', 'games.example.co.uk'],
  ['www.com', 'www.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['example.com.', 'example.com'],
  ['localhost', null],
  ['192.168.1.1', null],
  ['[::1]', null],
  ['mailto:someone@example.com', null],
  ['user@example.com', null],
  ['-bad.com', null],
  ['exa mple.com', null],
  ['example.c', null],
  ['example.123', null],
  [`${'a'.repeat(64)}.com`, null],
  [`${'a.'.repeat(200)}com`, null],
  ['', null],
])('the domain in %j is %j', (text, domain) => {
  expect(domainFrom(text)).toBe(domain);
});

test.each([
  'apps.apple.com',
  'https://itunes.apple.com/app/id1',
  'apple.com',
  'play.google.com',
  'google.com',
])('the store %s is not an advertiser domain', (text) => {
  const parsed = AdvertiserDomain.safeParse(text);
  expect(parsed.error?.issues[0]?.message).toBe('Enter the developer’s own domain, not the app store’s');
});

test('an advertiser domain is optional', () => {
  for (const nothing of [undefined, null, '', ' ']) expect(AdvertiserDomain.parse(nothing)).toBeNull();
  expect(AdvertiserDomain.safeParse('no domain').error?.issues[0]?.message).toBe(
    'Enter a domain such as example.com',
  );
  expect(AdvertiserDomain.safeParse(7).error?.issues[0]?.message).toBe('Enter a domain such as example.com');
});

test.each([
  ['https://www.example-games.com/support', 'example-games.com'],
  ['https://sites.google.com/view/game', null],
  ['https://www.facebook.com/game', null],
  ['https://apps.apple.com/developer/id1', null],
  [null, null],
  ['javascript:alert(1)', null],
])('the developer of %j has the domain %j', (website, domain) => {
  expect(developerDomain(website)).toBe(domain);
});

test.each([
  ['com.example.game', 'example.com'],
  ['io.Moon_Studio.idle', 'moon-studio.io'],
  ['de.beispiel.app', 'beispiel.de'],
  ['com.google.android.apps', null],
  ['com.facebook.katana', null],
  ['com.example', null],
  ['1234567890', null],
  ['game.example.com', null],
])('the domain of the bundle %s is guessed as %s', (bundle, domain) => {
  expect(domainOfBundle(bundle)).toBe(domain);
});
