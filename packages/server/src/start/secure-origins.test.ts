import { expect, test } from 'vitest';
import { bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const CONSOLE = 'https://console.example';
const ASSETS = 'https://assets.example';
const app = await testApp({ MODERATION: 'auto', PUBLIC_URL: CONSOLE, ASSET_ORIGIN: ASSETS });

/** Starts a campaign that only its own exchange may bid for; `sendBidRequest` sends a bid request. */
async function bidding(link: object = {}) {
  const exchange = await freshExchange(app);
  const made = await campaignOn(app, exchange, { link });
  const sendBidRequest = async (imp: object = {}) =>
    (await exchange.send({ imp: [{ ...bannerImp(), ...imp }], ext: { nbr: 1 } })).json();
  return { ...made, sendBidRequest };
}

/** The status of a GET request for this URL, with its host as the Host header. */
const statusOf = async (address: string) => {
  const { host, pathname, search } = new URL(address);
  return (await app.http.inject({ url: pathname + search, headers: { host } })).statusCode;
};

test('users’ files and previews are linked from the asset origin, and served from there only', async () => {
  const { company, sendBidRequest } = await bidding();
  const [{ adm, nurl }] = (await sendBidRequest()).seatbid[0].bid;
  const [file] = /https:\/\/[^"]+\/m\/[\da-f-]{36}\.png/.exec(adm)!;
  expect(new URL(file).origin).toBe(ASSETS);
  expect(new URL(nurl).origin).toBe(CONSOLE);
  expect(adm).not.toContain(`${CONSOLE}/m/`);
  const uuid = file.slice(-40, -4);
  const preview: string = (await company.call('GET', `/file/${uuid}/preview`)).data.url;
  expect(new URL(preview).origin).toBe(ASSETS);
  for (const address of [file, preview, `${ASSETS}/m/mraid.js`]) {
    expect(await statusOf(address)).toBe(200);
    expect(await statusOf(address.replace(ASSETS, CONSOLE))).toBe(404);
    expect(await statusOf(address.replace(ASSETS, 'https://elsewhere.example'))).toBe(404);
  }
});

test('an ad set whose view URL is on http bids where that is allowed, and its owner is notified once', async () => {
  const { company, campaignUuid, sendBidRequest } = await bidding({
    view_url: 'http://impression.appsflyer.com/v',
  });
  expect((await sendBidRequest({ secure: 1 })).ext).toEqual({ reason: 'insecure_address' });
  expect((await sendBidRequest({ secure: 0 })).seatbid[0].bid).toHaveLength(1);
  await company.call('PUT', `/campaign/${campaignUuid}`, { name: 'Renamed' });
  await app.settled();
  const titled = 'An ad set misses most of its traffic';
  const { data } = await company.call('GET', '/notifications');
  expect(data.map(({ title }: { title: string }) => title)).toEqual([titled]);
  expect(data[0]).toMatchObject({
    severity: 'warning',
    text: expect.stringContaining('begins with http://'),
  });
  const secure = await bidding();
  expect((await secure.sendBidRequest({ secure: 1 })).seatbid[0].bid).toHaveLength(1);
  expect((await secure.company.call('GET', '/notifications')).data).toEqual([]);
});
