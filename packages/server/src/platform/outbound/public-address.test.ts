import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '17.253.144.10',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '142.250.74.46',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2620:149:af0::10',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['carrier NAT', '100.64.0.1'],
  ['carrier NAT', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.255'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped in hex', '::ffff:7f00:1'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['compatible', '::127.0.0.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1'],
  ['NAT64 of a public one', '64:ff9b::8.8.8.8'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['6to4 of a private one', '2002:c0a8:1::1'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456:789a::1'],
  ['cloud metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['public with a zone', '2606:4700:4700::1111%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
])('%s is not public: %s', (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8',
  '[::1]',
])('an address in an unusual notation is not public: "%s"', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

describe('for any input,', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const word = fc.integer({ min: 0, max: 0xffff });

  test('it returns', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(typeof isPublicAddress(text)).toBe('boolean');
      }),
    );
  });

  test('no address of a private network is public', () => {
    const nets = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(nets, (octets) => {
        const address = octets.join('.');
        expect(isPublicAddress(address)).toBe(false);
        for (const prefix of ['::', '::ffff:', '64:ff9b::'])
          expect(isPublicAddress(prefix + address)).toBe(false);
      }),
    );
  });

  test('no IPv6 address outside 2000::/3 is public', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (words) => {
        const address = words.map((part) => part.toString(16)).join(':');
        if (words[0]! >> 13 !== 1) expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  test('an address is classified the same in every notation', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (words) => {
        const plain = words.map((part) => part.toString(16)).join(':');
        const padded = words.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':');
        expect(isPublicAddress(padded)).toBe(isPublicAddress(plain));
      }),
    );
  });
});
