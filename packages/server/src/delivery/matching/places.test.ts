import fc from 'fast-check';
import { iso31662 } from 'iso-3166';
import { describe, expect, test } from 'vitest';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { CITIES_WITH_NAMES, ENGLISH_REGIONS } from '@bidwell/contract/reference/english-places';
import { foldedName } from '@bidwell/contract/targets/place-values';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { createBitset, setBit } from '../model/bitset.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { boxOf, distanceKm } from './geo-distance.ts';
import { regionOf } from './place-keys.ts';
import { requestProfileOf } from './request-profile.ts';

/** Why an ad set with a target does not bid on a request; null if it does. */
function reasonFor(
  target: Partial<TargetSettings>,
  {
    device = {},
    user = {},
    imp = {},
    regs = {},
  }: { device?: object; user?: object; imp?: object; regs?: object },
): NoBidReason | null {
  const body = {
    id: 'r',
    imp: [{ id: '1', banner: { w: 320, h: 50 }, ...imp }],
    app: { bundle: 'com.publisher' },
    device: { os: 'Android', devicetype: 4, ...device },
    user,
    regs,
  };
  const { matcher, candidates } = compileSnapshot([adsetRowOf({ target })]);
  const bits = createBitset(candidates.length);
  for (const { index } of candidates) setBit(bits, index);
  const profile = requestProfileOf(readBidRequest(body, 'sample')!);
  const reason = matcher.narrow(bits, profile, 0);
  const fitting = matcher.fitting(profile, 0);
  // Both ways of matching find the same.
  expect(fitting !== null && fitting.within(0, 1) === 1).toBe(reason === null);
  return reason;
}

