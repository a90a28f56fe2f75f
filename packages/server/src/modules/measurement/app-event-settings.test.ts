import type { LoggedBid } from '@bidwell/contract/bid-log/schema';
import type { InAppEvents } from '@bidwell/contract/measurement/schema';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { type SampleAppEvent, type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { bidIdAt } from '@bidwell/testing/yesterday';
import { expect, test } from 'vitest';

const app = await testApp();
const { ctx } = app;
const DAY = '2026-06-02';
const NOON_MS = Date.parse(`${DAY}T12:00:00Z`);
app.clock.now = new Date('2026-06-10T12:00:00Z');
const METRICS = ['revenue', 'payers', 'roas'];

/** A new app of a company, which has events of these names. */
async function appWith(company: TestCompany, names: readonly string[]): Promise<string> {
  const appId = await make(company, '/app', appBody());
  await ctx.db
    .insertInto('app_event_names')
    .values(
      names.map((name) => ({
        company_uuid: company.companyId,
        app_uuid: appId,
        name,
        first_seen_at: app.clock.now,
      })),
    )
    .execute();
  return appId;
}

/** A person who installed an app and has these events in it. */
function person(appId: string, events: readonly SampleAppEvent[]): SampleEvent[] {
  const clickBidId = bidIdAt(NOON_MS - 60_000);
  const at = new Date(NOON_MS).toISOString();
  return [
    { at, kind: 'install', appId, bidId: clickBidId },
    ...events.map((event): SampleEvent => ({ at, kind: 'app_event', appId, app: { clickBidId, ...event } })),
  ];
}

const sumOf = (amounts: readonly (number | null)[]) =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);

const dollars = (amount: number) => ({ revenueMicros: amount * 1_000_000 });

/** The figures of a company's day in level report, export and cohorts, which have to agree. */
async function figuresOf(company: TestCompany) {
  const range = { start_date: DAY, end_date: DAY };
  const level = await company.call('POST', '/analytics/level', {
    ...range,
    levels: { app: '' },
    metrics: [...METRICS, 'unknown_amounts'],
  });
  expect(level.status).toBe(200);
  const { revenue, payers, roas } = level.data.total;
  const cohorts = await company.call('POST', '/analytics/cohorts', range);
  const [today] = cohorts.data.total.cells;
  expect({ revenue: today.revenue, payers: today.payers, roas: today.roas.value }).toEqual({
    revenue,
    payers,
    roas,
  });
  const { payload } = await app.http.inject({
    method: 'POST',
    url: '/api/internal/analytics/export',
    headers: { authorization: `Bearer ${company.token}` },
    payload: { ...range, levels: { day: '' }, metrics: METRICS },
  });
  expect(payload.split('\r\n')[1]).toBe(`${DAY},${DAY},${revenue},${payers},${roas}`);
  const unknown = cohorts.data.total.unknown_amounts;
  expect(level.data.total.unknown_amounts).toBe(unknown);
  const days = `start_date=${DAY}&end_date=${DAY}`;
  const measured = await company.call('GET', `/measurement?${days}`);
  expect(measured.status).toBe(200);
  const names: InAppEvents[] = measured.data.in_app_events;
  expect(sumOf(names.map(({ revenue: of }) => of))).toBe(revenue);
  expect(sumOf(names.map(({ unknown_amounts: of }) => of))).toBe(unknown);
  const { data } = await company.call('GET', `/analytics/bids?${days}&limit=50`);
  const bids: LoggedBid[] = data.bids;
  expect(sumOf(bids.flatMap(({ app_events: events }) => events.map((of) => of.revenue)))).toBe(revenue);
  const file = await app.http.inject({
    url: `/api/internal/analytics/bids/export?${days}`,
    headers: { authorization: `Bearer ${company.token}` },
  });
  const [header = '', ...lines] = file.payload.trim().split('\n');
  const at = header.split(',').indexOf('revenue');
  expect(sumOf(lines.map((line) => Number(line.split(',')[at])))).toBe(revenue);
  return { revenue, payers, roas, unknown };
}

