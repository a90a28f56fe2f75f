import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { postbackKeys } from './apple-keys.ts';
import { verifyAdAttributionKitPostback } from './verify-adattributionkit.ts';
import { verifySkadnetworkPostback } from './verify-skadnetwork.ts';

interface Vector {
  name: string;
  valid: boolean;
  signed_fields?: string[];
  postback: Record<string, unknown>;
}

function vectorsOf(file: string): [string, Vector][] {
  const text = readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as Vector[]).map((vector) => [vector.name, vector]);
}

const apple = postbackKeys(null);
/** The same postback as one of a test device, in an order of its fields that it does not have. */
const OTHER_ORDER = 'the same in the documented order of 2.2';

const signed = vectorsOf('skadnetwork-postbacks.json').filter(([name]) => name !== OTHER_ORDER);

test.each(signed)('SKAdNetwork, %s', async (_name, { valid, postback }) => {
  const result = await verifySkadnetworkPostback(postback, apple);
  if (valid) expect(result).toMatchObject({ isTest: postback['source-app-id'] === 0 });
  else expect(result).toMatchObject({ fault: 'bad_signature' });
});

test.each(signed.filter(([, { valid }]) => valid))(
  'SKAdNetwork, %s: each signed field that is altered makes it invalid',
  async (_name, { signed_fields, postback }) => {
    const fields = signed_fields!.flatMap((name) => name.split('|')).filter((name) => name in postback);
    expect(fields.length).toBeGreaterThan(5);
    for (const name of fields) {
      const altered = { ...postback, [name]: alteredValue(postback[name]) };
      expect(await verifySkadnetworkPostback(altered, apple)).toHaveProperty('fault');
      const without = await verifySkadnetworkPostback({ ...postback, [name]: undefined }, apple);
      // Without its 0 for the app, the postback of the test device reads as a postback of fidelity 0, and stays a test.
      const isTest = postback['source-app-id'] === 0 && name === 'source-app-id';
      expect(without).toMatchObject(isTest ? { isTest: true } : { fault: expect.any(String) });
    }
  },
);

function alteredValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 1 ? 0 : value + 1;
  return `${String(value).slice(0, -1)}${String(value).endsWith('1') ? '2' : '1'}`;
}

test.each(vectorsOf('adattributionkit-postbacks.json'))('AdAttributionKit, %s', async (_name, vector) => {
  const allowed = await verifyAdAttributionKitPostback(vector.postback, apple, true);
  if (vector.valid) expect(allowed).toMatchObject({ isTest: true });
  else expect(allowed).toMatchObject({ fault: 'bad_signature' });
  // In production, the keys of development devices are unknown ones.
  expect(await verifyAdAttributionKitPostback(vector.postback, apple, false)).toHaveProperty('fault');
});

test('the values of a valid postback are read, and unsigned values only where Apple sends them', async () => {
  const [, vector] = signed.find(([name]) => name === '4.0 fine value, four digits, web ad')!;
  const read = async (extra: Record<string, unknown>) =>
    verifySkadnetworkPostback({ ...vector.postback, ...extra }, apple);
  expect(await read({ 'country-code': 'de', 'coarse-conversion-value': 'low' })).toEqual({
    isTest: false,
    postback: {
      framework: 'skadnetwork',
      version: '4.0',
      networkId: 'com.example',
      sourceIdentifier: '5239',
      itemId: '525463029',
      transactionId: '6aafb7a5-0170-41b5-bbe4-fe71dedf1e30',
      conversionType: 'download',
      sourceAppId: null,
      sourceDomain: 'example.com',
      fidelity: 1,
      didWin: true,
      sequenceIndex: 0,
      fineValue: 63,
      coarseValue: null,
      country: 'DE',
    },
  });
  expect(await read({ 'conversion-value': 64, 'country-code': 'nowhere' })).toMatchObject({
    postback: { fineValue: null, coarseValue: null, country: null },
  });
});