describe('regions', () => {
  test.each([
    ['USA', 'CA'],
    ['US', 'ca'],
    ['USA', 'US-CA'],
    ['USA', 'usa-ca'],
    ['', 'US-CA'],
    ['usa', ' California '],
  ])('%s %s is US-CA', (country, region) => {
    const device = { geo: { country, region } };
    expect(reasonFor({ region_include: ['US-CA'] }, { device })).toBeNull();
    expect(reasonFor({ region_include: ['US-NY'] }, { device })).toBe('region');
    expect(reasonFor({ region_exclude: ['US-CA'] }, { device })).toBe('region');
    expect(reasonFor({ region_exclude: ['US-NY'] }, { device })).toBeNull();
  });

  test.each([
    ['JPN', 'JP-13', 'JP-13'],
    ['JPN', 13, 'JP-13'],
    ['JPN', '1', 'JP-01'],
    ['FRA', 'IDF', 'FR-IDF'],
    ['FRA', 'Ile de France', 'FR-IDF'],
    ['MEX', 'JAL', 'MX-JAL'],
    ['GBR', 'UK-ENG', 'GB-ENG'],
    ['DEU', 'Bavaria', 'DE-BY'],
    ['DEU', 'bayern', 'DE-BY'],
    ['JPN', 'Fukuoka', 'JP-40'],
    ['ITA', 'Lombardy', 'IT-25'],
    // A region within another.
    ['ITA', 'MI', 'IT-25'],
  ])('%s %s is in %s', (country, region, code) => {
    expect(reasonFor({ region_include: [code] }, { device: { geo: { country, region } } })).toBeNull();
  });

  test('an include list leaves out requests without a region, an exclude list does not', () => {
    for (const geo of [{ country: 'USA' }, { country: 'USA', region: '' }, { region: 'CA' }, undefined]) {
      expect(reasonFor({ region_include: ['US-CA'] }, { device: { geo } })).toBe('region');
      expect(reasonFor({ region_exclude: ['US-CA'] }, { device: { geo } })).toBeNull();
    }
  });

  test('the user has the region that the device lacks, unless it is of another country', () => {
    const user = { geo: { country: 'USA', region: 'CA' } };
    expect(reasonFor({ region_include: ['US-CA'] }, { user })).toBeNull();
    expect(
      reasonFor({ region_include: ['US-CA'] }, { user, device: { geo: { country: 'USA' } } }),
    ).toBeNull();
    expect(reasonFor({ region_include: ['US-CA'] }, { user, device: { geo: { country: 'CAN' } } })).toBe(
      'region',
    );
    const device = { geo: { country: 'USA', region: 'NY' } };
    expect(reasonFor({ region_include: ['US-CA'] }, { user, device })).toBe('region');
  });

  test('every form of a code is the same region, and no text throws', () => {
    const codes = fc.constantFrom('US-CA', 'JP-13', 'FR-IDF', 'DE-BE', 'MX-JAL', 'GB-ENG', 'IN-MH', 'AU-NSW');
    const cases = fc.constantFrom(
      (text: string) => text.toLowerCase(),
      (text: string) => text.toUpperCase(),
    );
    const forms = fc.constantFrom(
      (code: string) => code,
      (code: string) => code.slice(3),
      (code: string) => ` ${code} `,
      (code: string) => code.replace('-', '_'),
    );
    fc.assert(
      fc.property(codes, forms, cases, (code, form, letters) => {
        expect(regionOf(code.slice(0, 2), letters(form(code)))).toBe(code);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('', 'US', 'XX'), fc.string(), (country, text) => {
        expect(regionOf(country, text)).toMatch(/^$|^[A-Z]{2}-[A-Z\d]{1,3}$/);
      }),
    );
  });
});

test('each English name is of a region that there is', () => {
  const known = new Set(iso31662.map(({ code }) => code));
  expect([...ENGLISH_REGIONS.keys()].filter((code) => !known.has(code))).toEqual([]);
});

test('no name of a city stands for two cities of a country', () => {
  for (const country of new Set(CITIES_WITH_NAMES.map((one) => one.country))) {
    const names = CITIES_WITH_NAMES.filter((one) => one.country === country).flatMap((one) => [
      ...new Set(one.names.map(foldedName)),
    ]);
    expect([country, names.length]).toEqual([country, new Set(names).size]);
  }
});

describe('cities', () => {
  const berlin = { geo: { country: 'DEU', region: 'BE', city: 'Berlin' } };
  test.each<[Partial<TargetSettings>, object, NoBidReason | null]>([
    [{ city_include: ['DE:Berlin'] }, berlin, null],
    [{ city_include: ['DE:berlin'] }, berlin, null],
    [{ city_include: ['DE-BE:Berlin'] }, berlin, null],
    [{ city_include: ['DE-BY:Berlin'] }, berlin, 'city'],
    [{ city_include: ['US:Berlin'] }, berlin, 'city'],
    [{ city_exclude: ['DE:Berlin'] }, berlin, 'city'],
    [{ city_exclude: ['DE-BY:Berlin'] }, berlin, null],
    [{ city_include: ['DE:Berlin'] }, { geo: { country: 'DEU' } }, 'city'],
    [{ city_exclude: ['DE:Berlin'] }, { geo: { country: 'DEU' } }, null],
    // Without the region an excluded city may be the one, an included one may not be.
    [{ city_exclude: ['US-OR:Portland'] }, { geo: { country: 'USA', city: 'Portland' } }, 'city'],
    [{ city_include: ['US-OR:Portland'] }, { geo: { country: 'USA', city: 'Portland' } }, 'city'],
    [{ city_exclude: ['US:Portland'] }, { geo: { city: 'portland' } }, 'city'],
    [{ city_include: ['US:St. Louis'] }, { geo: { country: 'USA', city: 'Saint Louis' } }, null],
    [{ city_include: ['DE:Köln'] }, { geo: { country: 'DEU', city: 'koln' } }, null],
    // Exchanges send English names, and people write either.
    [{ city_include: ['DE:München'] }, { geo: { country: 'DEU', city: 'Munich' } }, null],
    [{ city_include: ['DE:Munich'] }, { geo: { country: 'DEU', city: 'MUENCHEN' } }, null],
    [{ city_include: ['DE-BY:Munich'] }, { geo: { country: 'DEU', region: 'BY', city: 'München' } }, null],
    [{ city_exclude: ['DE:Munich'] }, { geo: { city: 'München' } }, 'city'],
    [{ city_exclude: ['US:Wien'] }, { geo: { country: 'USA', city: 'Vienna' } }, null],
    [{ city_include: ['JP:渋谷区'] }, { geo: { country: 'JPN', city: '渋谷区' } }, null],
  ])('%o and %o', (target, device, reason) => {
    expect(reasonFor(target, { device })).toBe(reason);
  });

  test('folding ignores case, marks and punctuation, and folds once', () => {
    const marks = fc.constantFrom('', '\u0301', '\u0308', '\u0303', '\u0327');
    const letters = fc.array(fc.tuple(fc.constantFrom('a', 'c', 'e', 'n', 'o', 'u', 'z'), marks), {
      minLength: 1,
    });
    const separators = fc.constantFrom(' ', '-', ' - ', '.', ', ', '/');
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1 }), separators, (words, separator) => {
        const plain = words.map((word) => word.map(([letter]) => letter).join(''));
        const marked = words.map((word) =>
          word
            .map((pair) => pair.join(''))
            .join('')
            .normalize('NFC'),
        );
        const folded = foldedName(plain.join(' '));
        expect(foldedName(marked.join(separator).toUpperCase())).toBe(folded);
        expect(foldedName(folded)).toBe(folded);
      }),
    );
  });
});

