import type { CreativeType } from '@bidwell/contract/creatives/schema';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

/** Requests a bid over HTTP for an imp, from a campaign with one creative of a type; returns the only bid. */
async function bidFor(creative: CreativeType, imp: object, version = '2.6') {
  const exchange = await freshExchange(app);
  const { company, ...made } = await campaignOn(app, exchange, { creative });
  const response = await exchange.send({ imp: [{ id: '1', ...imp }] }, { 'x-openrtb-version': version });
  expect(response.statusCode).toBe(200);
  const [bid] = response.json().seatbid[0].bid;
  return { bid, made, company };
}

const fileIn = (text: string) => /http:\/\/bidwell\.test(\/m\/[\w-]+\.\w+)/.exec(text)![1]!;
const path = (url: string) => url.replace('http://bidwell.test', '');

async function eventsOf(creativeUuid: string): Promise<string[]> {
  await app.settled();
  const rows = await app.ctx.clickhouse.query<{ kind: string }>(
    'select kind from events where creative_id = {creativeUuid:UUID} order by kind',
    { creativeUuid },
  );
  return rows.map(({ kind }) => kind);
}

test('a video bid has VAST, and every call of the player is counted once', async () => {
  const imp = { video: { mimes: ['video/mp4'], protocols: [3, 7, 11], skip: 1, w: 720, h: 1280 } };
  const { bid, made } = await bidFor('Video', imp);
  expect(bid).toMatchObject({ mtype: 2, protocol: 11, dur: 15, w: 720, h: 1280, attr: [16] });
  const addresses = [...bid.adm.matchAll(/<!\[CDATA\[([^\]]*)/g)].map(([, url]) => path(url));
  const trackers = addresses.filter((url) => url.startsWith('/t/') && !url.startsWith('/t/click/'));
  expect(trackers).toHaveLength(11);
  for (const url of [...trackers, ...trackers]) {
    const response = await app.http.inject(url);
    expect([url, response.statusCode, response.headers['content-type']]).toEqual([url, 200, 'image/gif']);
  }
  expect(await eventsOf(made.creativeUuid)).toEqual(
    [
      'impression',
      'start',
      'first_quartile',
      'midpoint',
      'third_quartile',
      'complete',
      'mute',
      'unmute',
      'skip',
      'error',
      'end_card',
    ].sort(),
  );
  const media = await app.http.inject(fileIn(bid.adm));
  expect(media.headers['content-type']).toBe('video/mp4');
});

test("a video error is stored with the player's code", async () => {
  const { bid, made } = await bidFor('Video', { video: { mimes: ['video/mp4'] } });
  const url = path(/<Error><!\[CDATA\[([^\]]*)/.exec(bid.adm)![1]!);
  await app.http.inject(url.replace('[ERRORCODE', '303'));
  await app.settled();
  const rows = await app.ctx.clickhouse.query(
    'select kind, loss_reason from events where creative_id = {uuid:UUID}',
    { uuid: made.creativeUuid },
  );
  expect(rows).toEqual([{ kind: 'error', loss_reason: 303 }]);
});

test('a native bid has the requested assets', async () => {
  const request = {
    ver: '1.2',
    eventtrackers: [{ event: 1, methods: [1] }],
    assets: [
      { id: 1, required: 1, title: { len: 25 } },
      { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 300 } },
      { id: 3, required: 1, data: { type: 1 } },
      { id: 4, required: 1, data: { type: 2, len: 9 } },
    ],
  };
  const { bid, made } = await bidFor('Native', { native: { request: JSON.stringify(request) } });
  const native = JSON.parse(bid.adm);
  expect(bid).toMatchObject({ mtype: 4 });
  expect(native.assets).toMatchObject([
    { id: 1, title: { text: 'Solve a puzzle' } },
    { id: 2, img: { w: 1200, h: 627 } },
    { id: 3, data: { value: 'Puzzle Company' } },
    { id: 4, data: { value: 'A puzzle…' } },
  ]);
  expect((await app.http.inject(path(native.assets[1].img.url))).headers['content-type']).toBe('image/png');
  await app.http.inject(path(native.eventtrackers[0].url));
  expect((await app.http.inject(path(native.link.url))).statusCode).toBe(302);
  expect(await eventsOf(made.creativeUuid)).toEqual(['click', 'impression']);
});

test('a native creative without texts of its own uses the texts of its group', async () => {
  const exchange = await freshExchange(app);
  const { company, ...made } = await campaignOn(app, exchange, { creative: 'Native' });
  const emptied = { title: '', sponsor: '', description: '' };
  const group = { native_title: 'Group', native_sponsor: 'Its sponsor', native_description: 'Its text' };
  await company.call('PUT', `/creative_group/${made.groupUuid}`, group);
  const { data } = await company.call('GET', '/internal_creative');
  const asset = data.internal_creatives[0].internal_creative.uuid;
  expect((await company.call('PUT', `/internal_creative/${asset}`, emptied)).status).toBe(200);
  await app.settled();
  const assets = [
    { id: 1, required: 1, title: { len: 25 } },
    { id: 2, required: 1, data: { type: 1 } },
    { id: 3, required: 1, data: { type: 2 } },
  ];
  const imp = { id: '1', native: { request: JSON.stringify({ ver: '1.2', assets }) } };
  const [bid] = (await exchange.send({ imp: [imp] })).json().seatbid[0].bid;
  expect(JSON.parse(bid.adm).assets).toMatchObject([
    { title: { text: 'Group' } },
    { data: { value: 'Its sponsor' } },
    { data: { value: 'Its text' } },
  ]);
});

test('a native image is served in the exact size that a request asks for', async () => {
  const assets = [{ id: 2, required: 1, img: { type: 3, w: 600, h: 314 } }];
  const { bid } = await bidFor('Native', { native: { request: JSON.stringify({ ver: '1.2', assets }) } });
  const { img } = JSON.parse(bid.adm).assets[0];
  expect(img).toMatchObject({ w: 600, h: 314 });
  const image = await app.http.inject(path(img.url));
  expect(image.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await sharp(image.rawPayload).metadata()).toMatchObject({ width: 600, height: 314 });
});

test('a playable gets bids where MRAID is supported, and its page can be read from any origin', async () => {
  const imp = { instl: 1, banner: { w: 320, h: 480, api: [3, 5] } };
  const { bid } = await bidFor('Playable', imp);
  expect(bid).toMatchObject({ mtype: 1, attr: [13], apis: [5], w: 320, h: 480 });
  const page = await app.http.inject(fileIn(bid.adm));
  expect(page.headers['access-control-allow-origin']).toBe('*');
  expect(page.body).toBe('<!DOCTYPE html><p onclick="mraid.open()">Play</p>');
  expect((await bidFor('Playable', imp, '2.5')).bid).toMatchObject({ api: 5 });
});
