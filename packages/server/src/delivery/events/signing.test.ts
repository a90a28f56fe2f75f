import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BidRef } from './event.ts';
import { PURPOSES, createSigner } from './signing.ts';

const signer = createSigner('a secret of at least thirty-two characters', 'https://bidwell.test');

const anyCurrency = fc.oneof(
  fc.constant({ currency: '', dollarsPerUnit: 1 }),
  fc.record({
    currency: fc.constant('EUR'),
    dollarsPerUnit: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  }),
);

export const anyRef: fc.Arbitrary<BidRef> = fc
  .tuple(
    anyCurrency,
    fc.record({
      bidId: fc.uuid({ version: 7 }),
      companyId: fc.uuid(),
      appId: fc.uuid(),
      campaignId: fc.uuid(),
      adsetId: fc.uuid(),
      creativeId: fc.uuid(),
      creativeGroupId: fc.uuid(),
      creativeType: fc.constantFrom('Banner', 'Video', 'Playable', 'Native'),
      width: fc.nat(65_535),
      height: fc.nat(65_535),
      durationMs: fc.nat(4_000_000_000),
      exchange: fc.stringMatching(/^[a-z0-9-]{1,30}$/),
      chargeOn: fc.constantFrom('billing', 'win', 'impression', 'first'),
      bundle: fc.stringMatching(/^[a-z0-9._]{0,100}$/),
      os: fc.constantFrom('ios', 'android', ''),
      country: fc.constantFrom('US', 'DE', ''),
      bidCpmMicros: fc.nat(1_000_000_000),
      auctionType: fc.constantFrom(1, 2),
      test: fc.boolean(),
      ifa: fc.constantFrom('', '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11'),
      language: fc.constantFrom('', 'en'),
    }),
  )
  .map(([currency, ref]) => ({ ...ref, ...currency }));

const tokenOf = (url: string): string => /\/([\w-]{40,})/.exec(url)![1]!;

test('a token carries its bid there and back, for its own purpose only', () => {
  fc.assert(
    fc.property(anyRef, (ref) => {
      const urls = signer.urlsFor(ref);
      expect(signer.read('win', tokenOf(urls.win))).toEqual(ref);
      expect(signer.read('click-id', urls.clickId)).toEqual(ref);
      for (const purpose of PURPOSES) {
        if (purpose !== 'impression') expect(signer.read(purpose, tokenOf(urls.impression))).toBeUndefined();
      }
    }),
  );
});

test('a token of which one character was changed is refused', () => {
  fc.assert(
    fc.property(anyRef, fc.nat(), fc.constantFrom('A', 'b', '7', '_'), (ref, place, character) => {
      const token = tokenOf(signer.urlsFor(ref).click);
      const at = place % token.length;
      fc.pre(token[at] !== character);
      expect(signer.read('click', token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
    }),
  );
});

test('garbage is refused and never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => signer.read('win', text) === undefined));
});

test('a token of another secret is refused', () => {
  const other = createSigner('another secret, just as long as it must be', 'https://bidwell.test');
  fc.assert(
    fc.property(anyRef, (ref) => {
      expect(signer.read('click-id', other.clickIdFor(ref))).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});

test('a click id leaves room in a tracking address of 2000 characters', () => {
  fc.assert(
    fc.property(anyRef, (ref) => {
      expect(signer.clickIdFor(ref).length).toBeLessThan(500);
    }),
  );
});