test('reports, exports and cohorts count the revenue and the payers that each app chooses, also of past days', async () => {
  const company = await app.freshCompany();
  const games = await appWith(company, ['purchase', 'trial', 'ad_revenue']);
  const shop = await appWith(company, ['purchase', 'ad_revenue']);
  const ad = { name: 'ad_revenue', isAdRevenue: true };
  await storeEvents(ctx, company.companyId, [
    { at: new Date(NOON_MS).toISOString(), kind: 'billing', spendMicros: 10_000_000 },
    ...person(games, [dollars(10), { ...ad, ...dollars(2) }]),
    ...person(games, [
      { ...ad, ...dollars(1) },
      { ...ad, amount: '7', currency: 'XTS' },
    ]),
    ...person(games, [{ name: 'trial' }]),
    ...person(shop, [dollars(5), { ...ad, ...dollars(1) }]),
  ]);
  const change = async (appId: string, body: object) =>
    expect((await company.call('PUT', `/app/${appId}/events`, body)).status).toBe(200);

  // A person who only saw ads is no payer.
  expect(await figuresOf(company)).toEqual({ revenue: 19, payers: 2, roas: 190, unknown: 1 });
  await change(games, { revenue_sources: ['purchases'] });
  expect(await figuresOf(company)).toEqual({ revenue: 16, payers: 2, roas: 160, unknown: 0 });
  await change(games, { revenue_sources: ['ad_revenue'] });
  expect(await figuresOf(company)).toEqual({ revenue: 9, payers: 2, roas: 90, unknown: 1 });
  await change(games, { events: [{ name: 'trial', payer: 'always' }] });
  expect(await figuresOf(company)).toMatchObject({ revenue: 9, payers: 3 });
  await change(games, { events: [{ name: 'purchase', payer: 'never' }] });
  expect(await figuresOf(company)).toMatchObject({ revenue: 9, payers: 2 });
  await change(games, {
    revenue_sources: ['ad_revenue', 'purchases'],
    events: ['trial', 'purchase'].map((name) => ({ name, payer: 'purchase' })),
  });
  expect(await figuresOf(company)).toEqual({ revenue: 19, payers: 2, roas: 190, unknown: 1 });
});

test('a change of an app’s events keeps absent fields, is logged, and takes only names that the app has', async () => {
  const company = await app.freshCompany();
  const appId = await appWith(company, ['af_purchase', 'debug']);
  const path = `/app/${appId}/events`;
  const first = await company.call('PUT', path, {
    view_window_days: 1,
    events: [
      { name: 'af_purchase', label: ' Purchase ', payer: 'always' },
      { name: 'debug', offered: false },
    ],
  });
  expect(first.data).toEqual({
    click_window_days: 180,
    view_window_days: 1,
    re_engagement_click_window_days: 30,
    re_engagement_view_window_days: 30,
    revenue_sources: ['purchases', 'ad_revenue'],
    events: [
      { name: 'af_purchase', label: 'Purchase', offered: true, payer: 'always' },
      { name: 'debug', label: null, offered: false, payer: 'purchase' },
    ],
  });
  await company.call('PUT', path, { events: [{ name: 'af_purchase', offered: false }] });
  expect((await company.call('GET', path)).data).toMatchObject({
    view_window_days: 1,
    events: [
      { name: 'af_purchase', label: 'Purchase', offered: false, payer: 'always' },
      { name: 'debug', label: null, offered: false, payer: 'purchase' },
    ],
  });
  const logged = (await changesOf(app, company, appId)).filter(({ action }) => action === 'update');
  expect(logged.map(({ fields }) => fields)).toEqual([
    [
      { field: 'event_view_window_days', before: 180, after: 1 },
      { field: 'event_labels', before: [], after: ['af_purchase: Purchase'] },
      { field: 'events_not_offered', before: [], after: ['debug'] },
      { field: 'event_payers', before: [], after: ['af_purchase: always'] },
    ],
    [{ field: 'events_not_offered', before: [], after: ['af_purchase'] }],
  ]);

  const errorsOf = async (body: object) => (await company.call('PUT', path, body)).errors;
  expect(await errorsOf({ events: [{ name: 'debug' }, { name: 'unheard' }] })).toEqual([
    { field: 'events.1.name', message: 'The app has no event named “unheard”' },
  ]);
  expect(await errorsOf({ revenue_sources: [] })).toEqual([
    { field: 'revenue_sources', message: 'Choose at least one source' },
  ]);
  expect(await errorsOf({ events: [{ name: 'debug', label: 'x'.repeat(51) }] })).toEqual([
    { field: 'events.0.label', message: 'At most 50 characters' },
  ]);
  const stranger = await app.freshCompany();
  expect((await stranger.call('PUT', path, { events: [{ name: 'debug', label: 'Mine' }] })).status).toBe(404);
});