describe('postal codes', () => {
  test.each<[Partial<TargetSettings>, object, NoBidReason | null]>([
    [{ postal_include: ['US:900'] }, { country: 'USA', zip: '90045' }, null],
    [{ postal_include: ['US:90045'] }, { country: 'USA', zip: '90045-1234' }, null],
    [{ postal_include: ['US:900451'] }, { country: 'USA', zip: '90045' }, 'postal_code'],
    [{ postal_include: ['US:901'] }, { country: 'USA', zip: '90045' }, 'postal_code'],
    [{ postal_include: ['DE:900'] }, { country: 'USA', zip: '90045' }, 'postal_code'],
    [{ postal_include: ['JP:150'] }, { country: 'JPN', zip: '150-0043' }, null],
    [{ postal_include: ['GB:SW1A'] }, { country: 'GBR', zip: 'sw1a 1aa' }, null],
    [{ postal_include: ['US:0'] }, { country: 'USA', zip: '02816' }, null],
    [{ postal_include: ['US:900'] }, { country: 'USA' }, 'postal_code'],
    [{ postal_exclude: ['US:900'] }, { country: 'USA', zip: '90045' }, 'postal_code'],
    [{ postal_exclude: ['US:900'] }, { country: 'USA', zip: '91045' }, null],
    [{ postal_exclude: ['US:900'] }, { zip: '90045' }, 'postal_code'],
    [{ postal_exclude: ['US:900'] }, { country: 'USA' }, null],
  ])('%o and %o', (target, geo, reason) => {
    expect(reasonFor(target, { device: { geo } })).toBe(reason);
  });
});

