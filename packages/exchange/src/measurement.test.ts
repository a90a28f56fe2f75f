import { MMPS } from '@bidwell/contract/app';
import { expect, test } from 'vitest';
import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
import { trackingLinksOf } from './demo/links.ts';
import { installPostback, readTrackedClick } from './measurement.ts';

const clickId = 'AbC_-123';

test.each(MMPS)('the click id comes back from a link of %s', (mmp) => {
  const links = trackingLinksOf(
    { mmp, bundleId: '6400900117', os: 'ios' },
    `https://dsp.example/postback/${mmp}/s`,
  );
  const location = fillTrackingMacros(links.click_url, {
    click_id: clickId,
    campaign_name: 'Spring & more',
    ua: 'Mozilla/5.0 (X; Y)',
  });
  expect(readTrackedClick(location)).toEqual({ mmp, clickId });
});

test('a plain click id of an unknown partner counts too; a link without one does not', () => {
  expect(readTrackedClick(`https://mmp.example/c?click_id=${clickId}`)).toEqual({ mmp: null, clickId });
  expect(readTrackedClick('https://app.adjust.com/abc?install_callback=nonsense')).toBeNull();
  expect(readTrackedClick('https://notappsflyer.com/c?clickid=1')).toEqual({ mmp: null, clickId: '1' });
  expect(readTrackedClick('no address')).toBeNull();
});

test.each(MMPS)('the install postback of %s names the click', (mmp) => {
  const postback = installPostback(mmp, { clickId, atMs: 1000, os: 'android', country: 'DEU' });
  expect([postback.get('clickid'), postback.get('click_id')]).toContain(clickId);
});
