import type { CampaignCreatives } from '@bidwell/contract/campaign-reports/creatives';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { make, appBody } from '@bidwell/testing/advertising';
import { uploadBanner } from '@bidwell/testing/bidding';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Events of a creative at an instant. */
function shown(
  creativeId: string,
  campaignId: string,
  atMs: number,
  [impressions, clicks, installs]: readonly [number, number, number],
  over: Partial<SampleEvent> = {},
): SampleEvent[] {
  const event = (kind: SampleEvent['kind']): SampleEvent => ({
    at: new Date(atMs).toISOString(),
    kind,
    campaignId,
    creativeId,
    ...over,
  });
  return [
    ...Array.from({ length: impressions }, () => event('impression')),
    ...Array.from({ length: clicks }, () => event('click')),
    ...Array.from({ length: installs }, () => event('install')),
  ];
}

async function compared(company: TestCompany, campaign: string, more = ''): Promise<CampaignCreatives> {
  const nowMs = app.ctx.now().getTime();
  const range = `start_date=${dayOf(nowMs - 6 * DAY_MS)}&end_date=${dayOf(nowMs)}`;
  const { status, data } = await company.call('GET', `/campaign/${campaign}/creatives?${range}${more}`);
  expect(status).toBe(200);
  return data as CampaignCreatives;
}

test('creatives are compared within their format, with intervals and the probability to be the best', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Creatives');
  const good = await uploadBanner(company, await make(company, '/app', appBody()));
  const [poor, video] = [uuidv4(), uuidv4()];
  const atMs = app.ctx.now().getTime() - 3_600_000;
  await storeEvents(app.ctx, company.companyId, [
    ...shown(good, campaignId, atMs, [2000, 20, 60]),
    ...shown(poor, campaignId, atMs, [2000, 60, 20]),
    ...shown(video, campaignId, atMs, [500, 5, 5], { creativeType: 'Video' }),
  ]);
  const { comparisons } = await compared(company, campaignId);
  expect(comparisons.map(({ type, format }) => [type, format])).toEqual([
    ['Banner', '320x50'],
    ['Video', null],
  ]);
  const [banners, videos] = comparisons;
  expect(banners!.creatives.map(({ uuid, name }) => [uuid, name])).toEqual([
    [good, 'Banner'],
    [poor, 'Unknown'],
  ]);
  expect(banners!.creatives[0]).toMatchObject({ impressions: 2000, clicks: 20, installs: 60 });
  expect(banners!.creatives[0]!.ipm_rate).toMatchObject({ value: 30 });
  expect(banners!.creatives[0]!.ctr_rate!.low).toBeLessThan(1);
  expect(banners!.creatives[0]!.ctr_rate!.high).toBeGreaterThan(1);
  expect(banners!.verdict).toMatchObject({ outcome: 'best', uuid: good });
  expect(banners!.creatives[0]!.best! + banners!.creatives[1]!.best!).toBeCloseTo(1, 9);
  // One alone has nothing to be compared with.
  expect(videos!.verdict).toEqual({ outcome: 'none' });
  expect(videos!.creatives[0]!.best).toBeNull();

  const byClicks = await compared(company, campaignId, '&metric=ctr');
  expect(byClicks.comparisons[0]!.verdict).toMatchObject({ outcome: 'best', uuid: poor });
  const stranger = await app.freshCompany();
  const range = 'start_date=2026-01-01&end_date=2026-01-02';
  expect((await stranger.call('GET', `/campaign/${campaignId}/creatives?${range}`)).status).toBe(404);
});

test('without enough data the days until a decision follow from the traffic of the last 24 hours', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Early');
  const [one, other] = [uuidv4(), uuidv4()];
  const nowMs = app.ctx.now().getTime();
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 14]),
    ...shown(other, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 10]),
  ]);
  const [idle] = (await compared(company, campaignId)).comparisons;
  expect(idle!.verdict).toMatchObject({
    outcome: 'not_enough',
    uuid: one,
    days_left: null,
    has_traffic: false,
  });
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 3_600_000, [500, 0, 7]),
    ...shown(other, campaignId, nowMs - 3_600_000, [500, 0, 5]),
  ]);
  const [running] = (await compared(company, campaignId)).comparisons;
  const verdict = running!.verdict;
  expect(verdict).toMatchObject({ outcome: 'not_enough', uuid: one, has_traffic: true });
  // At these rates the normal approximation needs about 4,100 impressions of each; 500 come a day.
  const days = verdict.outcome === 'not_enough' ? verdict.days_left : null;
  expect(days).toBeGreaterThanOrEqual(5);
  expect(days).toBeLessThanOrEqual(14);
});
