import type { Measurement } from '@bidwell/contract/measurement/schema';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, test } from 'vitest';
import type { BidRef } from '../../delivery/model/event.ts';
import { sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { linkBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import type { UncountedEvents } from '@bidwell/contract/measurement/uncounted-events';
import { exhaustive } from '@bidwell/testing/whole-run';
import type { LoggedBid } from '@bidwell/contract/bid-log/schema';
import { readGoal } from '../../delivery/learning/value-learner.ts';
import { streamBids } from '../insight/bid-log/queries.ts';
import { conversionsOf } from '../insight/delivery-report/goal-learning.ts';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';

const app = await testApp({ MODERATION: 'auto' }, undefined, answersWhenDecided);
const { touch, send, ...partners } = partnersOf(app);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const today = app.clock.now.toISOString().slice(0, 10);
const nowMs = Date.parse(`${today}T12:00:00Z`);
beforeEach(() => void (app.clock.now = new Date(nowMs)));
/** A day for which postbacks are still stored. */
const day = new Date(nowMs - 3 * DAY_MS).toISOString().slice(0, 10);
/** Noon of UTC, so that the minutes after it are on the same day. */
const noon = new Date(`${day}T12:00:00Z`).getTime();
const DAY = `start_date=${day}&end_date=${day}`;

/** A company with an ad set, its campaign, tracking link and postback address. */
async function freshAdvertiser() {
  const { company, ...partner } = await partners.freshAdvertiser();
  const { body, appUuid, linkUuid } = await makeAdsetParts(app, company);
  const adsetId = await make(company, '/adset', body);
  const campaignId = await make(company, '/campaign', {
    name: 'Measured',
    app_uuid: appUuid,
    adset_uuids: [adsetId],
  });
  const ref = (more: Partial<BidRef> = {}) =>
    sampleRef({ companyId: company.companyId, adsetId, campaignId, ...more }, app.clock.now.getTime());
  return { company, ...partner, appUuid, adsetId, campaignId, linkUuid, ref };
}

/** Does something at a minute of the day of the tests. */
async function at<T>(minute: number, act: () => Promise<T>): Promise<T> {
  const { now } = app.clock;
  app.clock.now = new Date(noon + minute * MINUTE_MS);
  try {
    return await act();
  } finally {
    app.clock.now = now;
  }
}

const click = (minute: number, advertiser: Awaited<ReturnType<typeof freshAdvertiser>>) =>
  at(minute, () => touch(advertiser.ref()));

async function measured(company: TestCompany, more = ''): Promise<Measurement> {
  await app.settled();
  const { status, data } = await company.call('GET', `/measurement?${DAY}${more}`);
  expect(status).toBe(200);
  return data as Measurement;
}

test('clicks and postbacks belong to the tracking link that the ad set had at the click', async () => {
  const advertiser = await freshAdvertiser();
  const { company, appUuid, adsetId, campaignId, linkUuid, report } = advertiser;
  const first = await click(0, advertiser);
  await click(1, advertiser);
  const second = await make(company, '/tracking_link', linkBody(appUuid, { name: 'Second' }));
  await at(2, () => company.call('PUT', `/adset/${adsetId}`, { tracking_link_id: second }));
  const later = await click(3, advertiser);
  // The install of a click on the first link arrives after the change.
  for (const [ref, minute] of [
    [first, 10],
    [first, 11],
    [later, 12],
  ] as const)
    await at(minute, () => report(ref));
  const found = await measured(company);
  const figures = found.rows.map(({ mmp, tracking_link: { uuid }, clicks, installs, duplicates }) => ({
    mmp,
    uuid,
    clicks,
    installs,
    duplicates,
  }));
  expect(figures).toEqual([
    { mmp: 'appsflyer', uuid: linkUuid, clicks: 2, installs: 1, duplicates: 1 },
    { mmp: 'appsflyer', uuid: second, clicks: 1, installs: 1, duplicates: 0 },
  ]);
  expect(found.rows[0]).toMatchObject({
    postbacks: 2,
    app: { uuid: appUuid, name: 'Puzzle Quest' },
    last_postback_at: `${day}T12:11:00.000Z`,
  });
  expect(found.rows[0]!.install_rate!.value).toBeCloseTo(50);
  expect(found.rows[0]!.install_rate!.low).toBeLessThan(50);
  expect(found.total).toMatchObject({ clicks: 3, postbacks: 3, installs: 2, duplicates: 1 });
  expect(found.unattributed).toEqual([]);
  expect((await measured(company, `&tracking_link_id=${second}`)).rows).toEqual([found.rows[1]]);
  expect((await measured(company, `&campaign_id=${campaignId}`)).rows).toEqual(found.rows);
});

test('rejected postbacks are counted by reason, with the partner’s own', async () => {
  const advertiser = await freshAdvertiser();
  const { company, report, expectOutcomes, ref } = advertiser;
  const counted = await click(0, advertiser);
  const blocked = await click(0, advertiser);
  const viewed = await at(0, () => touch(ref(), 'impression'));
  const ofTest = await at(0, () => touch(ref({ test: true })));
  const monthAgo = noon - 31 * DAY_MS;
  const old = sampleRef({ ...ref(), bidId: uuidv7({ msecs: monthAgo }) }, monthAgo);
  const unseen = await at(0, async () => ref());
  expect(await at(5, () => report(counted))).toBe('stored');
  expect(await at(5, () => report(counted, { blocked_reason: 'bots' }))).toBe('taken_back');
  await at(5, () =>
    expectOutcomes([
      [blocked, { blocked_reason: 'install_hijacking' }, 'rejected'],
      [blocked, { blocked_reason: 'install_hijacking' }, 'rejected'],
      [blocked, { is_rejected: '1' }, 'rejected'],
      [viewed, {}, 'stored'],
      [ofTest, {}, 'stored'],
      [old, {}, 'expired'],
      [counted, { event_name: 'af_purchase' }, 'stored'],
      [counted, { is_retargeting: 'true' }, 'stored'],
      [unseen, {}, 'no_touchpoint'],
      ['invented', {}, 'unknown_click'],
      ['{clickid}', {}, 'unknown_click'],
    ]),
  );
  await company.call('PUT', '/postbacks/appsflyer', { secret: 'a token of AppsFlyer' });
  expect(await at(6, () => report(counted))).toBe('unverified');
  await company.call('PUT', '/postbacks/appsflyer', { networks: ['198.51.100.0/24'] });
  expect(await at(6, () => report(counted))).toBe('unverified');

  const { rows, unattributed, postback_days: days } = await measured(company);
  expect(rows).toHaveLength(1);
  const row = rows[0]!;
  expect(row).toMatchObject({
    clicks: 2,
    postbacks: 12,
    installs: 2,
    installs_after_view: 1,
    duplicates: 0,
    late: 1,
    events: 1,
    retargeting: 1,
    rejected: 7,
    revoked: 1,
  });
  expect(row.installs + row.duplicates + row.late + row.events + row.retargeting + row.rejected).toBe(
    row.postbacks,
  );
  expect(row.rejections).toHaveLength(6);
  expect(row.rejections[0]).toEqual({ reason: 'partner', partner_reason: 'install_hijacking', count: 2 });
  expect(row.rejections).toEqual(
    expect.arrayContaining([
      { reason: 'no_touchpoint', partner_reason: '', count: 1 },
      { reason: 'wrong_credential', partner_reason: '', count: 1 },
      { reason: 'wrong_network', partner_reason: '', count: 1 },
      { reason: 'partner', partner_reason: 'bots', count: 1 },
      { reason: 'partner', partner_reason: '', count: 1 },
    ]),
  );
  // One install after a click of two clicks; the one after a view is no part of the rate.
  expect(row.install_rate!.value).toBeCloseTo(50);
  expect(unattributed).toMatchObject([
    {
      mmp: 'appsflyer',
      clicks: 0,
      postbacks: 2,
      rejected: 2,
      rejections: expect.arrayContaining([
        { reason: 'unknown_click', partner_reason: '', count: 1 },
        { reason: 'no_click_id', partner_reason: '', count: 1 },
      ]) as unknown,
    },
  ]);
  expect(days).toBe(90);
});

test('events in the app count once with their revenue, by GET, as a form and as JSON', async () => {
  const advertiser = await freshAdvertiser();
  const { company, campaignId, linkUuid, expectOutcomes, ref } = advertiser;
  const [first, second] = [await click(0, advertiser), await click(0, advertiser)];
  const ofTest = await at(0, () => touch(ref({ test: true })));
  const five = { event_name: 'purchase', event_id: 'a', revenue: '4.99', currency: 'USD' };
  const ten = { ...five, event_id: 'b', revenue: '10', currency: 'usd' };
  const refund = { ...five, event_id: 'c', revenue: '-4.99' };
  const skin = { event_name: 'skin', revenue: '2.50', currency: 'USD', event_time: String(noon / 1000 + 60) };
  const level = { event_name: 'level' };
  const gift = { event_name: 'gift', revenue: '5', currency: 'XAU' };
  const fraud = { ...ten, event_name: 'fraud', event_id: 'f', is_rejected: '1' };
  // Counted, and then rejected by the partner.
  const stolen = { ...five, event_id: 'e', revenue: '99' };
  const rejection = { event_name: 'purchase', event_id: 'e', blocked_reason: 'bots' };
  await at(5, async () => {
    await expectOutcomes([
      [first, five, 'stored', 'GET'],
      [second, ten, 'stored', 'form'],
      [first, refund, 'stored', 'JSON'],
      [second, skin, 'stored', 'GET'],
      [second, level, 'stored', 'JSON'],
      [second, gift, 'stored'],
      [second, fraud, 'rejected'],
      [ofTest, { ...ten, event_id: 'd' }, 'stored'],
      [first, stolen, 'stored'],
      [second, { event_name: 'install', is_retargeting: 'true' }, 'stored'],
    ]);
    await expectOutcomes([
      [first, five, 'duplicate', 'form'],
      [second, { ...skin, revenue: '2.5' }, 'duplicate', 'JSON'],
      [second, level, 'duplicate', 'JSON'],
      [first, rejection, 'taken_back'],
    ]);
    await expectOutcomes([
      [first, { ...stolen, blocked_reason: 'bots' }, 'rejected'],
      [first, stolen, 'duplicate'],
    ]);
  });
  const expected = [
    { name: 'purchase', count: 3, people: 2, revenue: 10, unknown_amounts: 0 },
    { name: '(re-engagement)', count: 1, people: 1, revenue: null, unknown_amounts: 0 },
    { name: 'gift', count: 1, people: 1, revenue: null, unknown_amounts: 1 },
    { name: 'level', count: 1, people: 1, revenue: null, unknown_amounts: 0 },
    { name: 'skin', count: 1, people: 1, revenue: 2.5, unknown_amounts: 0 },
  ].map((event) => ({ ...event, label: null, offered: true }));
  for (const filter of ['', `&campaign_id=${campaignId}`, `&tracking_link_id=${linkUuid}`]) {
    const report = await measured(company, filter);
    expect(report.in_app_events).toEqual(expected);
    expect(report.rows[0]).toMatchObject({
      installs: 0,
      duplicates: 0,
      events: 14,
      retargeting: 1,
      in_app_events: expected,
    });
  }
});

test('an event in the app belongs to the link that its ad set had at the bid', async () => {
  const advertiser = await freshAdvertiser();
  const { company, appUuid, adsetId, linkUuid, expectOutcomes } = advertiser;
  const before = await click(0, advertiser);
  const second = await make(company, '/tracking_link', linkBody(appUuid, { name: 'Second' }));
  await at(2, () => company.call('PUT', `/adset/${adsetId}`, { tracking_link_id: second }));
  const bid = sampleRef({ ...advertiser.ref(), bidId: uuidv7({ msecs: noon + 3 * MINUTE_MS }) });
  const after = await at(3, () => touch(bid));
  await at(9, () =>
    expectOutcomes([
      [before, { event_name: 'early' }, 'stored'],
      [after, { event_name: 'late' }, 'stored'],
    ]),
  );
  const report = await measured(company);
  const names = new Map(
    report.rows.map(({ tracking_link: { uuid }, in_app_events: events }) => [
      uuid,
      events.map(({ name }) => name),
    ]),
  );
  expect(names).toEqual(
    new Map([
      [linkUuid, ['early']],
      [second, ['late']],
    ]),
  );
  expect(report.in_app_events.map(({ name }) => name)).toEqual(['early', 'late']);
  const [row] = (await measured(company, `&tracking_link_id=${second}`)).rows;
  expect(row!.in_app_events).toMatchObject([{ name: 'late', count: 1, people: 1 }]);
});

test('postbacks of no tracking link are listed with a filter only for the partner of its app', async () => {
  const advertiser = await freshAdvertiser();
  const { company, secret, linkUuid } = advertiser;
  await click(0, advertiser);
  await at(1, () =>
    Promise.all(
      ['appsflyer', 'adjust'].map((mmp) => send(`/postback/${mmp}/${secret}`, { click_id: 'invented' })),
    ),
  );
  expect((await measured(company)).unattributed.map(({ mmp }) => mmp).toSorted()).toEqual([
    'adjust',
    'appsflyer',
  ]);
  const { rows, unattributed } = await measured(company, `&tracking_link_id=${linkUuid}`);
  expect(rows).toMatchObject([{ clicks: 1, postbacks: 0, last_postback_at: null }]);
  expect(rows[0]!.install_rate).toMatchObject({ value: 0, low: 0 });
  expect(unattributed.map(({ mmp }) => mmp)).toEqual(['appsflyer']);
});

test('postbacks that a tracker of an earlier release stored belong to their partner', async () => {
  const advertiser = await freshAdvertiser();
  const { company } = advertiser;
  await click(0, advertiser);
  const row = { company_id: company.companyId, mmp: 'appsflyer', parameters: '{}', click_id: 'a-click' };
  await app.ctx.clickhouse.insert(
    'postbacks',
    ['stored', 'duplicate', 'unverified'].map((outcome) => ({
      ...row,
      id: uuidv7(),
      time: clickhouseTime(noon),
      outcome,
    })),
  );
  const { rows, unattributed } = await measured(company);
  // Whether its click was on this link is not known, and so not the rate of its installs.
  expect(rows).toMatchObject([{ clicks: 1, installs: 0, install_rate: null }]);
  expect(unattributed).toMatchObject([
    {
      mmp: 'appsflyer',
      postbacks: 3,
      installs: 1,
      duplicates: 1,
      rejections: [{ reason: 'unverified', count: 1 }],
    },
  ]);
});

test('figures of another company are neither found nor counted', async () => {
  const advertiser = await freshAdvertiser();
  await click(0, advertiser);
  const stranger = await app.freshCompany();
  for (const filter of [`campaign_id=${advertiser.campaignId}`, `tracking_link_id=${advertiser.linkUuid}`])
    expect((await stranger.call('GET', `/measurement?${DAY}&${filter}`)).status).toBe(404);
  expect(await measured(stranger)).toMatchObject({ rows: [], unattributed: [], total: { clicks: 0 } });
});

test('both filters at once, and days in the wrong order, are rejected', async () => {
  const { company, campaignId, linkUuid } = await freshAdvertiser();
  const both = `/measurement?${DAY}&campaign_id=${campaignId}&tracking_link_id=${linkUuid}`;
  expect(await company.call('GET', both)).toMatchObject({
    status: 422,
    errors: [{ field: 'tracking_link_id' }],
  });
  const backwards = '/measurement?start_date=2026-05-05&end_date=2026-05-04';
  expect((await company.call('GET', backwards)).status).toBe(422);
});

const PURCHASE = { event_name: 'purchase' };
const purchase = (id: string) => ({ ...PURCHASE, event_id: id, revenue: '10', currency: 'USD' });
const REJECTION = { blocked_reason: 'bots' };
const timeOf = (atMs: number) => new Date(Math.floor(atMs / 1000) * 1000).toISOString();

async function uncounted(company: TestCompany): Promise<UncountedEvents[]> {
  await app.settled();
  const { status, data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(status).toBe(200);
  return data.uncounted_events;
}

test('events with a time that cannot be read are dated as they arrive, and counted with the time as it was sent', async () => {
  const { company, clicked, report, expectOutcomes } = await partners.freshAdvertiser();
  const ours = await clicked();
  expect(await report(ours, { event_name: 'a', event_time: '2026-13-40 25:61' })).toBe('stored');
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  await expectOutcomes([
    [ours, { event_name: 'b', event_time: 'yesterday at noon' }, 'stored'],
    [ours, { event_name: 'c', event_time: timeOf(nowMs) }, 'stored'],
    [ours, { event_name: 'd' }, 'stored'],
  ]);
  await app.settled();
  const { data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(data.unread_times).toEqual([
    { mmp: 'appsflyer', count: 2, last_at: app.clock.now.toISOString(), example: 'yesterday at noon' },
  ]);
  expect(data.in_app_events).toHaveLength(4);
  expect(data.uncounted_events).toEqual([]);
});

test('a form is read in the character set that it names', async () => {
  const { company, clicked, secret } = await partners.freshAdvertiser();
  const clickid = encodeURIComponent(partners.signer.clickIdFor(await clicked()));
  for (const [charset, name] of [
    ['iso-8859-1', 'caf%E9+1'],
    ['"windows-1251"', '%EA%EE%F4%E5'],
    ['utf-8', 'caf%C3%A9+2'],
  ]) {
    const response = await app.http.inject({
      method: 'POST',
      url: `/postback/appsflyer/${secret}`,
      headers: { 'content-type': `application/x-www-form-urlencoded; charset=${charset}` },
      payload: `clickid=${clickid}&event_name=${name}`,
    });
    expect(response.json()).toEqual({ data: { outcome: 'stored' } });
  }
  await app.settled();
  const { data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  const names = (data.in_app_events as { name: string }[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['café 1', 'café 2', 'кофе']);
});

test('events that do not count are shown with the reason and the latest of them', async () => {
  const { company, clicked, expectOutcomes } = await partners.freshAdvertiser();
  const ours = partners.signer.clickIdFor(await clicked());
  const unclicked = sampleRef({ companyId: company.companyId }, nowMs);
  const dated = (atMs: number, id: string) => ({ ...PURCHASE, event_time: timeOf(atMs), event_id: id });
  await expectOutcomes([
    [ours, dated(nowMs - 40 * DAY_MS, 'early'), 'unattributed'],
    [ours, dated(nowMs - 600_000, 'clock'), 'stored'],
    [ours, dated(nowMs + 2 * DAY_MS, 'future'), 'expired'],
    [ours.slice(0, -1), { event_name: 'cut 1' }, 'event'],
    [ours.slice(0, -2), { event_name: 'cut 2' }, 'event'],
    [ours.slice(0, -3), { event_name: 'cut 3' }, 'event'],
    [ours.slice(0, -4), { event_name: 'cut 4' }, 'event'],
    ['', PURCHASE, 'event'],
    [unclicked, PURCHASE, 'no_touchpoint'],
  ]);

  const found = await uncounted(company);
  expect(found.map(({ mmp, reason, count, last_at }) => [mmp, reason, count, last_at])).toEqual([
    ['appsflyer', 'unknown_click', 4, app.clock.now.toISOString()],
    ...['before_click', 'in_future', 'no_click_id', 'no_touchpoint'].map((reason) => [
      'appsflyer',
      reason,
      1,
      app.clock.now.toISOString(),
    ]),
  ]);
  const [unknown, before] = found;
  expect(unknown!.examples).toHaveLength(3);
  for (const { name, click_id: id } of unknown!.examples)
    expect(ours.startsWith(id) && name).toMatch(/^cut \d$/);
  expect(before!.examples).toEqual([
    {
      at: app.clock.now.toISOString(),
      name: 'purchase',
      event_at: timeOf(nowMs - 40 * DAY_MS),
      click_id: ours,
    },
  ]);
  // Uncounted events are in no report.
  const reported = await company.call('POST', '/analytics/level', {
    start_date: today,
    end_date: today,
    levels: { app: '' },
    metrics: ['app_events'],
  });
  expect(reported.data.total).toMatchObject({ app_events: 1 });
});

exhaustive(
  'events with a foreign click id fill the disk with no more than a company’s share, and all are counted',
  async () => {
    const [flooded, other] = [await partners.freshAdvertiser(), await partners.freshAdvertiser()];
    const elsewhere = partners.signer.clickIdFor(await other.clicked());
    for (let sent = 0; sent < 100; sent += 1) await flooded.report(elsewhere, PURCHASE);
    app.clock.now = new Date(nowMs + 1000);
    for (let sent = 0; sent < 5; sent += 1) await flooded.report(elsewhere, PURCHASE);
    await other.report('not ours', PURCHASE);
    expect(await uncounted(flooded.company)).toMatchObject([
      {
        reason: 'unknown_click',
        count: 105,
        examples: [{ name: null }, { name: null }, { name: null }].map((one) => ({
          ...one,
          click_id: elsewhere,
        })),
      },
    ]);
    const [own] = await uncounted(other.company);
    expect(own).toMatchObject({ count: 1, examples: [{ name: 'purchase', click_id: 'not ours' }] });
  },
);

test('events after an install that the partner rejected count nowhere, whichever came first', async () => {
  const { company, clicked, report, expectOutcomes } = await partners.freshAdvertiser();
  const appId = uuidv7();
  const [buyer, forged, before] = [
    await clicked({ appId }),
    await clicked({ appId }),
    await clicked({ appId }),
  ];
  // An install immediately after its click is not used for learning.
  app.clock.now = new Date(app.clock.now.getTime() + HOUR_MS / 30);
  await expectOutcomes([
    [buyer, {}, 'stored'],
    [forged, {}, 'stored'],
    [before, purchase('before'), 'stored'],
  ]);
  await expectOutcomes([
    [buyer, purchase('first of the buyer'), 'stored'],
    [forged, purchase('first of the other'), 'stored'],
    [before, {}, 'stored'],
  ]);
  await expectOutcomes([
    [forged, REJECTION, 'taken_back'],
    [before, REJECTION, 'taken_back'],
  ]);
  expect(await report(forged, purchase('after the rejection'))).toBe('stored');
  await app.settled();

  const atMs = app.clock.now.getTime();
  const range = { start_date: today, end_date: today };
  const metrics = ['installs', 'app_events', 'payers', 'revenue'];
  const named = { name: 'purchase', count: 1, people: 1 };
  const reported = await company.call('POST', '/analytics/level', {
    ...range,
    metrics,
    event_names: ['purchase'],
    levels: { campaign: '' },
  });
  expect(reported.data.total).toMatchObject({
    installs: 1,
    app_events: 1,
    payers: 1,
    revenue: 10,
    named_events: [named],
  });

  const bids = await company.call('GET', `/analytics/bids?start_date=${today}&end_date=${today}&limit=50`);
  const eventsByBid = new Map(
    bids.data.bids.map((bid: LoggedBid) => [bid.bid_id, [bid.installs, bid.app_events.length]]),
  );
  expect(eventsByBid).toEqual(
    new Map([
      [buyer.bidId, [1, 1]],
      [forged.bidId, [0, 0]],
      [before.bidId, [0, 0]],
    ]),
  );

  const shown = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(shown.data.in_app_events).toMatchObject([{ name: 'purchase', count: 1, people: 1, revenue: 10 }]);

  const { companyId } = company;
  const { adsetId } = buyer;
  const period = { fromMs: atMs - HOUR_MS, beforeMs: atMs + HOUR_MS };
  const rules = { withoutPurchases: [], withoutAdRevenue: [], payers: [] };
  const file = streamBids(
    app.ctx.clickhouse,
    { companyId, ...period, afterId: 0n, beforeId: 2n ** 128n - 1n, rules },
    {
      names: { campaign: new Map(), adset: new Map(), creative: new Map(), exchange: new Map() },
      profiles: new Map(),
      format: 'csv',
    },
    {},
  );
  const parts = [];
  for await (const part of file) parts.push(Buffer.from(part));
  const [header, ...lines] = Buffer.concat(parts).toString().trim().split('\n');
  const revenueAt = header!.split(',').indexOf('revenue');
  expect(lines.map((line) => line.split(',')[revenueAt]).filter(Boolean)).toEqual(['10']);

  const cohorts = await company.call('POST', '/analytics/cohorts', { ...range, group: 'day' });
  expect(cohorts.data.total.installs).toBe(1);

  const learned = await readGoal(
    app.ctx.clickhouse,
    { companyId, appId, event: 'purchase', windowMs: 24 * HOUR_MS, sources: ['purchases'] },
    atMs + HOUR_MS,
  );
  expect(learned.conversions.map(({ adsetId: of }) => of)).toEqual([adsetId]);
  const goals = [{ appId, event: 'purchase', sources: [] }];
  const rows = await conversionsOf(app.ctx.clickhouse, companyId, goals, period.beforeMs, {});
  expect(rows.map(({ appId: of, people }) => [of, people])).toEqual([[appId, 1]]);
});

test('events of a later day do not count once the install before them is rejected', async () => {
  const company = await app.freshCompany();
  const [bidId, other] = [uuidv7(), uuidv7()];
  const install: SampleEvent = { at: '2026-03-02T12:00:00Z', kind: 'install', bidId };
  const bought = (clickBidId: string, time: string): SampleEvent => ({
    at: time,
    kind: 'app_event',
    app: { clickBidId, revenueMicros: 10_000_000 },
  });
  await storeEvents(app.ctx, company.companyId, [
    install,
    bought(bidId, '2026-02-25T12:00:00Z'),
    bought(bidId, '2026-08-20T12:00:00Z'),
    bought(other, '2026-08-20T13:00:00Z'),
  ]);
  const query = { metrics: ['app_events', 'payers', 'revenue'], levels: { app: '' }, compare: true };
  const totals = async () => {
    const dates = ['2026-02-25', '2026-08-20', '2026-08-21'];
    const reports = await Promise.all(
      dates.map((date) =>
        company.call('POST', '/analytics/level', { ...query, start_date: date, end_date: date }),
      ),
    );
    return reports.map(({ data }) => [data.total.app_events, data.total.previous?.app_events ?? 0]);
  };
  expect(await totals()).toEqual([
    [1, 0],
    [2, 0],
    [0, 2],
  ]);
  await storeEvents(app.ctx, company.companyId, [{ ...install, kind: 'install_rejected' }]);
  expect(await totals()).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
});