describe('a radius', () => {
  const berlin = { lat: 52.52, lon: 13.405, km: 10 };
  const at = (lat: number, lon: number, type = 1) => ({ device: { geo: { lat, lon, type } } });

  test.each<[Partial<TargetSettings>, Parameters<typeof reasonFor>[1], NoBidReason | null]>([
    [{ radius_include: [berlin] }, at(52.5, 13.4), null],
    [{ radius_include: [berlin] }, at(52.39, 13.06), 'radius'],
    [{ radius_exclude: [berlin] }, at(52.5, 13.4), 'radius'],
    [{ radius_exclude: [berlin] }, at(52.39, 13.06), null],
    // By the address, or by no stated source.
    [{ radius_include: [berlin] }, at(52.5, 13.4, 2), 'radius'],
    [{ radius_include: [berlin] }, { device: { geo: { lat: 52.5, lon: 13.4 } } }, 'radius'],
    [{ radius_exclude: [berlin] }, at(52.5, 13.4, 2), null],
    [{ radius_include: [berlin] }, at(52.5, 13.4, 3), null],
    [{ radius_include: [berlin] }, { device: { geo: { lat: '52.5', long: '13.4', type: '1' } } }, null],
    [{ radius_include: [berlin] }, { user: { geo: { lat: 52.5, lon: 13.4, type: 3 } } }, null],
    [{ radius_include: [{ lat: 0, lon: 0, km: 10 }] }, at(0, 0), 'radius'],
    // The longitude wraps around, and near a pole a circle has all longitudes.
    [{ radius_include: [{ lat: 10, lon: 179.9, km: 50 }] }, at(10, -179.9), null],
    [{ radius_include: [{ lat: 89.5, lon: 0, km: 100 }] }, at(89.5, 180), 'radius'],
    [{ radius_include: [{ lat: 89.5, lon: 0, km: 200 }] }, at(89.5, 180), null],
  ])('%o and %o', (target, request, reason) => {
    expect(reasonFor(target, request)).toBe(reason);
  });

  test('is not known where consent does not allow the precise location', () => {
    expect(reasonFor({ radius_include: [berlin] }, { ...at(52.5, 13.4), regs: { coppa: 1 } })).toBe('radius');
    expect(reasonFor({ radius_include: [berlin] }, { ...at(52.5, 13.4), regs: { gdpr: 1 } })).toBe('radius');
    const device = { ...at(52.5, 13.4).device, lmt: 1 };
    expect(reasonFor({ radius_include: [berlin] }, { device })).toBe('radius');
  });

  const latitudes = fc.double({ min: -90, max: 90, noNaN: true });
  const longitudes = fc.double({ min: -180, max: 180, noNaN: true });
  const points = fc.record({ latitude: latitudes, longitude: longitudes });

  test('the distance is the angle between the vectors of the locations', () => {
    const vector = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
      const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
      return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const;
    };
    fc.assert(
      fc.property(points, points, (a, b) => {
        const [p, q] = [vector(a), vector(b)];
        const cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        const angle = Math.atan2(Math.hypot(...cross), dot);
        expect(Math.abs(distanceKm(a, b) - angle * 6371.0088)).toBeLessThan(0.001);
      }),
    );
  });

  test('all locations of a circle are in its box', () => {
    fc.assert(
      fc.property(points, points, (center, point) => {
        const circle = { lat: center.latitude, lon: center.longitude, km: distanceKm(center, point) };
        const box = boxOf(circle);
        const across = Math.abs(point.longitude - center.longitude);
        expect(Math.abs(point.latitude - center.latitude)).toBeLessThanOrEqual(box.latitude + 1e-6);
        if (circle.km <= 500)
          expect(Math.min(across, 360 - across)).toBeLessThanOrEqual(box.longitude + 1e-4);
      }),
    );
  });

  test('many circles together are as each alone, and no location in an excluded one gets a bid', () => {
    const near = fc.record({
      lat: fc.double({ min: 51, max: 54, noNaN: true }),
      lon: fc.double({ min: 178, max: 180, noNaN: true }),
      km: fc.integer({ min: 1, max: 500 }),
    });
    const point = fc.record({
      latitude: fc.double({ min: 50, max: 55, noNaN: true }),
      longitude: fc.oneof(
        fc.double({ min: 175, max: 180, noNaN: true }),
        fc.double({ min: -180, max: -176, noNaN: true }),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(near, { maxLength: 5 }),
        fc.array(near, { maxLength: 5 }),
        point,
        (include, exclude, { latitude, longitude }) => {
          const within = ({ lat, lon, km }: { lat: number; lon: number; km: number }) =>
            distanceKm({ latitude: lat, longitude: lon }, { latitude, longitude }) <= km;
          const fits = (include.length === 0 || include.some(within)) && !exclude.some(within);
          const target = { radius_include: include, radius_exclude: exclude };
          expect(reasonFor(target, at(latitude, longitude))).toBe(fits ? null : 'radius');
        },
      ),
    );
  });
});

