import type { Measurement } from '@bidwell/contract/measurement/schema';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { BidRef } from '../../delivery/model/event.ts';
import { pathOf, sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../delivery/trackers/signer.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { linkBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const SECRET = 'a signing secret of the measurement tests, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET, MODERATION: 'auto' }, undefined, {
  postbackAnswerMs: () => 2 ** 31 - 1,
});
const signer = createSigner(SECRET, 'http://bidwell.test');
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';
const MINUTE_MS = 60_000;
/** A day for which postbacks are still stored. */
const day = new Date(app.clock.now.getTime() - 3 * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
/** Noon of UTC, so that the minutes after it are on the same day. */
const noon = new Date(`${day}T12:00:00Z`).getTime();
const DAY = `start_date=${day}&end_date=${day}`;

/** A company with an ad set, its campaign, tracking link and postback address. */
async function freshAdvertiser() {
  const company = await app.freshCompany();
  const { body, appUuid, linkUuid } = await makeAdsetParts(app, company);
  const adsetId = await make(company, '/adset', body);
  const campaignId = await make(company, '/campaign', {
    name: 'Measured',
    app_uuid: appUuid,
    adset_uuids: [adsetId],
  });
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const ref = (more: Partial<BidRef> = {}) =>
    sampleRef({ companyId: company.companyId, adsetId, campaignId, ...more }, app.clock.now.getTime());
  return { company, appUuid, adsetId, campaignId, linkUuid, secret, ref };
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

const touch = async (ref: BidRef, kind: 'click' | 'impression' = 'click') => {
  await app.http.inject({ url: pathOf(signer.urlsFor(ref)[kind]), headers: { 'user-agent': PHONE } });
  return ref;
};
const click = (minute: number, advertiser: Awaited<ReturnType<typeof freshAdvertiser>>) =>
  at(minute, () => touch(advertiser.ref()));

const postback = async (minute: number, path: string) =>
  at(minute, async () => {
    const response = await app.http.inject({ url: path });
    return response.json<{ data: { outcome: string } }>().data.outcome;
  });

async function measured(company: TestCompany, more = ''): Promise<Measurement> {
  await app.settled();
  const { status, data } = await company.call('GET', `/measurement?${DAY}${more}`);
  expect(status).toBe(200);
  return data as Measurement;
}

test('clicks and postbacks belong to the tracking link that the ad set had at the click', async () => {
  const advertiser = await freshAdvertiser();
  const { company, appUuid, adsetId, campaignId, linkUuid, secret } = advertiser;
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
    await postback(minute, `/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(ref)}`);
  const report = await measured(company);
  const figures = report.rows.map(({ mmp, tracking_link: { uuid }, clicks, installs, duplicates }) => ({
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
  expect(report.rows[0]).toMatchObject({
    postbacks: 2,
    app: { uuid: appUuid, name: 'Puzzle Quest' },
    last_postback_at: `${day}T12:11:00.000Z`,
  });
  expect(report.rows[0]!.install_rate!.value).toBeCloseTo(50);
  expect(report.rows[0]!.install_rate!.low).toBeLessThan(50);
  expect(report.total).toMatchObject({ clicks: 3, postbacks: 3, installs: 2, duplicates: 1 });
  expect(report.unattributed).toEqual([]);
  expect((await measured(company, `&tracking_link_id=${second}`)).rows).toEqual([report.rows[1]]);
  expect((await measured(company, `&campaign_id=${campaignId}`)).rows).toEqual(report.rows);
});

test('rejected postbacks are counted by reason, with the partner’s own', async () => {
  const advertiser = await freshAdvertiser();
  const { company, secret, ref } = advertiser;
  const idOf = (bid: BidRef) => signer.clickIdFor(bid);
  const path = `/postback/appsflyer/${secret}?clickid=`;
  const counted = await click(0, advertiser);
  const blocked = await click(0, advertiser);
  const viewed = await at(0, () => touch(ref(), 'impression'));
  const ofTest = await at(0, () => touch(ref({ test: true })));
  const old = sampleRef(
    { ...ref(), bidId: uuidv7({ msecs: noon - 31 * 24 * 60 * MINUTE_MS }) },
    noon - 31 * 24 * 60 * MINUTE_MS,
  );
  const sent = [
    [`${path}${idOf(counted)}`, 'stored'],
    [`${path}${idOf(counted)}&blocked_reason=bots`, 'taken_back'],
    [`${path}${idOf(blocked)}&blocked_reason=install_hijacking`, 'rejected'],
    [`${path}${idOf(blocked)}&blocked_reason=install_hijacking`, 'rejected'],
    [`${path}${idOf(blocked)}&is_rejected=1`, 'rejected'],
    [`${path}${idOf(viewed)}`, 'stored'],
    [`${path}${idOf(ofTest)}`, 'stored'],
    [`${path}${idOf(old)}`, 'expired'],
    [`${path}${idOf(counted)}&event_name=af_purchase`, 'stored'],
    [`${path}${idOf(counted)}&is_retargeting=true`, 'stored'],
    [`${path}${idOf(await at(0, async () => ref()))}`, 'no_touchpoint'],
    [`${path}invented`, 'unknown_click'],
    [`${path}%7Bclickid%7D`, 'unknown_click'],
  ] as const;
  for (const [url, outcome] of sent) expect([url, await postback(5, url)]).toEqual([url, outcome]);
  await company.call('PUT', '/postbacks/appsflyer', { secret: 'a token of AppsFlyer' });
  expect(await postback(6, `${path}${idOf(counted)}`)).toBe('unverified');
  await company.call('PUT', '/postbacks/appsflyer', { networks: ['198.51.100.0/24'] });
  expect(await postback(6, `${path}${idOf(counted)}`)).toBe('unverified');

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
  const { company, campaignId, linkUuid, secret, ref } = advertiser;
  const [first, second] = [await click(0, advertiser), await click(0, advertiser)];
  const ofTest = await at(0, () => touch(ref({ test: true })));
  const send = (
    format: 'get' | 'form' | 'json',
    of: BidRef,
    name: string,
    more: Record<string, string> = {},
  ) =>
    at(5, async () => {
      const path = `/postback/appsflyer/${secret}`;
      const parameters = { clickid: signer.clickIdFor(of), event_name: name, ...more };
      const text = new URLSearchParams(parameters).toString();
      const body = {
        form: { type: 'application/x-www-form-urlencoded', payload: text },
        json: { type: 'application/json', payload: JSON.stringify(parameters) },
      };
      const response =
        format === 'get'
          ? await app.http.inject({ url: `${path}?${text}` })
          : await app.http.inject({
              method: 'POST',
              url: path,
              headers: { 'content-type': body[format].type },
              payload: body[format].payload,
            });
      return response.json<{ data: { outcome: string } }>().data.outcome;
    });
  const five = { event_id: 'a', revenue: '4.99', currency: 'USD' };
  expect(await send('get', first, 'purchase', five)).toBe('stored');
  expect(await send('form', first, 'purchase', five)).toBe('duplicate');
  const ten = { event_id: 'b', revenue: '10', currency: 'usd' };
  expect(await send('form', second, 'purchase', ten)).toBe('stored');
  const refund = { event_id: 'c', revenue: '-4.99', currency: 'USD' };
  expect(await send('json', first, 'purchase', refund)).toBe('stored');
  const untold = { revenue: '2.50', currency: 'USD', event_time: String(noon / 1000 + 60) };
  expect(await send('get', second, 'skin', untold)).toBe('stored');
  expect(await send('json', second, 'skin', { ...untold, revenue: '2.5' })).toBe('duplicate');
  expect(await send('json', second, 'level')).toBe('stored');
  expect(await send('json', second, 'level')).toBe('duplicate');
  expect(await send('get', second, 'gift', { revenue: '5', currency: 'XAU' })).toBe('stored');
  expect(await send('get', second, 'fraud', { ...ten, event_id: 'f', is_rejected: '1' })).toBe('rejected');
  expect(await send('get', ofTest, 'purchase', { ...ten, event_id: 'd' })).toBe('stored');
  // Counted, and then rejected by the partner.
  const stolen = { event_id: 'e', revenue: '99', currency: 'USD' };
  expect(await send('get', first, 'purchase', stolen)).toBe('stored');
  expect(await send('get', first, 'purchase', { event_id: 'e', blocked_reason: 'bots' })).toBe('taken_back');
  expect(await send('get', first, 'purchase', { ...stolen, blocked_reason: 'bots' })).toBe('rejected');
  expect(await send('get', first, 'purchase', stolen)).toBe('duplicate');
  expect(await send('get', second, 'install', { is_retargeting: 'true' })).toBe('stored');
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
  const { company, appUuid, adsetId, linkUuid, secret } = advertiser;
  const before = await click(0, advertiser);
  const second = await make(company, '/tracking_link', linkBody(appUuid, { name: 'Second' }));
  await at(2, () => company.call('PUT', `/adset/${adsetId}`, { tracking_link_id: second }));
  const bid = sampleRef({ ...advertiser.ref(), bidId: uuidv7({ msecs: noon + 3 * MINUTE_MS }) });
  const after = await at(3, () => touch(bid));
  const send = (of: BidRef, name: string) =>
    postback(9, `/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(of)}&event_name=${name}`);
  expect([await send(before, 'early'), await send(after, 'late')]).toEqual(['stored', 'stored']);
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
  for (const mmp of ['appsflyer', 'adjust'])
    await postback(1, `/postback/${mmp}/${secret}?click_id=invented`);
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
