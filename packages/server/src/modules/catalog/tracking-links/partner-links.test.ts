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

test('only hosts of measurement partners are stood in for: other private addresses are refused', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ store_link: STORE }));
  const { data } = await company.call('POST', '/tracking_link/check_view', {
    app_id: appUuid,
    view_url: `${partners.origin}/impression.appsflyer.com/?clickid={click_id}`,
  });
  expect(data.hops).toMatchObject([{ status: null, kind: 'other' }]);
});
