import { expect, test } from 'vitest';
import { ALL_METRICS } from '@bidwell/contract/reports/metrics';
import { appBody, make } from '@bidwell/testing/advertising';
import { answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import type { BidRef } from '../../delivery/model/event.ts';
import { sampleRef } from '../../delivery/trackers/sample-ref.ts';

const app = await testApp({}, undefined, answersWhenDecided);
const { touch, freshAdvertiser } = partnersOf(app);

const DOLLAR = 1_000_000;
/** Price of one impression of each kind of campaign, micros. */
const PRICE = { acquisition: 4000, re_engagement: 6000 } as const;

/** Numbers from 0 to 1, the same in each run (Mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a simulation did for a campaign. */
const nothing = () => ({
  impressions: 0,
  clicks: 0,
  installs: 0,
  reattributions: 0,
  events: 0,
  revenue: 0,
});

async function companyWithBothKinds() {
  const { company, report } = await freshAdvertiser();
  const appUuid = await make(company, '/app', appBody());
  const campaign = async (kind: string) =>
    make(company, '/campaign', { name: kind, app_uuid: appUuid, kind });
  const campaigns = {
    acquisition: await campaign('acquisition'),
    re_engagement: await campaign('re_engagement'),
  };
  const refOf = (kind: keyof typeof PRICE, over: Partial<BidRef> = {}) =>
    sampleRef(
      {
        companyId: company.companyId,
        appId: appUuid,
        campaignId: campaigns[kind],
        chargeOn: 'impression',
        bidCpmMicros: PRICE[kind] * 1000,
        reEngagement: kind === 're_engagement' ? true : undefined,
        ...over,
      },
      app.clock.now.getTime(),
    );
  const today = app.clock.now.toISOString().slice(0, 10);
  const range = { start_date: today, end_date: today };
  return { company, report, campaigns, refOf, range };
}

test('each install, return, event and amount is in the report of one kind of campaign', async () => {
  const { company, report, campaigns, refOf, range } = await companyWithBothKinds();
  const random = seeded(50);
  const simulated = { acquisition: nothing(), re_engagement: nothing() };
  const people = Array.from({ length: 24 }, (_, person) => ({
    hasApp: person % 2 === 0,
    bids: (['acquisition', 're_engagement'] as const).map((kind) => ({
      kind,
      ref: refOf(kind, { bundle: person % 3 === 0 ? 'com.example.game' : 'com.example.news' }),
      isClicked: random() < 0.7,
      isReported: random() < 0.7,
      isRejected: random() < 0.3,
      dollars: random() < 0.6 ? Math.floor(random() * 20) + 1 : 0,
    })),
  }));
  const bids = people.flatMap((person) => person.bids.map((bid) => ({ ...bid, hasApp: person.hasApp })));
  await Promise.all(
    bids.map(async ({ kind, ref, isClicked }) => {
      await touch(ref, 'impression');
      simulated[kind].impressions += 1;
      if (!isClicked) return;
      await touch(ref);
      simulated[kind].clicks += 1;
    }),
  );
  await app.settled();
  const outcomesOf = async ({ kind, ref, hasApp, isRejected, dollars }: (typeof bids)[number]) => {
    const of = simulated[kind];
    const outcomes: string[] = [];
    const expected: string[] = [];
    const send = async (outcome: string, parameters: Record<string, string>) => {
      expected.push(outcome);
      outcomes.push(await report(ref, parameters));
    };
    // The partner says of people with the app that they came back, and of others that they installed it.
    const back = { is_retargeting: 'true' };
    await send('stored', hasApp ? back : {});
    if (kind === 'acquisition' && hasApp) of.events += 1;
    else if (hasApp) {
      await send('duplicate', back);
      of.reattributions += 1;
      if (isRejected) {
        await send('taken_back', { ...back, reject_reason: 'bots' });
        of.reattributions -= 1;
      }
    } else of.installs += 1;
    if (dollars > 0) {
      const event_id = ref.bidId;
      await send('stored', { event_name: 'purchase', event_revenue_usd: String(dollars), event_id });
      of.events += 1;
      of.revenue += dollars;
    }
    expect(outcomes).toEqual(expected);
  };
  await Promise.all(bids.filter(({ isReported }) => isReported).map(outcomesOf));
  await app.settled();

  const query = { ...range, metrics: ALL_METRICS };
  const acquisition = simulated.acquisition;
  const returns = simulated.re_engagement;
  const spent = {
    acquisition: (acquisition.impressions * PRICE.acquisition) / DOLLAR,
    re_engagement: (returns.impressions * PRICE.re_engagement) / DOLLAR,
  };
  const all = {
    impressions: acquisition.impressions + returns.impressions,
    clicks: acquisition.clicks + returns.clicks,
    spends: expect.closeTo(spent.acquisition + spent.re_engagement, 9),
    installs: acquisition.installs,
    cpi: expect.closeTo(spent.acquisition / acquisition.installs, 9),
    app_events: acquisition.events,
    revenue: acquisition.revenue,
    roas: expect.closeTo((acquisition.revenue / spent.acquisition) * 100, 6),
    re_engagement_spend: expect.closeTo(spent.re_engagement, 9),
    re_engagement_clicks: returns.clicks,
    reattributions: returns.reattributions,
    cost_per_reattribution: expect.closeTo(spent.re_engagement / returns.reattributions, 9),
    reinstalls: returns.installs,
    re_engagement_events: returns.events,
    re_engagement_revenue: returns.revenue,
    re_engagement_roas: expect.closeTo((returns.revenue / spent.re_engagement) * 100, 6),
  };
  const { data: byCampaign } = await company.call('POST', '/analytics/level', {
    ...query,
    levels: { campaign: '' },
  });
  expect(byCampaign.total).toMatchObject(all);
  const rowOf = (uuid: string) => byCampaign.rows.find((row: { value: string }) => row.value === uuid);
  expect(rowOf(campaigns.acquisition)).toMatchObject({
    spends: expect.closeTo(spent.acquisition, 9),
    installs: acquisition.installs,
    re_engagement_spend: 0,
    reattributions: 0,
    reinstalls: 0,
    re_engagement_events: 0,
  });
  expect(rowOf(campaigns.re_engagement)).toMatchObject({
    spends: expect.closeTo(spent.re_engagement, 9),
    installs: 0,
    cpi: null,
    app_events: 0,
    revenue: 0,
    reattributions: returns.reattributions,
    re_engagement_revenue: returns.revenue,
  });
  // Bundles and hours are read from other aggregates and from the events.
  for (const level of ['bundle', 'hour', 'country']) {
    const byLevel = await company.call('POST', '/analytics/level', { ...query, levels: { [level]: '' } });
    expect(byLevel.data.total, level).toMatchObject(all);
  }
  const bundles = await company.call('POST', '/analytics/bundle', query);
  expect(bundles.data.total).toMatchObject(all);
  for (const campaign_kind of ['acquisition', 're_engagement'] as const) {
    const spends = expect.closeTo(spent[campaign_kind], 9);
    const isOfReturns = campaign_kind === 're_engagement';
    const of = { spends, installs: isOfReturns ? 0 : acquisition.installs, reattributions: isOfReturns ? returns.reattributions : 0 }; // prettier-ignore
    const ofKind = { ...query, campaign_kind };
    const levels = await company.call('POST', '/analytics/level', { ...ofKind, levels: { campaign: '' } });
    expect(levels.data.total).toMatchObject(of);
    expect(levels.data.rows.map(({ value }: { value: string }) => value)).toEqual([campaigns[campaign_kind]]);
    expect((await company.call('POST', '/analytics/bundle', ofKind)).data.total).toMatchObject(of);
    // Both filters have to match.
    const other = campaigns[isOfReturns ? 'acquisition' : 're_engagement'];
    const neither = { ...ofKind, levels: { campaign: '' }, filters: { campaign: other } };
    expect((await company.call('POST', '/analytics/level', neither)).data).toMatchObject({
      rows: [],
      total: { spends: 0, impressions: 0, reattributions: 0 },
    });
  }

  const highlights = await company.call(
    'GET',
    `/v2/analytics/highlight?start_date=${range.start_date}&end_date=${range.end_date}`,
  );
  expect(highlights.data).toMatchObject({
    spend: { total: expect.closeTo(spent.acquisition, 9) },
    impressions: { total: acquisition.impressions },
    clicks: { total: acquisition.clicks },
    installs: { total: acquisition.installs },
    cpi: { total: expect.closeTo(spent.acquisition / acquisition.installs, 9) },
    re_engagement: {
      spend: expect.closeTo(spent.re_engagement, 9),
      impressions: returns.impressions,
      clicks: returns.clicks,
      reattributions: returns.reattributions,
      reinstalls: returns.installs,
      events: returns.events,
      revenue: returns.revenue,
    },
  });
  const ofOne = await company.call(
    'GET',
    `/v2/analytics/highlight?start_date=${range.start_date}&end_date=${range.end_date}&campaign_uuid=${campaigns.re_engagement}`,
  );
  expect(ofOne.data).toMatchObject({
    spend: { total: expect.closeTo(spent.re_engagement, 9) },
    installs: { total: 0 },
    cpi: { total: null },
  });

  const cohorts = await company.call('POST', '/analytics/cohorts', { ...range, group: 'day' });
  expect(cohorts.data.total).toMatchObject({
    installs: acquisition.installs,
    spend: expect.closeTo(spent.acquisition, 9),
  });
  // Finances have everything that was charged.
  expect((await company.call('GET', '/finance/balance')).data).toMatchObject({
    spent_today: expect.closeTo(spent.acquisition + spent.re_engagement, 9),
  });
});

test('the events of re-engagement campaigns are counted by name, apart from the events after installs', async () => {
  const { company, report, refOf, range } = await companyWithBothKinds();
  const [installed, back] = [refOf('acquisition'), refOf('re_engagement')];
  await touch(installed);
  await touch(back);
  await app.settled();
  expect(await report(installed)).toBe('stored');
  for (const ref of [installed, back, back])
    expect(await report(ref, { event_name: 'level', event_id: `${ref.bidId}${Math.random()}` })).toBe(
      'stored',
    );
  await app.settled();
  const query = { ...range, levels: { campaign: '' }, event_names: ['level', 'purchase'] };
  const { data } = await company.call('POST', '/analytics/level', query);
  expect(data.total.named_events).toMatchObject([
    { name: 'level', count: 1, people: 1, re_engagement_count: 2 },
    { name: 'purchase', count: 0, re_engagement_count: 0 },
  ]);
  const file = await company.call('POST', '/analytics/export', query);
  expect(file.status).toBe(200);
});

test('a company without re-engagement campaigns gets no figures of them', async () => {
  const { company, clicked, report } = await freshAdvertiser();
  const ref = await clicked();
  await app.settled();
  expect(await report(ref)).toBe('stored');
  await app.settled();
  const today = app.clock.now.toISOString().slice(0, 10);
  const highlights = await company.call(
    'GET',
    `/v2/analytics/highlight?start_date=${today}&end_date=${today}`,
  );
  expect(highlights.data).toMatchObject({ installs: { total: 1 } });
  expect(highlights.data).not.toHaveProperty('re_engagement');
});

test('a return counts within the windows of the app for re-engagement', async () => {
  const { company, report, refOf } = await companyWithBothKinds();
  const [clicked, viewed, late] = [refOf('re_engagement'), refOf('re_engagement'), refOf('re_engagement')];
  const path = `/app/${clicked.appId}/events`;
  const windows = { re_engagement_click_window_days: 7, re_engagement_view_window_days: 1 };
  expect(await company.call('PUT', path, windows)).toMatchObject({ status: 200, data: windows });
  const tooLong = await company.call('PUT', path, { re_engagement_view_window_days: 31 });
  expect(tooLong.errors).toEqual([
    { field: 're_engagement_view_window_days', message: 'Enter 1 to 30 days' },
  ]);
  await touch(clicked);
  await touch(viewed, 'impression');
  await touch(late);
  await app.settled();
  const back = { is_retargeting: 'true' };
  const DAY_MS = 86_400_000;
  await app.after(2 * DAY_MS, async () => {
    expect(await report(viewed, back)).toBe('expired');
    expect(await report(clicked, back)).toBe('stored');
  });
  await app.after(8 * DAY_MS, async () => expect(await report(late, back)).toBe('expired'));
});

test('an event that the partner reports for the install and for the return counts once', async () => {
  const { company, report, refOf, range } = await companyWithBothKinds();
  const [installed, back] = [refOf('acquisition'), refOf('re_engagement')];
  await touch(installed);
  await touch(back);
  await app.settled();
  const purchase = { event_name: 'purchase', event_revenue_usd: '5', event_id: 'order-1' };
  expect(await report(back, purchase)).toBe('stored');
  await app.settled();
  expect(await report(installed, purchase)).toBe('duplicate');
  await app.settled();
  const metrics = ['app_events', 'revenue', 're_engagement_events', 're_engagement_revenue'];
  const { data } = await company.call('POST', '/analytics/level', {
    ...range,
    metrics,
    levels: { app: '' },
  });
  expect(data.total).toEqual({
    app_events: 0,
    revenue: 0,
    re_engagement_events: 1,
    re_engagement_revenue: 5,
  });
});
