import { DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { expect, test } from 'vitest';
import { brandedMail, senderOf } from './branded-mail.ts';

const acme = { name: 'Acme Ads' };
const sender = { name: 'Acme Ads', mail_sender_name: 'Acme' };

test.each([
  ['Bidwell', 'Bidwell <no-reply@ads.example>', {}, 'no-reply@ads.example'],
  ['Acme Ads', 'Bidwell <no-reply@ads.example>', acme, 'no-reply@ads.example'],
  ['Acme', 'Bidwell <no-reply@ads.example>', sender, 'no-reply@ads.example'],
  ['Our Ads, Ltd', '"Our Ads, Ltd" <ads@ads.example>', acme, 'ads@ads.example'],
  ['Acme', '"Our Ads, Ltd" <ads@ads.example>', sender, 'ads@ads.example'],
  ['Bidwell', 'ads@ads.example', {}, 'ads@ads.example'],
  ['Acme Ads', 'ads@ads.example', acme, 'ads@ads.example'],
  ['Acme Ads', '<ads@ads.example>', acme, 'ads@ads.example'],
  ['Acme', '<ads@ads.example> ', sender, 'ads@ads.example'],
])('a mail is from %s with the address of the setting', (name, from, over, address) => {
  expect(senderOf(from, { settings: { ...DEFAULT_BRAND, ...over } })).toEqual({ name, address });
});

test('a mail is a page in the colours of its reader, which links of the brand end', () => {
  const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const plain = brandedMail(mail, { settings: DEFAULT_BRAND, logo: null }, 'https://ads.example');
  expect(plain.html).toMatch(/^<!doctype html>/);
  expect(plain.html).toContain('<meta name="color-scheme" content="light dark">');
  expect(plain.html).toContain('<p>Hello</p>\n</div></body></html>');
  const settings = { ...DEFAULT_BRAND, name: 'A & B', terms_url: 'https://ads.example/terms' };
  const branded = brandedMail(mail, { settings, logo: null }, 'https://ads.example');
  expect(branded.html).toContain('<p>A &amp; B · <a href="https://ads.example/terms">Terms</a></p>\n</div>');
});
