import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { digestText } from '../model/frequency.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { createPersonKeys, keysOfDevice, networkOf } from './person-key.ts';

const SECRET = 'a secret of at least thirty-two characters';
const keys = createPersonKeys(SECRET);
const IFA = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
const IFV = '11111111-8246-4BA4-AE5B-76104861E7DC';
const full = {
  device: {
    os: 'iOS',
    ifa: IFA,
    ext: { ifv: IFV },
    ip: '203.0.113.9',
    ua: 'Agent',
    model: 'iPhone',
  },
  user: { id: 'user-1' },
};

interface Parts {
  device?: object;
  user?: object;
  regs?: object;
  ssp?: string;
}

/** The key of a request's person. */
function keyOf({ ssp = 'adx', ...parts }: Parts) {
  const request = readBidRequest({ id: uuidv4(), imp: [{ id: '1', banner: {} }], app: {}, ...parts }, ssp);
  return keys(request!);
}

const without = (...names: string[]): Parts => {
  const device: Record<string, unknown> = { ...full.device };
  for (const name of names) delete device[name];
  return { device, ...(!names.includes('user') && { user: full.user }) };
};

test('the best identifier of a request counts', () => {
  const ofIfa = keyOf(full);
  const ofIfv = keyOf(without('ifa'));
  const ofUser = keyOf(without('ifa', 'ext'));
  const ofAddress = keyOf(without('ifa', 'ext', 'user'));
  expect(new Set([ofIfa, ofIfv, ofUser, ofAddress].map((key) => `${key!.high} ${key!.low}`)).size).toBe(4);
  expect(keyOf({ device: { ...full.device, ifa: IFA.toLowerCase(), ip: '198.51.100.1' } })).toEqual(ofIfa);
  expect(keyOf({ ...without('ifa'), ssp: 'other' })).toEqual(ofIfv);
  // The ids of exchanges are their own.
  expect(keyOf({ ...without('ifa', 'ext'), ssp: 'other' })).not.toEqual(ofUser);
  expect(keyOf({ ...without('ifa', 'ext', 'user'), ssp: 'other' })).toEqual(ofAddress);
  expect(keyOf({ device: { ...full.device, ifa: '00000000-0000-0000-0000-000000000000' } })).toEqual(ofIfv);
});

test.each<[string, Parts]>([
  ['for a child', { ...full, regs: { coppa: 1 } }],
  ['with limited tracking', { ...full, device: { ...full.device, lmt: 1 } }],
  ['without consent', { ...full, regs: { gdpr: 1 } }],
  ['after an opt-out', { ...full, regs: { us_privacy: '1YYN' } }],
  ['without any identifier', { device: { os: 'iOS', ua: 'Agent' } }],
  ['with an address alone', { device: { os: 'iOS', ip: '203.0.113.9' } }],
  ['with ids of zeros', { device: { os: 'iOS', ext: { ifv: '0000-0' } }, user: { id: '0' } }],
])('there is no key %s', (_name, parts) => {
  expect(keyOf(parts)).toBeNull();
});

test('a person is found by the id of the device with and without hyphens, whichever of these an exchange sends', () => {
  const spellingsOf = (id: string) => [id, id.replaceAll('-', '')];
  for (const given of spellingsOf(IFA))
    for (const ifa of spellingsOf(IFA))
      expect(keysOfDevice(SECRET, given)).toContainEqual(keyOf({ device: { ...full.device, ifa } }));
  for (const given of spellingsOf(IFV))
    for (const ifv of spellingsOf(IFV))
      expect(keysOfDevice(SECRET, given)).toContainEqual(keyOf({ device: { os: 'iOS', ext: { ifv } } }));
});

test('another secret has other keys', () => {
  const request = readBidRequest({ id: '1', imp: [{ id: '1', banner: {} }], app: {}, ...full }, 'adx')!;
  const others = createPersonKeys('another secret, just as long as it must be');
  expect(others(request)).not.toEqual(keys(request));
});

// Counts and events of earlier releases have these keys.
test.each([
  ['an advertising id', { ifa: IFA }, '750f9307ef9e3257'],
  ['an id of an exchange', { userId: 'é€😀' }, '859ac1aa093e0740'],
  ['a long id of an exchange', { userId: 'é€😀'.repeat(100) }, '7ffd9c70e9888c3e'],
  ['an address', { ip: '203.0.113.9', userAgent: 'Agent '.repeat(80), model: 'Pixel' }, 'd24481d5ac567f84'],
])('the key of %s is the same in each release', (_name, given, key) => {
  const device = { ifa: '', ifv: '', userId: '', ip: '', userAgent: '', model: '', ...given };
  expect(digestText(keys({ ssp: 'adx', device })!)).toBe(key);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1::203.0.113.9', '2001:db8:1:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
