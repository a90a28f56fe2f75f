import { ALL_METRICS, APP_EVENT_METRICS } from '@bidwell/contract/reports/metrics';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { type SampleAppEvent, type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';

const app = await testApp({}, undefined, answersWhenDecided);
const { ctx } = app;
const { freshAdvertiser } = partnersOf(app);
const NOON = '2026-03-10T12:00:00Z';
const DAY = { start_date: '2026-03-10', end_date: '2026-03-10', metrics: [...APP_EVENT_METRICS] };

const bought = (clickBidId: string, dollars: number | undefined, more: SampleAppEvent = {}): SampleEvent => ({
  at: NOON,
  kind: 'app_event',
  app: {
    clickBidId,
    amount: String(dollars ?? 1),
    ...(dollars !== undefined && { revenueMicros: dollars * 1_000_000 }),
    ...more,
  },
});
const shown = (dollars: number, more: Partial<SampleEvent> = {}): SampleEvent => ({
  at: NOON,
  kind: 'impression',
  spendMicros: dollars * 1_000_000,
  ...more,
});
const installed = (more: Partial<SampleEvent> = {}): SampleEvent => ({ at: NOON, kind: 'install', ...more });

async function companyWith(events: readonly SampleEvent[], timeZone = 'UTC'): Promise<TestCompany> {
  const company = await app.freshCompany();
  await setTimeZone(ctx, company, timeZone);
  await storeEvents(ctx, company.companyId, events);
  return company;
}

async function reportOf(company: TestCompany, query: object) {
  const { status, data } = await company.call('POST', '/analytics/level', query);
  expect(status).toBe(200);
  return data;
}

test('a report has the in-app events, people and revenue of postbacks, each counted once', async () => {
  const { company, clicked, expectOutcomes } = await freshAdvertiser();
  const ids = { campaignId: uuidv7() };
  const [first, second] = [await clicked(ids), await clicked(ids)];
  const ofTest = await clicked({ ...ids, test: true });
  const purchase = { event_name: 'purchase', event_id: '1', revenue: '10', currency: 'USD' };
  await expectOutcomes([
    [first, purchase, 'stored'],
    [first, { ...purchase, event_id: '2', revenue: '-4' }, 'stored'],
    [second, { ...purchase, event_id: '3', currency: 'XAU' }, 'stored'],
    [second, { event_name: 'level', event_id: '4' }, 'stored'],
    [ofTest, { ...purchase, event_id: '5' }, 'stored'],
    [first, {}, 'stored'],
  ]);
  await expectOutcomes([[first, purchase, 'duplicate']]);
  await app.settled();
  const today = app.clock.now.toISOString().slice(0, 10);
  const query = { start_date: today, end_date: today, levels: { campaign: '' }, metrics: APP_EVENT_METRICS };
  const { total, rows } = await reportOf(company, { ...query, event_names: ['purchase', 'level', 'none'] });
  expect(total).toMatchObject({ app_events: 4, payers: 1, payer_rate: 100, revenue: 6, arpu: 6, arppu: 6 });
  expect(total.named_events).toMatchObject([
    { name: 'purchase', count: 3, people: 2 },
    { name: 'level', count: 1, people: 1 },
    { name: 'none', count: 0, people: 0, cost_per_event: null },
  ]);
  expect(rows).toMatchObject([total]);
});

test('revenue is compared with spend and installs', async () => {
  const [one, other] = [uuidv7(), uuidv7()];
  const company = await companyWith([
    shown(40),
    ...[1, 2, 3, 4].map(() => installed()),
    bought(one, 5),
    bought(one, 10),
    bought(other, 15),
    bought(other, undefined),
    bought(uuidv7(), -2),
  ]);
  const { total } = await reportOf(company, {
    ...DAY,
    event_names: ['purchase'],
    levels: { bundle: '' },
  });
  expect(total).toEqual({
    app_events: 5,
    cost_per_app_event: 8,
    payers: 2,
    payer_rate: 50,
    revenue: 28,
    arpu: 7,
    arppu: 14,
    roas: 70,
    unknown_amounts: 1,
    named_events: [{ name: 'purchase', count: 5, people: 3, cost_per_event: 8 }],
  });
});

test('the report by bundle has the metrics and in-app events that are chosen, as the level report has', async () => {
  const buyer = uuidv7();
  const company = await companyWith([
    shown(4, { bundle: 'one.app' }),
    { at: NOON, kind: 'win', bundle: 'one.app' },
    { at: NOON, kind: 'loss', bundle: 'one.app' },
    { at: NOON, kind: 'click', bundle: 'one.app', mark: 'bot' },
    installed({ bundle: 'one.app' }),
    { ...bought(buyer, 6), bundle: 'one.app' },
    { ...bought(buyer, 2, { name: 'level' }), bundle: 'one.app' },
    { ...bought(uuidv7(), undefined), bundle: 'other.app' },
  ]);
  const query = { ...DAY, metrics: [...ALL_METRICS], event_names: ['purchase'] };
  const bundles = await company.call('POST', '/analytics/bundle', query);
  expect(bundles.status).toBe(200);
  const { rows, total } = bundles.data;
  expect(rows).toMatchObject([
    {
      bundle: 'one.app',
      spends: 4,
      win_rate: 50,
      install_rate: null,
      invalid_clicks: 1,
      app_events: 2,
      revenue: 8,
      roas: 200,
      named_events: [{ name: 'purchase', count: 1, people: 1, cost_per_event: 4 }],
    },
    { bundle: 'other.app', spends: 0, app_events: 1, revenue: null, payers: null },
  ]);
  const levels = await reportOf(company, { ...query, levels: { bundle: '' } });
  expect(total).toEqual(levels.total);
  expect(Object.keys(total).toSorted()).toEqual([...ALL_METRICS, 'named_events'].toSorted());
  const [few] = (await company.call('POST', '/analytics/bundle', { ...DAY, metrics: ['roas'] })).data.rows;
  expect(few).toEqual({ bundle: 'one.app', name: 'one.app', roas: 200 });
  expect((await company.call('POST', '/analytics/bundle', { ...DAY, metrics: ['luck'] })).status).toBe(422);
});

test('revenue that is not known of any event is unknown, and without amounts it is nothing', async () => {
  const company = await companyWith([
    shown(2, { bundle: 'unknown.app' }),
    { ...bought(uuidv7(), undefined), bundle: 'unknown.app' },
    shown(1, { bundle: 'levels.app' }),
    { ...bought(uuidv7(), undefined, { name: 'level', amount: '' }), bundle: 'levels.app' },
  ]);
  const { rows } = await reportOf(company, { ...DAY, levels: { bundle: '' } });
  expect(rows).toMatchObject([
    { value: 'unknown.app', app_events: 1, revenue: null, payers: null, roas: null },
    { value: 'levels.app', app_events: 1, revenue: 0, payers: 0, roas: 0, arppu: null },
  ]);
});

test('invalid, test and rejected events do not count, and a person without another payment is no payer', async () => {
  const [one, other, third] = [uuidv7(), uuidv7(), uuidv7()];
  const paid = bought(one, 3);
  const company = await companyWith([
    paid,
    { ...paid, kind: 'app_event_rejected' },
    bought(other, 7),
    bought(other, 1),
    { ...bought(other, 1), kind: 'app_event_rejected' },
    { ...bought(third, 5), mark: 'bot' },
    { ...bought(third, 5), test: true },
  ]);
  const { total } = await reportOf(company, { ...DAY, event_names: ['purchase'], levels: { campaign: '' } });
  expect(total).toMatchObject({ app_events: 1, payers: 1, revenue: 7, arppu: 7 });
  expect(total.named_events).toMatchObject([{ count: 1, people: 1 }]);
});

test('an event is of the day of the company’s zone on which its postback came', async () => {
  const at = (time: string, dollars: number) => ({ ...bought(uuidv7(), dollars), at: time });
  const events = [
    at('2026-03-09T18:29:59.999Z', 1),
    at('2026-03-09T18:30:00.000Z', 2),
    at('2026-03-10T18:29:59.999Z', 4),
    at('2026-03-10T18:30:00.000Z', 8),
  ];
  const company = await companyWith(events, 'Asia/Kolkata');
  const query = { ...DAY, levels: { day: '' }, metrics: ['revenue'] };
  const ofDay = await reportOf(company, { ...query, compare: true });
  expect(ofDay.total).toEqual({ revenue: 6, previous: { revenue: 1 } });
  const ofDays = await reportOf(company, { ...query, start_date: '2026-03-09', end_date: '2026-03-11' });
  expect(
    ofDays.rows.map(({ value, revenue }: { value: string; revenue: number }) => [value, revenue]),
  ).toEqual([
    ['2026-03-09', 1],
    ['2026-03-10', 6],
    ['2026-03-11', 8],
  ]);
});

test('a person who pays on two days is one payer of the week and of the campaign', async () => {
  const [one, other] = [uuidv7(), uuidv7()];
  const company = await companyWith([
    bought(one, 1),
    { ...bought(one, 1), at: '2026-03-11T12:00:00Z' },
    { ...bought(other, 1), at: '2026-03-11T12:00:00Z' },
  ]);
  const week = {
    ...DAY,
    end_date: '2026-03-16',
    metrics: ['payers', 'app_events'],
    event_names: ['purchase'],
  };
  const { rows, total } = await reportOf(company, { ...week, levels: { campaign: '', day: '' } });
  const named = (people: number) => [expect.objectContaining({ people })];
  expect(total).toMatchObject({ payers: 2, app_events: 3, named_events: named(2) });
  expect(rows).toMatchObject([
    { payers: 2, app_events: 3, named_events: named(2), children: [{ payers: 1 }, { payers: 2 }] },
  ]);
  const first = await reportOf(company, { ...week, levels: { day: '' }, top: 1 });
  expect(first.rows.find(({ value }: { value: string }) => value === 'Other')).toMatchObject({
    payers: null,
  });
});

test('the rows and the row Other add up to the total', async () => {
  const events = Array.from({ length: 6 }, (_, n): SampleEvent[] => {
    const bundle = `app${n}.example`;
    const paid = (dollars: number) => ({ ...bought(uuidv7(), dollars), bundle });
    return [shown(n, { bundle }), installed({ bundle }), ...[1, 2, 3].slice(0, n % 3).map(paid)];
  }).flat();
  const company = await companyWith(events);
  const metrics = ['spends', 'installs', 'app_events', 'payers', 'revenue'];
  const query = { ...DAY, metrics, event_names: ['purchase'], levels: { bundle: '' }, top: 2 };
  const { rows, total } = await reportOf(company, query);
  expect(rows.map(({ value }: { value: string }) => value)).toEqual([
    'app5.example',
    'app4.example',
    'Other',
  ]);
  for (const metric of metrics)
    expect(rows.reduce((sum: number, row: Record<string, number>) => sum + row[metric]!, 0)).toBe(
      total[metric],
    );
  expect(total).toMatchObject({ app_events: 6, payers: 6, revenue: 8 });
  expect(rows[2]).toMatchObject({ app_events: 3, payers: 3, named_events: [{ count: 3, people: 3 }] });
});

test('a row with revenue and no spend is in reports that have in-app events, and in no other', async () => {
  const company = await companyWith([
    shown(1, { bundle: 'shown.app' }),
    { ...bought(uuidv7(), 5), bundle: 'paid.app' },
  ]);
  const { rows } = await reportOf(company, {
    ...DAY,
    metrics: ['spends', 'revenue', 'roas'],
    levels: { bundle: '' },
  });
  expect(rows).toMatchObject([
    { value: 'shown.app', spends: 1, revenue: 0, roas: 0 },
    { value: 'paid.app', spends: 0, revenue: 5, roas: null },
  ]);
  const named = await reportOf(company, {
    ...DAY,
    metrics: ['spends'],
    event_names: ['purchase'],
    levels: { bundle: '' },
  });
  expect(named.rows).toHaveLength(2);
  for (const levels of [{ bundle: '' }, { bundle: '', country: '' }, { bundle: '', hour: '' }]) {
    const without = await reportOf(company, { ...DAY, metrics: null, levels });
    expect(without.rows.map(({ value }: { value: string }) => value)).toEqual(['shown.app']);
  }
});

test('reports filter and compare in-app events, and paginate them', async () => {
  const company = await companyWith([
    { ...bought(uuidv7(), 5), bundle: 'a.app', country: 'US' },
    { ...bought(uuidv7(), 3), bundle: 'b.app', country: 'DE' },
    { ...bought(uuidv7(), 2), bundle: 'b.app', country: 'DE', at: '2026-03-09T12:00:00Z' },
  ]);
  const query = { ...DAY, metrics: ['revenue', 'payers'], levels: { bundle: '' } };
  const german = await reportOf(company, { ...query, filters: { country: 'DE' }, compare: true });
  expect(german.rows).toMatchObject([
    { value: 'b.app', revenue: 3, payers: 1, previous: { revenue: 2, payers: 1 } },
  ]);
  const page = await reportOf(company, { ...query, page: 2, limit: 1 });
  expect(page).toMatchObject({
    rows_total: 2,
    rows: [{ value: 'b.app', revenue: 3 }],
    total: { revenue: 8 },
  });
});

test('an export has columns for the metrics and for each named event', async () => {
  const company = await companyWith([shown(9), bought(uuidv7(), 4), bought(uuidv7(), 5, { name: '=buy' })]);
  const { data } = await company.call('POST', '/analytics/export', {
    ...DAY,
    metrics: ['spends', 'revenue', 'payers', 'arpu'],
    event_names: ['purchase', '=buy'],
    levels: { country: '' },
  });
  expect(String(data).trim().split('\r\n')).toEqual([
    `country,country_name,spends,revenue,payers,arpu,purchase: count,purchase: people,purchase: cost_per_event,"'=buy: count","'=buy: people","'=buy: cost_per_event"`,
    'US,United States,9,9,2,,1,1,9,1,1,9',
  ]);
});

test('a report takes at most ten names of events', async () => {
  const company = await app.freshCompany();
  const names = Array.from({ length: 11 }, (_, n) => `event ${n}`);
  const { status, errors } = await company.call('POST', '/analytics/level', {
    ...DAY,
    levels: { campaign: '' },
    event_names: names,
  });
  expect([status, errors?.[0]?.field]).toEqual([422, 'event_names']);
});
