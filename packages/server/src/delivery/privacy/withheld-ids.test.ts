import { Segment, SegmentEncoder, TCModel } from '@iabtcf/core';
import { expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { everythingStored } from '@bidwell/testing/everything-stored';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { pathOf } from '../trackers/sample-ref.ts';

const app = await testApp({ MODERATION: 'auto', TCF_VENDOR_ID: '7' });
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

/** The number of an id, in the forms in which it could be stored: as sent, without dashes, and as the bytes of a signed address. */
function formsOf(id: string): readonly string[] {
  const hex = id.replaceAll('-', '');
  return [id, hex, Buffer.from(hex, 'hex').toString('latin1').toLowerCase()];
}

interface Signals {
  device?: object;
  regs?: object;
  user?: object;
}
const FORBIDDING: [string, Signals][] = [
  ['a child', { regs: { coppa: 1 } }],
  ['limited tracking', { device: { lmt: 1 } }],
  ['no consent in Europe', { regs: { gdpr: 1 }, user: { consent: '' } }],
  ['an opt-out in the USA', { regs: { us_privacy: '1YYN' } }],
  ['a global opt-out', { regs: { gpc: 1 } }],
  ['a section of GPP that cannot be read', { regs: { gpp: 'DBAA', gpp_sid: [5] } }],
];

test.each(FORBIDDING)(
  'with %s no byte of a device id is stored, from the request to the click',
  async (_what, over) => {
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
  },
);

/** Consent in Europe to storage and to the measurement of ads, for vendor 7; with precise geolocation. */
function consentToMeasurement(): Signals {
  const model = new TCModel();
  model.cmpId = 31;
  model.vendorListVersion = 200;
  model.policyVersion = 5;
  model.consentLanguage = 'EN';
  model.created = new Date(Date.UTC(2026, 1, 27));
  model.purposeConsents.set([1, 7]);
  model.specialFeatureOptins.set(1);
  model.vendorConsents.set(7);
  return { regs: { gdpr: 1 }, user: { consent: SegmentEncoder.encode(model, Segment.CORE) } };
}

/** What the view URL of a bid, and the redirect of its click, tell the measurement partner of the device. */
async function toldToPartner(over: Signals) {
  const exchange = await freshExchange(app);
  const device = 'advertising_id={gaid}&ip={ip}&ua={ua}';
  await campaignOn(app, exchange, {
    link: {
      click_url: `https://app.appsflyer.com/com.example?clickid={click_id}&${device}`,
      view_url: `https://impression.appsflyer.com/com.example?clickid={click_id}&${device}`,
    },
  });
  const sent = { os: 'Android', ua: PHONE, ip: '203.0.113.9', geo: { country: 'USA' }, ifa: PHONE_ID };
  const { adm } = await exchange.bid({ ...over, device: { ...sent, ...over.device } });
  const [, click] = /<a href="([^"]+)"/.exec(adm as string)!;
  const { headers } = await app.http.inject({
    url: pathOf(click!.replaceAll('&amp;', '&')),
    headers: { 'user-agent': PHONE },
  });
  const [, view] = /(https:\/\/impression\.appsflyer\.com[^"]+)"/.exec(adm as string)!;
  return [view!.replaceAll('&amp;', '&'), headers['location'] as string].map((address) => {
    const { searchParams } = new URL(address);
    expect(searchParams.get('clickid')).not.toBe('');
    return ['advertising_id', 'ip', 'ua'].map((name) => searchParams.get(name));
  });
}
const PHONE_ID = 'c2d5a1f0-7f7c-4c8e-9a52-0f4a4f6f3f22';

test.each<[string, Signals]>([
  ['nothing said', {}],
  ['consent to measurement in Europe', consentToMeasurement()],
])('with %s the measurement partner gets the device of a view and of a click', async (_what, over) => {
  expect(await toldToPartner(over)).toEqual([
    [PHONE_ID, '203.0.113.9', PHONE],
    [PHONE_ID, '127.0.0.1', PHONE],
  ]);
});

test.each(FORBIDDING)('with %s the measurement partner gets the click id alone', async (_what, over) => {
  expect(await toldToPartner(over)).toEqual([
    ['', '', ''],
    ['', '', ''],
  ]);
});

test('a place finer than the country is neither sent nor stored, even with consent, except the city of sampled requests', async () => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange);
  const geo = {
    country: 'USA',
    type: 1,
    lat: 40.123456789,
    lon: -74.987654321,
    city: 'Smallville',
    zip: 'Z9Y8',
  };
  const { user, regs } = consentToMeasurement();
  const bid = await exchange.bid({
    regs,
    user: { ...user, geo },
    device: { os: 'Android', osv: '14', ua: PHONE, ifa: PHONE_ID, geo },
  });
  expect(bid).not.toBeNull();
  await app.settled();
  // The sample is written meanwhile.
  const { known, sampled } = await eventually(async () => {
    const sample = JSON.stringify(await app.ctx.clickhouse.query('select * from request_sample'));
    const all = `${await everythingStored(app)}${JSON.stringify(bid).toLowerCase()}`;
    expect(all).toContain(sample.toLowerCase());
    return { known: all, sampled: sample.toLowerCase() };
  });
  expect(known).toContain(exchange.slug);
  for (const part of ['40.1234', '74.9876', 'z9y8']) expect(known).not.toContain(part);
  expect(known.replace(sampled, '')).not.toContain('smallville');
});
