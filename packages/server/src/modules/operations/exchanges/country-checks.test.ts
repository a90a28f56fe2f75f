import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { mmdbOf } from '@bidwell/testing/mmdb-writer';
import { testApp } from '@bidwell/testing/test-app';

const folder = mkdtempSync(join(tmpdir(), 'addresses-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'city.mmdb');
writeFileSync(
  path,
  mmdbOf({
    '203.0.113.0/24': { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'CA' }] },
    '198.51.100.0/24': { country: { iso_code: 'DE' } },
  }),
);
const app = await testApp({ MODERATION: 'auto', GEOIP_DATABASE: path });

test('an address fills in the region of a request, and countries that differ are counted on the exchange', async () => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange, { target: { region_include: ['US-CA'] } });
  const send = async (ip: string, geo: object) =>
    (await exchange.send({ device: { os: 'Android', ip, geo } })).statusCode;
  expect(await send('203.0.113.9', {})).toBe(200);
  expect(await send('198.51.100.9', {})).toBe(204);
  // One in sixteen requests is checked, and all of them are alike here.
  for (let index = 0; index < 32; index += 1)
    expect(await send('203.0.113.9', { country: 'USA', region: 'CA' })).toBe(200);
  const health = async () => {
    await app.settled();
    return (await app.operator('GET', `/ssps/${exchange.slug}/health`)).data.total;
  };
  expect(await health()).toMatchObject({ country_checked: 2, country_mismatch_percent: 0 });
  for (let index = 0; index < 32; index += 1) await send('198.51.100.9', { country: 'USA', region: 'CA' });
  expect(await health()).toMatchObject({ country_checked: 4, country_mismatch_percent: 50 });
});
