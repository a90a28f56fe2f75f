import fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { networkMatcher, parseNetwork } from './networks.ts';

test.each([
  ['10.0.0.0/8', { address: '10.0.0.0', bits: 8, family: 'ipv4' }],
  ['198.51.100.7', { address: '198.51.100.7', bits: 32, family: 'ipv4' }],
  ['0.0.0.0/1', { address: '0.0.0.0', bits: 1, family: 'ipv4' }],
  ['2001:db8::/32', { address: '2001:db8::', bits: 32, family: 'ipv6' }],
  ['::1', { address: '::1', bits: 128, family: 'ipv6' }],
])('%j is a network', (text, network) => {
  expect(parseNetwork(text)).toEqual(network);
});

test.each([
  '',
  '/8',
  'example.com',
  'example.com/8',
  '10.0.0.0/',
  '10.0.0.0/0',
  '10.0.0.0/33',
  '10.0.0.0/x',
  '10.0.0.0/1e1',
  '10.0.0.0/-8',
  '10.0.0.0/8/8',
  ' 10.0.0.0/8',
  '010.0.0.0/8',
  '::/0',
  '2001:db8::/129',
])('%j is no network', (text) => {
  expect(parseNetwork(text)).toBe(null);
});

test.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['::FFFF:10.1.2.3', true],
  ['11.1.2.3', false],
  ['2001:db8:1::1', true],
  ['2001:db9::1', false],
  ['unknown', false],
  ['', false],
])('the address %j is in 10.0.0.0/8 or 2001:db8::/32: %s', (address, expected) => {
  const networks = ['10.0.0.0/8', '2001:db8::/32'].flatMap((text) => parseNetwork(text) ?? []);
  expect(networkMatcher(networks)(address)).toBe(expected);
});

const octet = fc.integer({ min: 0, max: 255 });
const group = fc.constantFrom('0', '1', '2600', '1f00', '1fff', '1900', 'ffff');
const v4 = fc.tuple(fc.constantFrom(10, 52, 255), fc.constantFrom(0, 63, 64, 255), octet, octet);
const address = fc.oneof(
  v4.map((octets) => octets.join('.')),
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc.array(group, { minLength: 1, maxLength: 3 }).map((groups) => `${groups.join(':')}::`),
  fc.array(group, { minLength: 1, maxLength: 7 }).map((groups) => `::${groups.join(':')}`),
);

test('networks match the same addresses as a BlockList', () => {
  // For a BlockList, networks around ::ffff:0:0/96 have IPv4 addresses too.
  const plain = address.filter((text) => !/^(?:0:|::)/.test(text));
  const network = fc.tuple(plain, fc.integer({ min: 16, max: 128 })).map(([of, bits]) => {
    const isV6 = of.includes(':');
    return parseNetwork(`${of}/${isV6 ? bits : ((bits - 1) % 32) + 1}`)!;
  });
  fc.assert(
    fc.property(fc.array(network, { maxLength: 8 }), address, (networks, one) => {
      const list = new BlockList();
      for (const { address: of, bits, family } of networks) list.addSubnet(of, bits, family);
      expect(networkMatcher(networks)(one)).toBe(list.check(one, isIP(one) === 6 ? 'ipv6' : 'ipv4'));
    }),
    runs(2000),
  );
});

test('an invalid address is in no network', () => {
  expect(networkMatcher([])('10.1.2.3')).toBe(false);
});
