import { expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { everythingStored } from '@bidwell/testing/everything-stored';
import { testApp } from '@bidwell/testing/test-app';
import { pathOf } from '../trackers/sample-ref.ts';

const app = await testApp({ MODERATION: 'auto' });
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

/** The number of an id, in the forms in which it could be stored: as sent, without dashes, and as the bytes of a signed address. */
function formsOf(id: string): readonly string[] {
  const hex = id.replaceAll('-', '');
  return [id, hex, Buffer.from(hex, 'hex').toString('latin1').toLowerCase()];
}

test.each<[string, { device?: object; regs?: object; user?: object }]>([
  ['a child', { regs: { coppa: 1 } }],
  ['limited tracking', { device: { lmt: 1 } }],
  ['no consent in Europe', { regs: { gdpr: 1 }, user: { consent: '' } }],
  ['an opt-out in the USA', { regs: { us_privacy: '1YYN' } }],
  ['a global opt-out', { regs: { gpc: 1 } }],
  ['a section of GPP that cannot be read', { regs: { gpp: 'DBAA', gpp_sid: [5] } }],
])('with %s no byte of a device id is stored, from the request to the click', async (_what, over) => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange);
  const id = crypto.randomUUID();
  const device = {
    os: 'Android',
    osv: '14',
    ua: PHONE,
    ip: '203.0.113.9',
    geo: { country: 'USA' },
    ifa: id,
    ...over.device,
  };
  const bid = await exchange.bid({ ...over, device });
  expect(bid).not.toBeNull();
  const trackers = [bid.nurl, bid.burl, ...(bid.adm.match(/http[^"' ]+\/t\/[^"' ]+/g) as string[])];
  for (const url of trackers)
    await app.http.inject({
      url: pathOf(url.replaceAll('&amp;', '&')).replace('${AUCTION_PRICE}', '1'),
      headers: { 'user-agent': PHONE },
    });
  await app.settled();

  const stored = await everythingStored(app);
  expect(stored).toContain(exchange.slug);
  for (const form of formsOf(id)) expect(stored).not.toContain(form);
  for (const form of formsOf(id)) expect(JSON.stringify(bid).toLowerCase()).not.toContain(form);
});
