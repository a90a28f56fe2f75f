import { expect, test } from 'vitest';
import { newTotpSecret, totpUri } from './totp.ts';

test.each([
  ['Acme: Ads', 'Acme Ads'],
  ['Acme:Ads', 'Acme Ads'],
  [' Acme  Ads: ', 'Acme Ads'],
  ['Bücher & Söhne', 'Bücher & Söhne'],
])('the brand %s is named %s to authenticator apps, with one colon before the login', (brand, issuer) => {
  const { pathname, searchParams } = new URL(totpUri(newTotpSecret(), 'ada', brand));
  expect(searchParams.get('issuer')).toBe(issuer);
  expect(decodeURIComponent(pathname).replace(/^\/+(totp\/)?/, '')).toBe(`${issuer}:ada`);
});
