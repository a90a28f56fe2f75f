import type { LinkCheck } from '@bidwell/contract/tracking-links/link-check';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { createLinkFollower } from '../../../platform/outbound/follow-link.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const certificate = selfSigned(['track.test', 'app.appsflyer.com', 'last.test']);
/** The location to which a host redirects; '' for a page. */
let locations = new Map<string, (query: string) => string>();
/** Responses that wait for their test. */
const held: ServerResponse[] = [];
const chain = (request: IncomingMessage, response: ServerResponse) => {
  const host = request.headers.host!.split(':')[0]!;
  if (host === 'slow.test') return void held.push(response);
  const location = locations.get(host)?.(request.url!.split('?')[1] ?? '');
  if (location === undefined) response.writeHead(404).end();
  else if (location === '') response.end('a page');
  else response.writeHead(302, { location }).end();
};
const { port } = await localServer(chain, certificate);
const { port: plainPort } = await localServer(chain);

const app = await testApp({}, undefined, {
  followLink: createLinkFollower({
    resolve: async (host) => [{ address: host === 'inner.test' ? '10.0.0.1' : '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
    ca: certificate.cert,
    hopMs: 600_000,
    totalMs: 600_000,
  }),
});
beforeEach(() => {
  locations = new Map();
});

const STORE = 'https://play.google.com/store/apps/details?id=com.example.puzzle';
const at = (host: string, path = '') => `https://${host}:${port}/${path}`;

async function anApp(company: TestCompany, over: object = {}) {
  return make(company, '/app', appBody({ store_link: STORE, bundle_id: 'com.example.puzzle', ...over }));
}

async function check(clickUrl: string, over: object = {}): Promise<LinkCheck> {
  const company = await app.freshCompany();
  const { status, data } = await company.call('POST', '/tracking_link/check', {
    app_id: await anApp(company, over),
    click_url: clickUrl,
  });
  expect(status).toBe(200);
  return data as LinkCheck;
}
const textsOf = ({ findings }: LinkCheck) => findings.map(({ text }) => text);

test('the first host of a link is the partner where its hosts are not known', async () => {
  locations.set('track.test', () => STORE);
  const other = { mobile_measurement_partner: 'other' };
  const good = await check(at('track.test', 'c?any={click_id}'), other);
  expect(good.findings).toEqual([]);
  expect(good.hops.map(({ kind }) => kind)).toEqual(['partner', 'store']);
  expect(textsOf(await check(at('track.test', 'c'), other))).toEqual([
    'The click URL does not send a click ID: add {click_id} as Other expects it.',
  ]);
});

test('a link that passes the partner and ends at the store page has no finding', async () => {
  locations.set('track.test', (query) => at('app.appsflyer.com', `com.example.puzzle?${query}`));
  locations.set('app.appsflyer.com', () => `${STORE}&referrer=af_tranid`);
  const result = await check(at('track.test', '?clickid={click_id}&advertising_id={gaid}'));
  expect(result.findings).toEqual([]);
  expect(result.hops.map(({ host, status, has_click_id: has, kind }) => [host, status, has, kind])).toEqual([
    [`track.test:${port}`, 302, true, 'other'],
    [`app.appsflyer.com:${port}`, 302, true, 'partner'],
    ['play.google.com', null, null, 'store'],
  ]);
  expect(result.hops[0]!.url).toContain('clickid=bidwell-test-click');
});

test.each([
  ['market://details?id=com.example.puzzle', {}],
  ['intent://details?id=com.example.puzzle#Intent;scheme=market;package=com.android.vending;end', {}],
  [`intent://open/#Intent;scheme=puzzle;S.browser_fallback_url=${encodeURIComponent(STORE)};end`, {}],
  [
    'itms-apps://apps.apple.com/app/id1234567890',
    { os: 'ios', store_link: 'https://apps.apple.com/us/app/puzzle/id1234567890', bundle_id: '1234567890' },
  ],
])('%s is the page of the store', async (target, over) => {
  locations.set('app.appsflyer.com', () => target);
  const result = await check(at('app.appsflyer.com', '?clickid={click_id}'), over);
  expect(result.findings).toEqual([]);
  expect(result.hops.at(-1)).toMatchObject({ kind: 'store' });
});

test('the page of another app, another scheme, and a page that is no store are errors', async () => {
  locations.set('app.appsflyer.com', () => STORE.replace('puzzle', 'other'));
  const link = at('app.appsflyer.com', '?clickid={click_id}');
  expect(textsOf(await check(link))).toEqual([
    'The link ends at the store page of com.example.other, but the app is com.example.puzzle: correct the app at AppsFlyer, or choose another app here.',
  ]);
  locations.set('app.appsflyer.com', () => 'puzzle://open');
  expect(textsOf(await check(link))).toEqual([
    'The link ends at an address with puzzle:, which opens only where the app is installed: set the store page as the fallback.',
  ]);
  locations.set('app.appsflyer.com', () => '');
  expect(textsOf(await check(link))[0]).toMatch(/^The link ends at a page of app\.appsflyer\.com/);
});

test('a click id and a macro that a redirect loses are named with the host that loses them', async () => {
  locations.set('track.test', () => at('app.appsflyer.com', 'com.example.puzzle?sub={sub_id}'));
  locations.set('app.appsflyer.com', () => STORE);
  const result = await check(at('track.test', '?clickid={click_id}&advertising_id={gaid}'));
  expect(textsOf(result)).toEqual([
    `The click ID is lost at the redirect of track.test:${port}: let it pass on all parameters, or no install is counted.`,
    `The URL at app.appsflyer.com:${port} has {sub_id}, which nothing replaced: correct the name of the macro.`,
    `{gaid} is lost at the redirect of track.test:${port}: let it pass on all parameters.`,
  ]);
  expect(result.findings.map(({ level }) => level)).toEqual(['error', 'error', 'warning']);
  expect(result.hops.map(({ has_click_id: has }) => has)).toEqual([true, false, null]);
});

test('a link past the partner, by http, or with an error is found', async () => {
  locations.set('track.test', () => `http://last.test:${plainPort}/`);
  locations.set('last.test', () => STORE);
  const texts = textsOf(await check(at('track.test', '?clickid={click_id}')));
  expect(texts).toEqual(
    expect.arrayContaining([
      'The link does not pass AppsFlyer, so no install is measured: use the link of AppsFlyer.',
      `last.test:${plainPort} is requested by http://, which others on the network can read and change: use https:// there.`,
    ]),
  );
  const missing = await check(at('app.appsflyer.com', '?clickid={click_id}'));
  locations = new Map();
  expect(textsOf(missing)).toContain(
    `app.appsflyer.com:${port} responds with the error 404: check the path and the parameters of the URL there.`,
  );
});

test('a loop and an inner address are found, and the inner address is not requested', async () => {
  locations.set('app.appsflyer.com', (query) => at('app.appsflyer.com', `?${query}`));
  const link = at('app.appsflyer.com', '?clickid={click_id}');
  expect(textsOf(await check(link))).toEqual([
    `The redirects lead back to app.appsflyer.com:${port}, where they have been before, and never to the store: correct the redirect there.`,
  ]);
  locations.set('app.appsflyer.com', () => 'https://inner.test/');
  expect(textsOf(await check(link))).toEqual([
    'inner.test is not a public address, or not on port 80 or 443: devices cannot reach it, and it was not requested.',
  ]);
});

test('the postback secret is sent nowhere, and an app of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const appId = await anApp(company);
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const call = (of: TestCompany, clickUrl: string) =>
    of.call('POST', '/tracking_link/check', { app_id: appId, click_url: clickUrl });
  expect(await call(company, at('track.test', `?x=${secret}`))).toMatchObject({
    status: 422,
    errors: [{ field: 'click_url' }],
  });
  expect(await call(stranger, at('track.test'))).toMatchObject({
    status: 422,
    errors: [{ field: 'app_id', message: 'App not found' }],
  });
});

test('slow links of one company leave room for the links of another', async () => {
  const busy = await app.freshCompany();
  const click_url = `http://slow.test:${plainPort}/?clickid={click_id}`;
  const body = { app_id: await anApp(busy), click_url };
  const checks = Promise.all(
    Array.from({ length: 5 }, () => busy.call('POST', '/tracking_link/check', body)),
  );
  await eventually(() => expect(held).toHaveLength(2));
  locations.set('track.test', () => STORE);
  expect((await check(at('track.test', '?clickid={click_id}'))).hops).toHaveLength(2);
  for (let released = 0; released < 5; released += 1) {
    await eventually(() => expect(held.length).toBeGreaterThan(released));
    held[released]!.writeHead(404).end();
  }
  expect((await checks).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(held).toHaveLength(5);
});

async function checkView(viewUrl: string, over: object = {}): Promise<LinkCheck> {
  const company = await app.freshCompany();
  const { status, data } = await company.call('POST', '/tracking_link/check_view', {
    app_id: await anApp(company, over),
    view_url: viewUrl,
  });
  expect(status).toBe(200);
  return data as LinkCheck;
}

test('a view URL that the partner takes with its click id has no finding', async () => {
  locations.set('app.appsflyer.com', () => '');
  const result = await checkView(at('app.appsflyer.com', 'com.example.puzzle?clickid={click_id}'));
  expect(result.findings).toEqual([]);
  expect(result.hops).toMatchObject([{ kind: 'partner', status: 200, has_click_id: true }]);
});

test('a view URL that leads to the store, sends no click id, misses the partner or fails is reported', async () => {
  locations.set('app.appsflyer.com', () => STORE);
  expect(textsOf(await checkView(at('app.appsflyer.com', '?clickid={click_id}')))).toEqual([
    'The URL leads to play.google.com like a click URL, so every view would be counted as a click: use the URL for views of AppsFlyer.',
  ]);
  locations.set('app.appsflyer.com', () => '');
  expect(textsOf(await checkView(at('app.appsflyer.com', '?pid=bidwell_int')))).toEqual([
    'The view URL does not send a click ID: add {click_id} as AppsFlyer expects it.',
  ]);
  locations.set('track.test', () => '');
  expect(textsOf(await checkView(at('track.test', '?clickid={click_id}')))).toEqual([
    'The link does not pass AppsFlyer, so no install is measured: use the link of AppsFlyer.',
  ]);
  locations.delete('track.test');
  expect(textsOf(await checkView(at('track.test', '?clickid={click_id}')))).toContain(
    `track.test:${port} responds with the error 404: check the path and the parameters of the URL there.`,
  );
  expect(textsOf(await checkView('https://127.0.0.2/?clickid={click_id}'))).toContain(
    '127.0.0.2 is not a public address, or not on port 80 or 443: devices cannot reach it, and it was not requested.',
  );
});

test('a view URL with the postback secret is rejected before anything is requested', async () => {
  const company = await app.freshCompany();
  const { data } = await company.call('GET', '/postbacks');
  const { status } = await company.call('POST', '/tracking_link/check_view', {
    app_id: await anApp(company),
    view_url: at('app.appsflyer.com', `?secret=${data.secret}`),
  });
  expect(status).toBe(422);
});
