import { DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { expect, test } from 'vitest';
import { senderOf } from './branded-mail.ts';

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