test('a field that its version does not have does not change a postback', async () => {
  const [, vector] = signed.find(([name]) => name === '3.0 winning')!;
  const added = { ...vector.postback, 'postback-sequence-index': 2, 'source-domain': 'other.example' };
  expect(await verifySkadnetworkPostback(added, apple)).toMatchObject({
    postback: { sequenceIndex: 0, sourceDomain: null, sourceIdentifier: '42' },
  });
  const coarse = { ...added, 'conversion-value': undefined, 'coarse-conversion-value': 'high' };
  expect(await verifySkadnetworkPostback(coarse, apple)).toMatchObject({
    postback: { fineValue: null, coarseValue: null },
  });
  const [, test22] = signed.find(([name]) => name.startsWith('2.2 winning'))!;
  expect(await verifySkadnetworkPostback({ ...test22.postback, 'did-win': false }, apple)).toMatchObject({
    postback: { didWin: true },
  });
});

test.each([
  ['version 1.0', { version: undefined }, 'unsupported_version'],
  ['version 2.0', { version: '2.0' }, 'unsupported_version'],
  ['a later version', { version: '5.0' }, 'unsupported_version'],
  ['a version of the name of a method', { version: 'constructor' }, 'unsupported_version'],
  ['no signature', { 'attribution-signature': undefined }, 'unreadable'],
  ['an id beyond 2^53', { 'app-id': 2 ** 60 }, 'unreadable'],
  ['a source identifier of one digit', { 'source-identifier': '5' }, 'unreadable'],
])('SKAdNetwork with %s is refused', async (_what, change, fault) => {
  const [, { postback }] = signed[0]!;
  expect(await verifySkadnetworkPostback({ ...postback, ...change }, apple)).toMatchObject({
    fault,
    claimed: { networkId: 'com.example' },
  });
});

test('an id of an app does not become a domain', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const testKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const fields = {
    version: '4.0',
    'ad-network-id': 'a.skadnetwork',
    'source-identifier': '1234',
    'app-id': 7,
  };
  const rest = { 'transaction-id': 'x', redownload: false };
  const of = { 'fidelity-type': 1, 'did-win': true, 'postback-sequence-index': 0 };
  const text = ['4.0', 'a.skadnetwork', '1234', 7, 'x', false, 99, 1, true, 0].join('\u2063');
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
  const all = { ...fields, ...rest, ...of, 'attribution-signature': signature };
  const keys = postbackKeys(testKey);
  expect(await verifySkadnetworkPostback({ ...all, 'source-app-id': 99 }, keys)).toMatchObject({
    postback: { sourceAppId: '99' },
  });
  expect(await verifySkadnetworkPostback({ ...all, 'source-domain': '99' }, keys)).toHaveProperty('fault');
  // No key of others by itself.
  expect(await verifySkadnetworkPostback({ ...all, 'source-app-id': 99 }, apple)).toMatchObject({
    fault: 'bad_signature',
  });
});

/** A postback of AdAttributionKit with a key of its own in Apple's place. */
function jwsOf(header: object, claims: object, privateKey: Parameters<typeof sign>[2]) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: privateKey as never,
    dsaEncoding: 'ieee-p1363',
  });
  return `${text}.${signature.toString('base64url')}`;
}

test.each([
  ['as Apple makes it', {}, undefined],
  ['without a signature algorithm', { alg: 'none' }, 'unreadable'],
  ['with a shared secret', { alg: 'HS256' }, 'unreadable'],
  ['with a header that demands more', { crit: ['exp'] }, 'unreadable'],
  ['of an unknown key', { kid: 'someone/0' }, 'unknown_key'],
  [
    'of a development key in place of the production key',
    { kid: 'apple-development-identifier/0' },
    'unknown_key',
  ],
])('a JWS %s', async (_what, head, fault) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const testKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const claims = {
    'postback-identifier': '85546EB7-FD39-44BC-8990-C98A4AC36A49',
    'ad-network-identifier': 'Example.adattributionkit',
    'source-identifier': '1234',
    'advertised-item-identifier': 525463029,
    'publisher-item-identifier': 99,
    'conversion-type': 'download',
    'did-win': true,
    'postback-sequence-index': 1,
  };
  const jws = jwsOf({ alg: 'ES256', kid: 'apple-cas-identifier/0', ...head }, claims, privateKey);
  const keys = postbackKeys(testKey);
  const body = { 'jws-string': jws, 'ad-interaction-type': 'click', 'coarse-conversion-value': 'high' };
  const result = await verifyAdAttributionKitPostback(body, keys, false);
  expect(result).toMatchObject(
    fault
      ? { fault, claimed: { itemId: '525463029', networkId: 'example.adattributionkit' } }
      : { isTest: false, postback: { fidelity: 1, sequenceIndex: 1, coarseValue: 'high' } },
  );
});
