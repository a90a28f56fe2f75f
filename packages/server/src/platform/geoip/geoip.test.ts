import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mmdbOf } from '@bidwell/testing/mmdb-writer';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGeoIp } from './geoip.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'geoip-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const cityOf = (country: string, region: string, city: string, code: string) => ({
  country: { iso_code: country, names: { en: country } },
  subdivisions: [{ iso_code: region }],
  city: { names: { de: 'ein anderer Name', en: city } },
  postal: { code },
});

async function open(path: string) {
  const lines: { msg: string; level: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as never) });
  const geoIp = await openGeoIp({ path, log, registry: new Registry() });
  return { geoIp, errors: () => lines.filter(({ level }) => level >= 50).map(({ msg }) => msg) };
}

/** Puts a file in place as a whole, as programs do that download such databases. */
function put(path: string, content: Buffer | string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

test('addresses of both versions have the place of their network, others none', async () => {
  const path = join(folder, 'city.mmdb');
  put(
    path,
    mmdbOf({
      '203.0.113.0/24': cityOf('US', 'CA', 'Los Angeles', '90012'),
      '198.51.100.128/25': { country: { iso_code: 'DE' } },
      '2001:db8:1::/48': cityOf('FR', 'IDF', 'Paris', '75001'),
      '192.0.2.0/24': { continent: { code: 'EU' } },
    }),
  );
  const { geoIp, errors } = await open(path);
  const place = { country: 'US', region: 'CA', city: 'Los Angeles', postalCode: '90012' };
  expect(geoIp.lookup('203.0.113.9')).toEqual(place);
  expect(geoIp.lookup('203.0.113.9')).toEqual(place);
  expect(geoIp.lookup('198.51.100.200')).toEqual({ country: 'DE', region: '', city: '', postalCode: '' });
  expect(geoIp.lookup('2001:db8:1::7')).toMatchObject({ country: 'FR', region: 'IDF', city: 'Paris' });
  for (const address of ['198.51.100.1', '192.0.2.1', '2001:db8:2::7', '', 'no address', '203.0.113.999'])
    expect(geoIp.lookup(address)).toBeNull();
  expect(errors()).toEqual([]);
  await geoIp.stop();
});

test('a new file replaces the old one, and a broken one does not', async () => {
  const path = join(folder, 'country.mmdb');
  put(path, mmdbOf({ '203.0.113.0/24': { country: { iso_code: 'US' } } }));
  const { geoIp, errors } = await open(path);
  expect(geoIp.lookup('203.0.113.9')?.country).toBe('US');
  put(path, mmdbOf({ '203.0.113.0/24': { country: { iso_code: 'DE' } }, '192.0.2.0/24': {} }));
  await geoIp.refresh();
  expect(geoIp.lookup('203.0.113.9')?.country).toBe('DE');
  put(path, 'no database');
  await geoIp.refresh();
  expect(geoIp.lookup('203.0.113.9')?.country).toBe('DE');
  rmSync(path);
  await geoIp.refresh();
  expect(geoIp.lookup('203.0.113.9')?.country).toBe('DE');
  const message =
    'the database of GEOIP_DATABASE could not be read; the last one that could be read stays in use';
  expect(errors()).toEqual([message, message]);
  await geoIp.stop();
});

test('a missing file is said and stops nothing, and is used once it is there', async () => {
  const path = join(folder, 'later.mmdb');
  const { geoIp, errors } = await open(path);
  expect(geoIp.lookup('203.0.113.9')).toBeNull();
  expect(errors()[0]).toBe('the database of GEOIP_DATABASE could not be read; bids go on without one');
  put(path, mmdbOf({ '203.0.113.0/24': { country: { iso_code: 'US' } } }));
  await geoIp.refresh();
  expect(geoIp.lookup('203.0.113.9')?.country).toBe('US');
  await geoIp.stop();
});

test('no damage to a file makes a look-up throw', async () => {
  const path = join(folder, 'damaged.mmdb');
  const whole = mmdbOf({ '203.0.113.0/24': cityOf('US', 'CA', 'Los Angeles', '90012') });
  for (let at = 0; at < whole.length; at += 7) {
    const damaged = Buffer.from(whole);
    damaged[at] = damaged[at]! ^ 0xff;
    put(path, at % 2 === 0 ? damaged : whole.subarray(0, at));
    const { geoIp } = await open(path);
    expect(() => geoIp.lookup('203.0.113.9')).not.toThrow();
    await geoIp.stop();
  }
});