describe('carriers', () => {
  test.each<[Partial<TargetSettings>, object, NoBidReason | null]>([
    [{ carrier_include: ['Verizon'] }, { carrier: 'VERIZON' }, null],
    [{ carrier_include: ['verizon '] }, { carrier: 'Verizon ' }, null],
    [{ carrier_include: ['Verizon'] }, { carrier: 'AT&T' }, 'carrier'],
    [{ carrier_include: ['310-410'] }, { carrier: '310410' }, null],
    [{ carrier_include: ['310410'] }, { carrier: '310-410' }, null],
    [{ carrier_include: ['310-005'] }, { mccmnc: '310-005' }, null],
    [{ carrier_include: ['310-5'] }, { carrier: 'VERIZON', mccmnc: '310-005' }, null],
    [{ carrier_include: ['Verizon'] }, { carrier: 'WIFI' }, 'carrier'],
    [{ carrier_include: ['wifi'] }, { carrier: 'WIFI' }, 'carrier'],
    [{ carrier_include: ['Verizon'] }, {}, 'carrier'],
    [{ carrier_exclude: ['310-410'] }, { carrier: '310410' }, 'carrier'],
    [{ carrier_exclude: ['Verizon'] }, {}, null],
    [{ carrier_include: ['70093'] }, { carrier: 70_093 }, null],
  ])('%o and %o', (target, device, reason) => {
    expect(reasonFor(target, { device })).toBe(reason);
  });
});

test('an advertising id that may be used, or none', () => {
  const device = { ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc' };
  expect(reasonFor({ device_id: 'with' }, { device })).toBeNull();
  expect(reasonFor({ device_id: 'without' }, { device })).toBe('device_id');
  expect(reasonFor({ device_id: 'any' }, { device })).toBeNull();
  for (const without of [{}, { ...device, lmt: 1 }, { ifa: '00000000-0000-0000-0000-000000000000' }]) {
    expect(reasonFor({ device_id: 'with' }, { device: without })).toBe('device_id');
    expect(reasonFor({ device_id: 'without' }, { device: without })).toBeNull();
  }
});

test.each<[TargetSettings['placement_kinds'], object, NoBidReason | null]>([
  [['interstitial'], { instl: 1 }, null],
  [['interstitial'], {}, 'placement_kind'],
  [['interstitial'], { instl: 1, rwdd: 1 }, 'placement_kind'],
  [['rewarded'], { rwdd: 1 }, null],
  [['rewarded', 'interstitial'], { instl: 1 }, null],
  [['other'], {}, null],
  [['other'], { instl: 1 }, 'placement_kind'],
  [[], { instl: 1 }, null],
])('placements of the kinds %o and %o', (placement_kinds, imp, reason) => {
  expect(reasonFor({ placement_kinds }, { imp })).toBe(reason);
});

test('an excluded place never gets a bid, whatever else the target includes', () => {
  const places = fc.constantFrom(
    { country: 'USA', region: 'CA', city: 'Los Angeles', zip: '90045' },
    { country: 'US', region: 'US-CA', city: 'los angeles', zip: '90045' },
    { country: 'USA', region: 'California', city: 'LOS ANGELES', zip: '90045-0001' },
    { region: 'US-CA', city: 'Los-Angeles', zip: 90_045 },
  );
  const exclusions = fc.constantFrom<Partial<TargetSettings>>(
    { region_exclude: ['US-CA'] },
    { city_exclude: ['US:Los Angeles'] },
    { city_exclude: ['US-CA:Los Angeles'] },
    { postal_exclude: ['US:900'] },
  );
  const inclusions = fc.record(
    {
      region_include: fc.subarray(['US-CA', 'US-NY']),
      city_include: fc.subarray(['US:Los Angeles', 'DE:Berlin']),
      postal_include: fc.subarray(['US:90045', 'US:9']),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(places, exclusions, inclusions, (geo, exclude, include) => {
      expect(reasonFor({ ...include, ...exclude }, { device: { geo } })).not.toBeNull();
    }),
  );
});