test('the apps of a company have at most 100 events that always or never make a payer', async () => {
  const company = await app.freshCompany();
  const names = Array.from({ length: 60 }, (_, index) => `e${index}`);
  const ruled = (payer: string, count: number) => ({
    events: names.slice(0, count).map((name) => ({ name, payer })),
  });
  const [one, other] = [await appWith(company, names), await appWith(company, names)];
  expect((await company.call('PUT', `/app/${one}/events`, ruled('never', 60))).status).toBe(200);
  expect((await company.call('PUT', `/app/${other}/events`, ruled('always', 41))).errors).toMatchObject([
    { field: 'events' },
  ]);
  expect((await company.call('PUT', `/app/${other}/events`, ruled('always', 40))).status).toBe(200);
});

test('a report names events as its apps do, unless they differ', async () => {
  const company = await app.freshCompany();
  const [one, other] = [await appWith(company, ['buy', 'open']), await appWith(company, ['buy'])];
  const label = async (appId: string, text: string | null) =>
    company.call('PUT', `/app/${appId}/events`, { events: [{ name: 'buy', label: text }] });
  const labelsOf = async (filters: object = {}) => {
    const query = { start_date: DAY, end_date: DAY, levels: { day: '' }, event_names: ['buy', 'open'] };
    return (await company.call('POST', '/analytics/level', { ...query, filters })).data.event_labels;
  };
  const open = { name: 'open', label: null };
  await label(one, 'Purchase');
  expect(await labelsOf()).toEqual([{ name: 'buy', label: null }, open]);
  expect(await labelsOf({ app: one })).toEqual([{ name: 'buy', label: 'Purchase' }, open]);
  const campaign = await make(company, '/campaign', { name: 'Of one app', app_uuid: one, adset_uuids: [] });
  expect(await labelsOf({ campaign })).toEqual([{ name: 'buy', label: 'Purchase' }, open]);
  const range = { start_date: DAY, end_date: DAY };
  const bundles = { ...range, campaign_uuid: campaign, event_names: ['buy', 'open'] };
  expect((await company.call('POST', '/analytics/bundle', bundles)).data.event_labels).toEqual([
    { name: 'buy', label: 'Purchase' },
    open,
  ]);
  await label(other, 'Purchase');
  expect(await labelsOf()).toEqual([{ name: 'buy', label: 'Purchase' }, open]);
});

test('the events of measurement have their labels, and say whether choices offer them', async () => {
  const company = await app.freshCompany();
  const appId = await appWith(company, ['purchase']);
  await storeEvents(ctx, company.companyId, person(appId, [dollars(3)]));
  const shown = async () =>
    (await company.call('GET', `/measurement?start_date=${DAY}&end_date=${DAY}`)).data.in_app_events;
  expect(await shown()).toMatchObject([{ name: 'purchase', label: null, offered: true, revenue: 3 }]);
  await company.call('PUT', `/app/${appId}/events`, {
    events: [{ name: 'purchase', label: 'Bought', offered: false }],
  });
  expect(await shown()).toMatchObject([{ name: 'purchase', label: 'Bought', offered: false }]);
});
