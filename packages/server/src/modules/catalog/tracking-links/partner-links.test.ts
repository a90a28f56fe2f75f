import { MMPS } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { appBody, make } from '@bidwell/testing/advertising';
import { startPartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { testApp } from '@bidwell/testing/test-app';
import { afterAll, expect, test } from 'vitest';

const partners = await startPartnerCounterpart();
afterAll(async () => partners.close());
const app = await testApp({ PARTNER_STAND_IN: partners.origin });

const STORE = 'https://play.google.com/store/apps/details?id=com.example.puzzle';

/** Partners whose hosts for clicks and views are documented. */
const documented = MMPS.filter((mmp) => PARTNERS[mmp].links.clickHost && PARTNERS[mmp].links.viewHost);

test.each(documented)(
  'the template of %s leads a click to the store and takes a view, each with its click id',
  async (mmp) => {
    partners.store = STORE;
    const company = await app.freshCompany();
    const appUuid = await make(
      company,
      '/app',
      appBody({
        store_link: STORE,
        bundle_id: 'com.example.puzzle',
        mobile_measurement_partner: mmp,
      }),
    );
    const { click, view, device } = PARTNERS[mmp].links;
    const filled = (template: string) =>
      template
        .replace('<app>', 'com.example.puzzle')
        .replace('<device>', device.android)
        .replace('<callback>', 'install_callback={install_token}')
        .replaceAll(/\b[A-Z_]{4,}\b/g, (word) => word.toLowerCase().replaceAll('_', '-'));
    const before = partners.touches().length;
    const [clicked, viewed] = await Promise.all([
      company.call('POST', '/tracking_link/check', { app_id: appUuid, click_url: filled(click) }),
      company.call('POST', '/tracking_link/check_view', { app_id: appUuid, view_url: filled(view) }),
    ]);
    expect(clicked.data).toMatchObject({
      findings: [],
      hops: [
        { kind: 'partner', status: 302, has_click_id: true },
        { kind: 'store', host: 'play.google.com' },
      ],
    });
    expect(clicked.data.hops[1].url).toContain('bidwell-test-');
    expect(viewed.data).toMatchObject({
      findings: [],
      hops: [{ kind: 'partner', status: 200, has_click_id: true }],
    });
    expect(
      partners
        .touches()
        .slice(before)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['click', 'view']);
  },
);

const APP = 'com.example.puzzle';

/** Checks a URL of an app that AppsFlyer measures without calling anyone. */
async function compared(kind: 'check' | 'check_view', url: string, over: object = {}) {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ store_link: STORE, bundle_id: APP, ...over }));
  const { status, data } = await company.call('POST', `/tracking_link/${kind}`, {
    app_id: appUuid,
    [kind === 'check' ? 'click_url' : 'view_url']: url,
    calls_partner: false,
  });
  expect(status).toBe(200);
  return { hops: data.hops, texts: data.findings.map(({ text }: { text: string }) => text) };
}

test('without a call, a link is checked by what its partner documents, and no one is asked', async () => {
  const before = partners.requests.length;
  const click = `https://app.appsflyer.com/${APP}?clickid={click_id}`;
  expect(await compared('check', click)).toMatchObject({
    texts: [],
    hops: [
      { kind: 'partner', status: 302, ms: null, has_click_id: true },
      { kind: 'store', host: 'play.google.com' },
    ],
  });
  const view = `https://impression.appsflyer.com/${APP}?clickid={click_id}`;
  expect(await compared('check_view', view)).toMatchObject({
    texts: [],
    hops: [{ kind: 'partner', status: 200, ms: null, has_click_id: true }],
  });
  expect(partners.requests).toHaveLength(before);
});

test.each<[string, 'check' | 'check_view', string, string]>([
  [
    'a link of another app',
    'check',
    'https://app.appsflyer.com/com.example.chess?clickid={click_id}',
    `The link ends at the store page of com.example.chess, but the app is ${APP}: correct the app at AppsFlyer, or choose another app here.`,
  ],
  [
    'a click id where the partner does not read it',
    'check',
    `https://app.appsflyer.com/${APP}?sub={click_id}`,
    'AppsFlyer reads the click ID from clickid: move it there.',
  ],
  [
    'no click id',
    'check_view',
    `https://impression.appsflyer.com/${APP}`,
    'The view URL does not send a click ID: add {click_id} as AppsFlyer expects it.',
  ],
  [
    'a click URL for views',
    'check_view',
    `https://app.appsflyer.com/${APP}?clickid={click_id}`,
    'The URL leads to play.google.com like a click URL, so every view would be counted as a click: use the URL for views of AppsFlyer.',
  ],
  [
    'a link of another partner',
    'check',
    'https://app.adjust.com/abc?label={click_id}',
    'app.adjust.com is no host for such links of AppsFlyer: use the URL of AppsFlyer for clicks.',
  ],
  [
    'a host that no partner documents',
    'check',
    'https://go.example/1?clickid={click_id}',
    'go.example is no host that AppsFlyer documents: only a call shows where it leads.',
  ],
])('without a call, %s is found', async (_what, kind, url, text) => {
  const before = partners.requests.length;
  expect((await compared(kind, url)).texts).toEqual([text]);
  expect(partners.requests).toHaveLength(before);
});

test('only hosts of measurement partners are stood in for: other private addresses are refused', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ store_link: STORE }));
  const { data } = await company.call('POST', '/tracking_link/check_view', {
    app_id: appUuid,
    view_url: `${partners.origin}/impression.appsflyer.com/?clickid={click_id}`,
  });
  expect(data.hops).toMatchObject([{ status: null, kind: 'other' }]);
});
