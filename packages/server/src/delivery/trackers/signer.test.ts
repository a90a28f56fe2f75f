import { createCipheriv, createHash, createHmac, hash } from 'node:crypto';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import type { BidRef } from '../model/event.ts';
import { sampleRef } from './sample-ref.ts';
import { PURPOSES } from './bid-payload.ts';
import { createSigner } from './signer.ts';

const SECRET = 'a secret of at least thirty-two characters';
const signer = createSigner(SECRET, 'https://bidwell.test');

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
      bundle: fc.oneof(fc.stringMatching(/^[a-z0-9._-]{0,160}$/), fc.stringMatching(/^[a-zÀ-ÿ /:]{0,50}$/)),
      os: fc.constantFrom('ios', 'android', ''),
      country: fc.constantFrom('US', 'DE', ''),
      bidCpmMicros: fc.nat(1_000_000_000),
      marginBasisPoints: fc.oneof(fc.constant(0), fc.nat(10_000)),
      valueCpmMicros: fc.option(fc.maxSafeNat(), { nil: undefined }),
      auctionType: fc.constantFrom(1, 2),
      reEngagement: fc.constantFrom(undefined, true as const),
      test: fc.boolean(),
      ifa: fc.constantFrom('', '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11'),
      language: fc.constantFrom('', 'en'),
    }),
  )
  .map(([currency, ref]) => ({ ...ref, ...currency }));

const tokenOf = (url: string): string => /\/([\w-]{40,})/.exec(url)![1]!;

test('a token carries its bid, for its own purpose only', () => {
  fc.assert(
    fc.property(anyRef, (ref) => {
      const urls = signer.urlsFor(ref);
      expect(signer.read('click', tokenOf(urls.click))).toEqual(ref);
      expect(signer.read('win', tokenOf(urls.win))).toEqual({ ...ref, ifa: '' });
      expect(signer.read('click-id', urls.clickId)).toEqual({ ...ref, ifa: '' });
      for (const purpose of PURPOSES) {
        if (purpose !== 'impression') expect(signer.read(purpose, tokenOf(urls.impression))).toBeUndefined();
      }
    }),
  );
});

test('a token of a bid with a frequency cap carries the key of the person, and no other value', () => {
  const personKey = fc.stringMatching(/^[0-9a-f]{16}$/);
  const value = fc.option(fc.nat(1_000_000_000), { nil: undefined });
  fc.assert(
    fc.property(anyRef, personKey, value, (any, key, valueCpmMicros) => {
      fc.pre(valueCpmMicros !== any.bidCpmMicros);
      const ref = { ...any, valueCpmMicros, personKey: key };
      const urls = signer.urlsFor(ref);
      expect(signer.read('click', tokenOf(urls.click))).toEqual(ref);
      for (const purpose of ['win', 'billing', 'loss', 'impression'] as const)
        expect(signer.read(purpose, tokenOf(urls[purpose]))).toEqual({ ...ref, ifa: '' });
    }),
  );
});

