import { expect, test } from 'vitest';
import { BidCounts } from '../exchanges/bid-counts.ts';
import { addressPlaces } from './address-place.ts';
import { readBidRequest } from './read/read-request.ts';

const losAngeles = { country: 'US', region: 'CA', city: 'Los Angeles', postalCode: '90012' };

/** The place of a request's device after it was completed by its address, and the counts of countries. */
function completed(device: object, { isTargeted = true, place = losAngeles, regs = {} } = {}) {
  const body = {
    id: 'r',
    imp: [{ id: '1', banner: { w: 320, h: 50 } }],
    app: { bundle: 'com.a' },
    device: { ip: '203.0.113.9', ...device },
    regs,
  };
  const { device: parsed } = readBidRequest(body, 'sample')!;
  const counts = new BidCounts();
  addressPlaces((address) => (address === '203.0.113.9' ? place : null)).complete(parsed, isTargeted, counts);
  const { country, region, city, postalCode } = parsed;
  return {
    place: [country, region, city, postalCode],
    checked: [counts.countryChecked, counts.countryMismatched],
  };
}

test('the address fills what the request does not say', () => {
  expect(completed({}).place).toEqual(['US', 'CA', 'Los Angeles', '90012']);
  expect(completed({ geo: { country: 'USA' } }).place).toEqual(['US', 'CA', 'Los Angeles', '90012']);
  expect(completed({ geo: { country: 'USA', region: 'ca', city: 'Burbank' } }).place).toEqual([
    'US',
    'ca',
    'Burbank',
    '90012',
  ]);
});

test('never with another region or country than the request names', () => {
  expect(completed({ geo: { country: 'USA', region: 'NY' } }).place).toEqual(['US', 'NY', '', '']);
  expect(completed({ geo: { country: 'DEU' } }).place).toEqual(['DE', '', '', '']);
});

test('only the country where no ad set targets regions, cities or postal codes', () => {
  expect(completed({}, { isTargeted: false }).place).toEqual(['US', '', '', '']);
});

test('not where the consent does not allow the use of the address', () => {
  expect(completed({}, { regs: { coppa: 1 } }).place).toEqual(['', '', '', '']);
  expect(completed({ lmt: 1 }).place).toEqual(['', '', '', '']);
});

test('countries that differ are counted', () => {
  expect(completed({ geo: { country: 'USA' } }).checked).toEqual([1, 0]);
  expect(completed({ geo: { country: 'DEU' } }).checked).toEqual([1, 1]);
  expect(completed({}).checked).toEqual([0, 0]);
  expect(completed({ ip: '198.51.100.1', geo: { country: 'USA' } }).checked).toEqual([0, 0]);
});

test('one in sixteen requests is checked', () => {
  const places = addressPlaces(() => losAngeles);
  const counts = new BidCounts();
  for (let index = 0; index < 160; index += 1) {
    const body = {
      id: 'r',
      imp: [{ id: '1' }],
      device: { ip: '203.0.113.9', geo: { country: 'USA', region: 'CA' } },
    };
    places.complete(readBidRequest(body, 'sample')!.device, false, counts);
  }
  expect(counts.countryChecked).toBe(10);
});
