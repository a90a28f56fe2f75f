import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFeedbackTokens, TOKEN_CHARS_MAX } from './feedback-token.ts';
import { sampleRef } from './sample-ref.ts';

const tokens = createFeedbackTokens('a secret of the tests, long enough');

const refs = fc
  .record({
    bundle: fc.oneof(fc.stringMatching(/^[a-z0-9.]{0,160}$/), fc.string({ maxLength: 40, unit: 'binary' })),
    os: fc.constantFrom('ios' as const, 'android' as const, '' as const),
    country: fc.constantFrom('', 'US', 'DE'),
    chargeOn: fc.constantFrom('billing' as const, 'win' as const, 'impression' as const, 'first' as const),
    bidCpmMicros: fc.integer({ min: 1, max: 1_000_000_000_000 }),
    valueCpmMicros: fc.option(fc.integer({ min: 1, max: 1_000_000_000_000 }), { nil: undefined }),
    marginBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    currency: fc.constantFrom('', 'EUR'),
    auctionType: fc.constantFrom(1, 2),
    test: fc.boolean(),
  })
  .map((over) => sampleRef({ ...over, dollarsPerUnit: over.currency === '' ? 1 : 1.0825 }));

test('a token is short, and returns its bid to the exchange of the bid alone', () => {
  fc.assert(
    fc.property(refs, (ref) => {
      const token = tokens.tokenOf(ref);
      expect(token.length).toBeLessThanOrEqual(TOKEN_CHARS_MAX);
      const { bundle, ...read } = tokens.bidIn(token, ref.exchange)!;
      expect(ref).toMatchObject(read);
      // An app's id that does not fit is left out, and never cut.
      expect([ref.bundle, '']).toContain(bundle);
      expect(tokens.bidIn(token, 'another')).toBeUndefined();
    }),
  );
});

test('the id of an ordinary app fits', () => {
  const ref = sampleRef({ bundle: 'com.example.a-game-with-a-name', valueCpmMicros: 5_000_000 });
  expect(tokens.bidIn(tokens.tokenOf(ref), ref.exchange)!.bundle).toBe(ref.bundle);
});

test('anything else is not a token', () => {
  const token = tokens.tokenOf(sampleRef());
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '-', '_', '9'), (at, char) => {
      const changed = token.slice(0, at) + char + token.slice(at + 1);
      expect(tokens.bidIn(changed, 'sample') !== undefined).toBe(changed === token);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => tokens.bidIn(text, 'sample') === undefined));
  const other = createFeedbackTokens('another secret of the tests, as long');
  expect(other.bidIn(token, 'sample')).toBeUndefined();
});