test('a token with one changed character is rejected', () => {
  fc.assert(
    fc.property(anyRef, fc.nat(), fc.constantFrom('A', 'b', '7', '_'), (ref, position, character) => {
      const token = tokenOf(signer.urlsFor(ref).click);
      const at = position % token.length;
      fc.pre(token[at] !== character);
      expect(signer.read('click', token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
    }),
  );
});

test('invalid tokens are rejected without an exception', () => {
  fc.assert(fc.property(fc.string(), (text) => signer.read('win', text) === undefined));
});

test('a token of another secret is rejected', () => {
  const other = createSigner('another secret, just as long as it must be', 'https://bidwell.test');
  fc.assert(
    fc.property(anyRef, (ref) => {
      expect(signer.read('click-id', other.clickIdFor(ref))).toBeUndefined();
    }),
    runs(20),
  );
});

test('a click id fits into a tracking address of 2000 characters', () => {
  fc.assert(
    fc.property(anyRef, (ref) => {
      expect(signer.clickIdFor(ref).length).toBeLessThan(500);
    }),
  );
});

/** The bid of the tokens below. */
const releasedRef: BidRef = {
  bidId: '019aa8f5-3c00-7abc-8def-0123456789ab',
  companyId: '019a0000-0000-7000-8000-000000000001',
  appId: '019a0000-0000-7000-8000-000000000002',
  campaignId: '019a0000-0000-7000-8000-000000000003',
  adsetId: '019a0000-0000-7000-8000-000000000004',
  creativeId: '019a0000-0000-7000-8000-000000000005',
  creativeGroupId: '019a0000-0000-7000-8000-000000000006',
  creativeType: 'Video',
  width: 1080,
  height: 1920,
  durationMs: 15_000,
  exchange: 'sample',
  chargeOn: 'billing',
  bundle: 'com.example.game',
  os: 'android',
  country: 'US',
  bidCpmMicros: 4_250_000,
  marginBasisPoints: 0,
  currency: 'EUR',
  dollarsPerUnit: 1.0825,
  auctionType: 1,
  test: false,
  ifa: '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11',
  language: 'en',
};

/** Tokens as written by earlier releases: each stays readable. */
const released = [
  {
    version: '4',
    win: 'BAGaqPU8AHq8je8BI0VniatEcLezJY2sbgqtdz7kjJU9xE1C5Ssk5FtS7n6PTxzE24WpgAM-SZpOSaFPR-hoo01bu2iXT1hwzpfSZD5no2kccR29IejPJAJ9JvT6mVNFMnrIQl_YiZEESWrxlOmelB56o0u0xJ4iWc5rD1N0ETOvDBz4djGdBs53FmbY53INkYh0iIoL1zO07j-fXP3wMFOvzOZU-klN',
    video:
      'BAGaqPU8AHq8je8BI0VniatEcLezJY2sbgqtdz7kjJU9xE1C5Ssk5FtS7n6PTxzE24WpgAM-SZpOSaFPR-hoo01bu2iXT1hwzpfSZD5no2kccR29IejPJAJ9JvT6mVNFMnrIQl_YiZEESWrxlOmelB56o0u0xJ4iWc5rD1N0ETOvDBz4djGdBs53FmbY53INkYh0iIoL1zO07j-fXP3wBjOkNmYBW5_l',
    'click-id':
      'BAGaqPU8AHq8je8BI0VniatEcLezJY2sbgqtdz7kjJU9xE1C5Ssk5FtS7n6PTxzE24WpgAM-SZpOSaFPR-hoo01bu2iXT1hwzpfSZD5no2kccR29IejPJAJ9JvT6mVNFMnrIQl_YiZEESWrxlOmelB56o0u0xJ4iWc5rD1N0ETOvDBz4djGdBs53FmbY53INkYh0iIoL1zO07j-fXP3wQcWy-E3MoC05',
  },
];

test.each(released)(
  'a token of version $version is read for its purpose',
  ({ version: _version, ...tokens }) => {
    // Only clicks carry the advertising id.
    const expected = { ...releasedRef, ifa: '' };
    for (const [carried, token] of Object.entries(tokens))
      for (const purpose of PURPOSES)
        expect(signer.read(purpose, token)).toEqual(purpose === carried ? expected : undefined);
  },
);

test('tokens have the newest version', () => {
  const urls = signer.urlsFor(releasedRef);
  expect({
    version: '4',
    win: tokenOf(urls.win),
    video: tokenOf(urls.videoEvent('start')),
    'click-id': signer.clickIdFor(releasedRef),
  }).toEqual(released.at(-1));
});

test('a token with a changed byte is rejected in every version', () => {
  for (const { win } of released) {
    for (let at = 0; at < win.length; at += 7) {
      const changed = win.slice(0, at) + (win[at] === 'A' ? 'B' : 'A') + win.slice(at + 1);
      expect(signer.read('win', changed)).toBeUndefined();
    }
  }
});

test('tokens signed with the previous secret are read while it is configured', () => {
  const rotated = createSigner('the secret that took its place, as long', 'https://bidwell.test', SECRET);
  for (const { win } of released) expect(rotated.read('win', win)).toBeDefined();
  expect(signer.read('click-id', rotated.clickIdFor(releasedRef))).toBeUndefined();
  expect(rotated.read('click-id', rotated.clickIdFor(releasedRef))).toEqual({ ...releasedRef, ifa: '' });
});

/** The bytes of a UUID, or of a number as four bytes. */
const bytesOf = (value: string | number): Buffer => {
  if (typeof value === 'string') return Buffer.from(value.replaceAll('-', ''), 'hex');
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

test.each([
  [
    'BLAKE2b-512 (RFC 7693, appendix A)',
    () => hash('blake2b512', 'abc'),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1' +
      '7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  [
    'AES-256 (NIST SP 800-38A, F.1.5)',
    () =>
      aesBlock(
        Buffer.from('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 'hex'),
        '6bc1bee22e409f96e93d7e117393172a',
      ),
    'f3eed1bdb5d2a03c064b5a7e3db181f8',
  ],
  [
    'HMAC-SHA-256 (RFC 4231, 4.3)',
    () => createHmac('sha256', 'Jefe').update('what do ya want for nothing?').digest('hex'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
])('%s gives the published result', (_name, result, published) => {
  expect(result()).toBe(published);
});

function aesBlock(key: Buffer, block: string): string {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return cipher.update(block, 'hex', 'hex');
}

test('a token is the version, the id, the ciphertext of AES-256, and a part of one BLAKE2b-512', () => {
  const keyFor = (use: string) => createHmac('sha256', SECRET).update(use).digest();
  const ref = sampleRef({ ifa: '' });
  const bytes = Buffer.from(tokenOf(signer.urlsFor(ref).win), 'base64url');
  const message = bytes.subarray(0, -9);
  const digest = createHash('blake2b512')
    .update(Buffer.concat([keyFor('bidwell token 4 authentication')], 128))
    .update(message)
    .digest();
  const at = 9 * PURPOSES.indexOf('win');
  expect(bytes.subarray(-9)).toEqual(digest.subarray(at, at + 9));
  const id = message.toString('hex', 1, 17);
  expect([bytes[0], id]).toEqual([4, ref.bidId.replaceAll('-', '')]);

  const encrypted = message.subarray(17);
  const stream = Array.from({ length: Math.ceil(encrypted.length / 16) }, (_, block) =>
    aesBlock(keyFor('bidwell token 4 encryption'), block.toString(16).padStart(2, '0') + id.slice(2)),
  );
  const mask = Buffer.from(stream.join(''), 'hex');
  const payload = Buffer.from(encrypted.map((byte, index) => byte ^ mask[index]!)).toString('hex');
  const ids = [ref.companyId, ref.appId, ref.campaignId, ref.adsetId, ref.creativeId, ref.creativeGroupId];
  expect(payload.slice(0, 6 * 32)).toBe(ids.join('').replaceAll('-', ''));
});

test('a token reveals neither the advertising id, the price nor the company', () => {
  const urls = signer.urlsFor(releasedRef);
  for (const url of [urls.win, urls.impression, urls.click, urls.videoEvent('start')]) {
    const token = Buffer.from(tokenOf(url), 'base64url');
    for (const hidden of [
      releasedRef.ifa,
      releasedRef.bidCpmMicros,
      releasedRef.companyId,
      releasedRef.adsetId,
    ])
      expect(token.includes(bytesOf(hidden))).toBe(false);
    for (const text of [releasedRef.bundle, releasedRef.exchange]) expect(token.includes(text)).toBe(false);
  }
});

test('tokens of two bids that differ only in their id share nothing but the version', () => {
  const bytes = [1, 2].map(() =>
    Buffer.from(signer.clickIdFor(sampleRef({ ...releasedRef, bidId: uuidv7() })), 'base64url'),
  );
  const [one, other] = bytes as [Buffer, Buffer];
  const same = one.subarray(17, -9).filter((byte, at) => byte === other[17 + at]);
  expect(same.length).toBeLessThan(10);
});

test('an install token is recognised with either secret, and a click id alone is not one', () => {
  const ref = sampleRef();
  const renewed = createSigner('the secret of now', 'http://bidwell.test', 'the secret before');
  const token = createSigner('the secret before', 'http://bidwell.test').installTokenFor(ref);
  expect(renewed.readInstallToken(token)?.bidId).toBe(ref.bidId);
  expect(renewed.urlsFor(ref).installToken()).toBe(renewed.installTokenFor(ref));
  const others = [
    renewed.clickIdFor(ref),
    `${token}A`,
    token.slice(1),
    `${token.slice(0, -1)}*`,
    '',
    'x'.repeat(2000),
  ];
  for (const text of others) expect(renewed.readInstallToken(text), text).toBeUndefined();
  expect(renewed.read('click-id', token)).toBeUndefined();
  expect(createSigner('another', 'http://bidwell.test').readInstallToken(token)).toBeUndefined();
});
