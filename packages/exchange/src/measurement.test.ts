import { MMPS } from '@bidwell/contract/apps/fields';
import { expect, test } from 'vitest';
import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import { trackingLinksOf } from './demo/links.ts';
import {
  filledCallback,
  installPostback,
  pushQuery,
  readTrackedClick,
  returnPostback,
} from './measurement.ts';
import { postbackKind } from '@bidwell/server/delivery/postbacks/postback-reading';

const clickId = 'AbC_-123';

test.each(['appsflyer', 'adjust', 'appmetrica'] as const)('the click id is read from a link of %s', (mmp) => {
  const links = trackingLinksOf(
    { mmp, bundleId: '6400900117', os: 'ios', linkToken: 'TOKEN' },
    'https://dsp.example',
  );
  const location = fillTrackingMacros(links.click_url, {
    click_id: clickId,
    install_token: 'TOKEN',
    campaign_name: 'Spring & more',
    ua: 'Mozilla/5.0 (X; Y)',
  });
  const click = readTrackedClick(location);
  expect(click).toMatchObject({ mmp, clickId });
  expect(
    click?.callback &&
      filledCallback(click.callback, { atMs: 9_000, country: 'DEU', os: 'ios', advertisingId: 'ID' }),
  ).toBe(
    mmp === 'adjust'
      ? 'https://dsp.example/postback/adjust/click/TOKEN?activity_kind=install&installed_at=9&gps_adid=&idfa=ID'
      : null,
  );
});

test.each([
  ['singular', `https://acme.sng.link/D1/x?cl=${clickId}`],
  ['branch', `https://acme.app.link/x?~click_id=${clickId}`],
  ['kochava', `https://control.kochava.com/v1/cpi/click?click_id=${clickId}`],
] as const)('the click id is read from a link of %s, made by hand', (mmp, location) => {
  expect(readTrackedClick(location)).toMatchObject({ mmp, clickId, callback: null });
});

test('a plain click id of an unknown partner is accepted; a link without one is not', () => {
  expect(readTrackedClick(`https://mmp.example/c?click_id=${clickId}`)).toMatchObject({
    mmp: null,
    clickId,
    callback: null,
  });
  expect(readTrackedClick('https://app.adjust.com/abc?install_callback=nonsense')).toBeNull();
  expect(readTrackedClick('https://notappsflyer.com/c?clickid=1')).toMatchObject({
    mmp: null,
    clickId: '1',
    callback: null,
  });
  expect(readTrackedClick('no address')).toBeNull();
});

test.each(MMPS)('the install postback of %s contains the click id', (mmp) => {
  const postback = installPostback(mmp, {
    clickId,
    after: 'click',
    atMs: 1000,
    os: 'android',
    country: 'DEU',
    advertisingId: '',
  });
  expect([postback.get('clickid'), postback.get('click_id')]).toContain(clickId);
});

test('a message of AppsFlyer repeats the link of the click, and the time in UTC', () => {
  const link = `https://app.appsflyer.com/com.example?pid=bidwell_int&clickid=${clickId}`;
  const message = pushQuery(link, 1_000_364, { name: 'af_purchase', dollars: 2.5 });
  expect(Object.fromEntries(message)).toMatchObject({
    app_id: 'com.example',
    original_url: link,
    event_name: 'af_purchase',
    event_time: '1970-01-01 00:16:40.364',
    event_revenue: '2.5',
  });
});

test.each(MMPS)('the postback of %s about a return has the advertising id, and is no install', (mmp) => {
  const install = { clickId, after: 'click', atMs: 1000, os: 'android', country: 'DEU' } as const;
  const advertisingId = '38400000-8cf0-11bd-b23e-10b96e40000d';
  const parameters = Object.fromEntries(returnPostback(mmp, { ...install, advertisingId }));
  expect(Object.values(parameters)).toContain(advertisingId);
  expect(postbackKind(mmp, parameters)).toBe('retargeting');
});

test('a link with a deep link is of a campaign that brings people back, and has the id of the device', () => {
  const link = `https://app.adjust.com/abc?label=${clickId}&gps_adid=ID-1`;
  expect(readTrackedClick(link)).toMatchObject({ advertisingId: 'ID-1', isReEngagement: false });
  expect(readTrackedClick(`${link}&deep_link=bloom%3A%2F%2Ftoday`)).toMatchObject({ isReEngagement: true });
});
