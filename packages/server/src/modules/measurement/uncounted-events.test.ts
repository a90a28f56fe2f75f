import type { UncountedEvents } from '@bidwell/contract/measurement/uncounted-events';
import { expect, test } from 'vitest';
import type { BidRef } from '../../delivery/model/event.ts';
import { pathOf, sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../delivery/trackers/signer.ts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';
import type { LoggedBid } from '@bidwell/contract/bid-log/schema';
import { v7 as uuidv7 } from 'uuid';
import { readGoal } from '../../delivery/learning/value-learner.ts';
import { streamBids } from '../insight/bid-log/queries.ts';
import { conversionsOf } from '../insight/delivery-report/goal-learning.ts';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';

const SECRET = 'a signing secret of events that do not count';

const app = await testApp({ SIGNING_SECRET: SECRET }, undefined, { postbackAnswerMs: () => 2 ** 31 - 1 });

const signer = createSigner(SECRET, 'http://bidwell.test');

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

const DAY_MS = 86_400_000;

const today = app.clock.now.toISOString().slice(0, 10);

const HOUR_MS = 3_600_000;

const purchase = (id: string) => ({ event_name: 'purchase', event_id: id, revenue: '10', currency: 'USD' });

const REJECTION = { blocked_reason: 'bots' };

app.clock.now = new Date(`${today}T12:00:00Z`);

const nowMs = app.clock.now.getTime();

const timeOf = (atMs: number) => new Date(Math.floor(atMs / 1000) * 1000).toISOString();

async function freshCompany() {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clicked = async (): Promise<BidRef> => {
    const ref = sampleRef({ companyId: company.companyId }, nowMs);
    await app.http.inject({ url: pathOf(signer.urlsFor(ref).click), headers: { 'user-agent': PHONE } });
    return ref;
  };
  const send = async (clickid: string, more: Record<string, string> = {}): Promise<string> => {
    const text = new URLSearchParams({ clickid, event_name: 'purchase', ...more }).toString();
    const response = await app.http.inject({ url: `/postback/appsflyer/${secret}?${text}` });
    return response.json<{ data: { outcome: string } }>().data.outcome;
  };
  return { company, clicked, send };
}

async function uncounted(company: TestCompany): Promise<UncountedEvents[]> {
  await app.settled();
  const { status, data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(status).toBe(200);
  return data.uncounted_events;
}

test('events with a time that cannot be read are dated as they arrive, and counted with the time as it was sent', async () => {
  const { company, clicked, send } = await freshCompany();
  const ours = signer.clickIdFor(await clicked());
  expect(await send(ours, { event_name: 'a', event_time: '2026-13-40 25:61' })).toBe('stored');
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  expect(await send(ours, { event_name: 'b', event_time: 'yesterday at noon' })).toBe('stored');
  expect(await send(ours, { event_name: 'c', event_time: timeOf(nowMs) })).toBe('stored');
  expect(await send(ours, { event_name: 'd' })).toBe('stored');
  await app.settled();
  const { data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(data.unread_times).toEqual([
    { mmp: 'appsflyer', count: 2, last_at: app.clock.now.toISOString(), example: 'yesterday at noon' },
  ]);
  expect(data.in_app_events).toHaveLength(4);
  expect(data.uncounted_events).toEqual([]);
});

test('a form is read in the character set that it names', async () => {
  const { company, clicked } = await freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clickid = encodeURIComponent(signer.clickIdFor(await clicked()));
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
  const { company, clicked, send } = await freshCompany();
  const ref = await clicked();
  const ours = signer.clickIdFor(ref);
  const early = { event_time: timeOf(nowMs - 40 * DAY_MS), event_id: 'early' };
  expect(await send(ours, early)).toBe('unattributed');
  expect(await send(ours, { event_time: timeOf(nowMs - 600_000), event_id: 'clock' })).toBe('stored');
  expect(await send(ours, { event_time: timeOf(nowMs + 2 * DAY_MS), event_id: 'future' })).toBe('expired');
  for (const cut of [1, 2, 3, 4])
    expect(await send(ours.slice(0, -cut), { event_name: `cut ${cut}` })).toBe('event');
  expect(await send('')).toBe('event');
  expect(await send(signer.clickIdFor(sampleRef({ companyId: company.companyId }, nowMs)))).toBe(
    'no_touchpoint',
  );

  const found = await uncounted(company);
  expect(found.map(({ mmp, reason, count, last_at: at }) => [mmp, reason, count, at])).toEqual([
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
  const report = await company.call('POST', '/analytics/level', {
    start_date: today,
    end_date: today,
    levels: { app: '' },
    metrics: ['app_events'],
  });
  expect(report.data.total).toMatchObject({ app_events: 1 });
});

exhaustive(
  'events with a foreign click id fill the disk with no more than a company’s share, and all are counted',
  async () => {
    const [flooded, other] = [await freshCompany(), await freshCompany()];
    const elsewhere = signer.clickIdFor(await other.clicked());
    for (let sent = 0; sent < 100; sent += 1) await flooded.send(elsewhere);
    app.clock.now = new Date(nowMs + 1000);
    for (let sent = 0; sent < 5; sent += 1) await flooded.send(elsewhere);
    await other.send('not ours');
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

app.clock.now = new Date(`${today}T12:00:00Z`);

/** A company with clicks, and a function that reports the postbacks of their people. */
async function companyWithApp() {
  const company = await app.freshCompany();
  const appId = uuidv7();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clicked = async (): Promise<BidRef> => {
    const ref = sampleRef({ companyId: company.companyId, appId }, app.clock.now.getTime());
    await app.http.inject({ url: pathOf(signer.urlsFor(ref).click), headers: { 'user-agent': PHONE } });
    return ref;
  };
  const send = async (ref: BidRef, parameters: Record<string, string> = {}): Promise<string> => {
    const text = new URLSearchParams({ clickid: signer.clickIdFor(ref), ...parameters }).toString();
    const response = await app.http.inject({ url: `/postback/appsflyer/${secret}?${text}` });
    return response.json<{ data: { outcome: string } }>().data.outcome;
  };
  return { company, appId, clicked, send };
}

test('events after an install that the partner rejected count nowhere, whichever came first', async () => {
  const { company, appId, clicked, send } = await companyWithApp();
  const [buyer, forged, before] = [await clicked(), await clicked(), await clicked()];
  // An install immediately after its click is not used for learning.
  app.clock.now = new Date(app.clock.now.getTime() + HOUR_MS / 30);
  for (const [index, ref] of [buyer, forged].entries()) {
    expect(await send(ref)).toBe('stored');
    expect(await send(ref, purchase(`first ${index}`))).toBe('stored');
  }
  expect(await send(before, purchase('before its install'))).toBe('stored');
  expect(await send(before)).toBe('stored');
  for (const ref of [forged, before]) expect(await send(ref, REJECTION)).toBe('taken_back');
  expect(await send(forged, purchase('after the rejection'))).toBe('stored');
  await app.settled();

  const atMs = app.clock.now.getTime();
  const range = { start_date: today, end_date: today };
  const metrics = ['installs', 'app_events', 'payers', 'revenue'];
  const named = { name: 'purchase', count: 1, people: 1 };
  const report = await company.call('POST', '/analytics/level', {
    ...range,
    metrics,
    event_names: ['purchase'],
    levels: { campaign: '' },
  });
  expect(report.data.total).toMatchObject({
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

  const measured = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(measured.data.in_app_events).toMatchObject([{ name: 'purchase', count: 1, people: 1, revenue: 10 }]);

  const { companyId } = company;
  const { adsetId } = buyer;
  const period = { fromMs: atMs - HOUR_MS, beforeMs: atMs + HOUR_MS };
  const rules = { withoutPurchases: [], withoutAdRevenue: [], payers: [] };
  const file = streamBids(
    app.ctx.clickhouse,
    { companyId, ...period, afterId: 0n, beforeId: 2n ** 128n - 1n, rules },
    {
      names: { campaign: new Map(), adset: new Map(), creative: new Map(), exchange: new Map() },
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
  const bought = (clickBidId: string, at: string): SampleEvent => ({
    at,
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
    const days = ['2026-02-25', '2026-08-20', '2026-08-21'];
    const reports = await Promise.all(
      days.map((day) =>
        company.call('POST', '/analytics/level', { ...query, start_date: day, end_date: day }),
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
