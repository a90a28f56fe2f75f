import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import { type Fidelity, impressionText, jwsSigningInput } from './impression-extension.ts';
import {
  UnusableKey,
  newPrivateKey,
  publicKeyOf,
  readPrivateKey,
  signJws,
  signText,
} from './signing-keys.ts';

interface Vector {
  version: SkadnetworkVersion;
  fidelity?: Fidelity;
  fields?: string[];
  signed_string_utf8_hex?: string;
  signature_der_base64?: string;
  input?: { nonce: string; network: string };
  same_bytes_as?: string;
}
const vectorsIn = (file: string) =>
  JSON.parse(readFileSync(new URL(`./vectors/${file}`, import.meta.url), 'utf8'));
const { vectors, public_key_spki_base64: spki } = vectorsIn('impressions.json') as {
  vectors: Vector[];
  public_key_spki_base64: string;
};
const signed = vectors.filter(({ fields }) => fields);
const publicKey = (base64: string) =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });

/** The text that is signed for a vector; its campaign takes the place of the last two digits. */
function textOf({ version, fidelity = 0, fields }: Vector, over = {}): string {
  const [, network, campaign, itemId, nonce, sourceApp] = fields!;
  const impression = {
    network: network!,
    sourceIdentifier: version === '4.0' ? Number(campaign) : 1100 + Number(campaign),
    itemId: itemId!,
    nonce: nonce!,
    sourceApp: sourceApp!,
    timestampMs: Number(fields!.at(-1)),
  };
  return impressionText(version, { ...impression, ...over }, fidelity);
}

test.each(signed.map((vector) => [vector.version, vector.fidelity, vector] as const))(
  'the text to sign for version %s, fidelity %s, equals Apple’s byte by byte',
  (_version, _fidelity, vector) => {
    const text = textOf(vector);
    expect(Buffer.from(text).toString('hex')).toBe(vector.signed_string_utf8_hex);
    const signature = Buffer.from(vector.signature_der_base64!, 'base64');
    expect(verify('sha256', Buffer.from(text), publicKey(spki), signature)).toBe(true);
  },
);

test('a nonce and a network in upper case are signed in lower case', () => {
  const vector = signed.find(({ version, fidelity }) => version === '4.0' && fidelity === 1)!;
  const { input } = vectors.find(({ same_bytes_as: same }) => same === '4.0 fidelity 1')!;
  expect(Buffer.from(textOf(vector, input)).toString('hex')).toBe(vector.signed_string_utf8_hex);
});

test('a signature verifies with the public key that is shown for registration', () => {
  const key = newPrivateKey();
  const text = textOf(signed.at(-1)!);
  const signature = Buffer.from(signText(text, key), 'base64');
  expect(verify('sha256', Buffer.from(text), publicKey(publicKeyOf(key)), signature)).toBe(true);
});

test('an ad for AdAttributionKit has the header, claims and signature of Apple’s example', () => {
  const { header, payload, signature_bytes: bytes } = vectorsIn('adattributionkit-impression.json');
  const key = newPrivateKey();
  const jws = signJws(
    jwsSigningInput({
      network: 'Example.adattributionkit',
      sourceIdentifier: payload['source-identifier'],
      itemId: String(payload['advertised-item-identifier']),
      sourceApp: String(payload['publisher-item-identifier']),
      nonce: payload['impression-identifier'],
      timestampMs: payload.timestamp,
      reEngages: payload['eligible-for-re-engagement'],
    }),
    key,
  );
  const [head = '', body = '', signature = ''] = jws.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(read(head)).toEqual(header);
  expect(read(body)).toEqual({
    ...payload,
    'impression-identifier': payload['impression-identifier'].toLowerCase(),
  });
  expect(Buffer.from(signature, 'base64url')).toHaveLength(bytes);
  const verified = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey(publicKeyOf(key)), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(verified).toBe(true);
});

test('private keys are read in both forms that Apple names, others are refused with the reason', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const sec1 = pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const pem of [sec1, pkcs8])
    expect(publicKeyOf(readPrivateKey(pem))).toBe(publicKeyOf(pair.privateKey));
  const encrypted = pair.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
  const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const refused: [string, RegExp][] = [
    [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(), /public key/],
    ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', /certificate/],
    [encrypted, /passphrase/],
    ['abcd', /no private key in PEM/],
    [other.export({ type: 'sec1', format: 'pem' }).toString(), /secp384r1.*P-256/],
    [rsa.export({ type: 'pkcs8', format: 'pem' }).toString(), /rsa/],
  ];
  for (const [pem, reason] of refused) {
    expect(() => readPrivateKey(pem)).toThrow(UnusableKey);
    expect(() => readPrivateKey(pem)).toThrow(reason);
  }
});
