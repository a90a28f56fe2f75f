import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAppAds, sellerKey } from './publisher-pages.ts';

test('the sellers of an app-ads.txt file are its direct and resold accounts', () => {
  const text = [
    '\uFEFF# Sellers of our games',
    'google.com, pub-123, DIRECT, f08c47fec0942fa0',
    ' Exchange.Example ,\tAbC , reseller # second exchange\r\ndirect.example,9,Direct;extension',
    'contact=ads@studio.example',
    'subdomain=games.studio.example',
    'no-relation.example, 4',
    'other.example, 5, PARTNER',
    'nodomain, 6, DIRECT',
    'google.com, pub-123, RESELLER',
    'nul.example, 7\0, DIRECT',
  ].join('\n');
  expect(readAppAds(text)).toEqual(['google.com,pub-123', 'exchange.example,abc', 'direct.example,9']);
});

test('any text is read, and every valid line is found in it', () => {
  const name = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
  const seller = fc.record({ domain: name.map((label) => `${label}.example`), id: name });
  fc.assert(
    fc.property(fc.array(seller), fc.array(fc.string()), (sellers, noise) => {
      const lines = sellers.map(({ domain, id }) => `${domain.toUpperCase()} , ${id},DIRECT`);
      const found = readAppAds(
        [...lines, ...noise.map((text) => `# ${text.replaceAll(/[\r\n]/g, '')}`)].join('\n'),
      );
      expect(new Set(found)).toEqual(new Set(sellers.map(sellerKey)));
      for (const text of noise) readAppAds(text);
    }),
  );
});
