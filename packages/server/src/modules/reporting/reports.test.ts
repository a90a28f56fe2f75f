import { expect, onTestFinished, test, vi } from 'vitest';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';

const app = await testApp();
const { ctx } = app;

async function companyIn(timeZone: string): Promise<TestCompany> {
  const company = await app.freshCompany();
  await setTimeZone(ctx, company, timeZone);
  return company;
}

const event = (at: string, kind: SampleEvent['kind'], more: Partial<SampleEvent> = {}): SampleEvent => ({
  at,
  kind,
  ...more,
});

async function highlight(company: TestCompany, query: string) {
  return company.call('GET', `/v2/analytics/highlight?${query}`);
}

const values = (metric: { series: { bucket: string; value: number | null }[] }) =>
  Object.fromEntries(metric.series.map(({ bucket, value }) => [bucket, value]));

test('reports require a session', async () => {
  const url = '/api/internal/v2/analytics/highlight?start_date=2026-01-01&end_date=2026-01-02';
  expect((await app.http.inject({ url })).statusCode).toBe(401);
});

test('a company without events has empty highlights with every bucket', async () => {
  const company = await app.freshCompany();
  const { status, data } = await highlight(company, 'start_date=2026-01-01&end_date=2026-01-03');
  expect(status).toBe(200);
  expect(data.spend).toMatchObject({ total: 0, previous: 0, change_percent: null });
  expect(data.cpi).toMatchObject({ total: null, previous: null, change_percent: null });
  expect(values(data.clicks)).toEqual({ '2026-01-01': 0, '2026-01-02': 0, '2026-01-03': 0 });
});

test('highlights count each kind, sum all spend, compare with the previous period and exclude tests', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [
    event('2026-01-08T12:00:00Z', 'impression'),
    event('2026-01-09T12:00:00Z', 'click'),
    event('2026-01-10T00:00:00Z', 'impression'),
    event('2026-01-10T00:00:01Z', 'billing', { spendMicros: 2_000_000 }),
    event('2026-01-11T23:59:59.999Z', 'impression'),
    event('2026-01-11T23:59:59.999Z', 'win', { spendMicros: 1_000_000 }),
    event('2026-01-11T10:00:00Z', 'click'),
    event('2026-01-11T10:00:00Z', 'click'),
    event('2026-01-11T11:00:00Z', 'install'),
    event('2026-01-11T11:00:00Z', 'loss'),
    event('2026-01-11T12:00:00Z', 'billing', { spendMicros: 9_000_000, test: true }),
    event('2026-01-11T12:00:00Z', 'impression', { test: true }),
    event('2026-01-12T00:00:00Z', 'impression'),
  ]);
  const { data } = await highlight(company, 'start_date=2026-01-10&end_date=2026-01-11');
  expect(data.impressions).toMatchObject({ total: 2, previous: 1, change_percent: 100 });
  expect(data.clicks).toMatchObject({ total: 2, previous: 1, change_percent: 100 });
  expect(data.installs).toMatchObject({ total: 1, previous: 0, change_percent: null });
  expect(data.spend).toMatchObject({ total: 3, previous: 0, change_percent: null });
  expect(data.cpm).toMatchObject({ total: 1500, previous: 0, change_percent: null });
  expect(data.cpi).toMatchObject({ total: 3, previous: null, change_percent: null });
  expect(values(data.spend)).toEqual({ '2026-01-10': 2, '2026-01-11': 1 });
  expect(values(data.cpi)).toEqual({ '2026-01-10': null, '2026-01-11': 1 });
});

test('today so far is compared with yesterday up to the same time, a whole day with a whole day', async () => {
  const present = app.clock.now;
  onTestFinished(() => void (app.clock.now = present));
  app.clock.now = new Date('2026-01-11T10:30:20Z');
  const company = await companyIn('Europe/Berlin');
  const spent = (at: string, dollars: number) => event(at, 'billing', { spendMicros: dollars * 1_000_000 });
  await storeEvents(ctx, company.companyId, [
    spent('2026-01-08T12:00:00Z', 1),
    spent('2026-01-09T09:00:00Z', 5),
    // The day before yesterday, and yesterday, before and after the present time of day.
    spent('2026-01-09T10:29:00Z', 3),
    spent('2026-01-09T10:32:00Z', 4),
    spent('2026-01-10T10:29:00Z', 10),
    spent('2026-01-10T10:32:00Z', 30),
    spent('2026-01-11T10:00:00Z', 15),
  ]);
  const today = 'start_date=2026-01-11&end_date=2026-01-11';
  const of = async (query: string) => (await highlight(company, query)).data.spend;
  expect(await of(today)).toMatchObject({ total: 15, previous: 10, change_percent: 50 });
  expect(await of(`${today}&group=hour`)).toMatchObject({ total: 15, previous: 10 });
  expect(await of('start_date=2026-01-10&end_date=2026-01-10')).toMatchObject({ total: 40, previous: 12 });
  // Two days: the 10th and the 11th so far, with the 8th and the 9th so far.
  expect(await of('start_date=2026-01-10&end_date=2026-01-11')).toMatchObject({ total: 55, previous: 9 });
  const report = async (levels: object) =>
    (
      await company.call('POST', '/analytics/level', {
        start_date: '2026-01-11',
        end_date: '2026-01-11',
        levels,
        compare: true,
      })
    ).data;
  expect((await report({ os: '' })).total).toMatchObject({ spends: 15, previous: { spends: 10 } });
  expect((await report({ day: '' })).rows).toMatchObject([{ spends: 15, previous: { spends: 10 } }]);
});

test('highlights by hour have a bucket for each hour, and the totals of the days', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [
    event('2026-01-09T12:00:00Z', 'click'),
    event('2026-01-10T00:00:00Z', 'click'),
    event('2026-01-10T13:59:59Z', 'click'),
    event('2026-01-10T13:00:00Z', 'click'),
  ]);
  const range = 'start_date=2026-01-10&end_date=2026-01-10';
  const { clicks } = (await highlight(company, `${range}&group=hour`)).data;
  expect(clicks).toMatchObject({ total: 3, previous: 1, change_percent: 200 });
  const hours = values(clicks);
  expect(Object.keys(hours)).toHaveLength(24);
  expect(hours).toMatchObject({ '2026-01-10T00:00Z': 1, '2026-01-10T12:00Z': 0, '2026-01-10T13:00Z': 2 });
});

test('weeks begin on Monday; months and years on their first day', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [
    event('2025-12-31T12:00:00Z', 'click'),
    event('2026-01-04T12:00:00Z', 'click'),
    event('2026-01-05T12:00:00Z', 'click'),
  ]);
  const of = async (group: string) =>
    values(
      (await highlight(company, `start_date=2025-12-30&end_date=2026-01-06&group=${group}`)).data.clicks,
    );
  expect(await of('week')).toEqual({ '2025-12-29': 2, '2026-01-05': 1 });
  expect(await of('month')).toEqual({ '2025-12-01': 1, '2026-01-01': 2 });
  expect(await of('year')).toEqual({ '2025-01-01': 1, '2026-01-01': 2 });
});

test('highlights of one campaign', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'One');
  await storeEvents(ctx, company.companyId, [
    event('2026-01-10T12:00:00Z', 'click', { campaignId }),
    event('2026-01-10T12:00:00Z', 'click'),
  ]);
  const range = 'start_date=2026-01-10&end_date=2026-01-10';
  expect((await highlight(company, range)).data.clicks.total).toBe(2);
  expect((await highlight(company, `${range}&campaign_uuid=${campaignId}`)).data.clicks.total).toBe(1);
});

test('days are the company’s: half hours in Kolkata', async () => {
  const company = await companyIn('Asia/Kolkata');
  await storeEvents(ctx, company.companyId, [
    event('2026-01-09T18:29:59.999Z', 'click'),
    event('2026-01-09T18:30:00.000Z', 'click'),
    event('2026-01-10T18:29:59.999Z', 'click'),
    event('2026-01-10T18:30:00.000Z', 'click'),
  ]);
  const { data } = await highlight(company, 'start_date=2026-01-10&end_date=2026-01-10');
  expect(data.clicks).toMatchObject({ total: 2, previous: 1 });
  const wider = await highlight(company, 'start_date=2026-01-09&end_date=2026-01-11');
  expect(values(wider.data.clicks)).toEqual({ '2026-01-09': 1, '2026-01-10': 2, '2026-01-11': 1 });
});

test('days are the company’s: the short and the long day of New York', async () => {
  const company = await companyIn('America/New_York');
  await storeEvents(ctx, company.companyId, [
    // 8 March 2026 has 23 hours: 05:00Z to 04:00Z.
    event('2026-03-08T04:59:59.999Z', 'click'),
    event('2026-03-08T05:00:00.000Z', 'click'),
    event('2026-03-09T03:59:59.999Z', 'click'),
    event('2026-03-09T04:00:00.000Z', 'click'),
    // 1 November 2026 has 25: 04:00Z to 05:00Z.
    event('2026-11-01T04:00:00.000Z', 'click'),
    event('2026-11-02T04:59:59.999Z', 'click'),
    event('2026-11-02T05:00:00.000Z', 'click'),
  ]);
  const spring = await highlight(company, 'start_date=2026-03-07&end_date=2026-03-09');
  expect(values(spring.data.clicks)).toEqual({ '2026-03-07': 1, '2026-03-08': 2, '2026-03-09': 1 });
  const autumn = await highlight(company, 'start_date=2026-11-01&end_date=2026-11-02');
  expect(values(autumn.data.clicks)).toEqual({ '2026-11-01': 2, '2026-11-02': 1 });
});

test('events of other companies are invisible', async () => {
  const [one, other] = [await app.freshCompany(), await app.freshCompany()];
  const campaignId = await makeCampaign(ctx, one, 'Secret');
  await storeEvents(ctx, one.companyId, [
    event('2026-01-10T12:00:00Z', 'billing', { campaignId, spendMicros: 5 }),
  ]);
  const range = { start_date: '2026-01-10', end_date: '2026-01-10' };
  const query = `start_date=2026-01-10&end_date=2026-01-10&campaign_uuid=${campaignId}`;
  expect((await highlight(other, query)).data.spend.total).toBe(0);
  const bundles = await other.call('POST', '/analytics/bundle', { ...range, campaign_uuid: campaignId });
  expect(bundles.data).toMatchObject({ rows: [], total: { spends: 0 } });
  const levels = { campaign: campaignId };
  expect((await other.call('POST', '/analytics/level', { ...range, levels })).data.rows).toEqual([]);
  // The event names another company's campaign: its name is not looked up, the uuid is shown instead.
  await storeEvents(ctx, other.companyId, [event('2026-01-10T12:00:00Z', 'click', { campaignId })]);
  const seen = await other.call('POST', '/analytics/level', { ...range, levels });
  expect(seen.data.rows).toMatchObject([{ value: campaignId, name: campaignId, clicks: 1 }]);
});

test('the bundle report has a row per bundle, filtered by creatives and campaign', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'One');
  const creativeId = '019a0000-0000-7000-8000-000000000001';
  await storeEvents(ctx, company.companyId, [
    event('2026-01-10T12:00:00Z', 'billing', { bundle: 'a.b', spendMicros: 1_000_000, creativeId }),
    event('2026-01-10T12:00:00Z', 'impression', { bundle: 'a.b', creativeId }),
    event('2026-01-10T12:00:00Z', 'billing', { bundle: 'c.d', spendMicros: 2_000_000, campaignId }),
    event('2026-01-10T12:00:00Z', 'click', { bundle: 'c.d', campaignId }),
  ]);
  const range = { start_date: '2026-01-10', end_date: '2026-01-10' };
  const all = await company.call('POST', '/analytics/bundle', range);
  expect(all).toMatchObject({
    status: 200,
    data: { total: { spends: 3, clicks: 1, impressions: 1, ctr: 100 } },
  });
  expect(all.data.rows).toMatchObject([
    { bundle: 'c.d', spends: 2, clicks: 1, ctr: null, cpm: null, cpi: null },
    { bundle: 'a.b', spends: 1, impressions: 1, ctr: 0, cpm: 1000, cpi: null },
  ]);
  const bundles = async (filter: object) =>
    (await company.call('POST', '/analytics/bundle', { ...range, ...filter })).data.rows.map(
      (row: { bundle: string }) => row.bundle,
    );
  expect(await bundles({ creative_ids: [creativeId] })).toEqual(['a.b']);
  expect(await bundles({ campaign_uuid: campaignId })).toEqual(['c.d']);
  expect(await bundles({ creative_ids: [creativeId], campaign_uuid: campaignId })).toEqual([]);
});

test('bundles beyond the limit are summed as Other', async () => {
  const company = await app.freshCompany();
  const events = Array.from({ length: 10_003 }, (_, index) =>
    event('2026-01-10T12:00:00Z', 'billing', { bundle: `b${index}`, spendMicros: 1000 + index }),
  );
  await storeEvents(ctx, company.companyId, events);
  const range = { start_date: '2026-01-10', end_date: '2026-01-10' };
  const { data } = await company.call('POST', '/analytics/bundle', range);
  expect(data.rows).toHaveLength(10_001);
  expect(data.rows[0].bundle).toBe('b10002');
  expect(data.rows.at(-1)).toMatchObject({ bundle: 'Other', spends: 0.003003 });
  const micros = data.rows.reduce(
    (sum: number, row: { spends: number }) => sum + Math.round(row.spends * 1e6),
    0,
  );
  expect(micros).toBe(Math.round(data.total.spends * 1e6));
  const levels = await company.call('POST', '/analytics/level', { ...range, levels: { os: '', bundle: '' } });
  const [android] = levels.data.rows;
  expect(android.children).toHaveLength(10_001);
  expect(android.children.at(-1)).toMatchObject({ level: 'bundle', value: 'Other', spends: 0.003003 });
});

test('the level report is a tree in the order of the keys, with names and filters', async () => {
  const company = await app.freshCompany();
  const [one, two] = [await makeCampaign(ctx, company, 'One'), await makeCampaign(ctx, company, 'Two')];
  const at = '2026-01-10T12:00:00Z';
  const spend = (campaignId: string, country: string, spendMicros: number, durationMs = 0) =>
    event(at, 'billing', { campaignId, country, spendMicros, durationMs });
  await storeEvents(ctx, company.companyId, [
    spend(one, 'US', 1_000_000, 14_900),
    spend(one, 'IN', 3_000_000),
    spend(two, 'IN', 500_000),
    spend(two, '', 250_000),
    event(at, 'impression', { campaignId: one, country: 'US' }),
  ]);
  const report = async (levels: object, more: object = {}) =>
    company.call('POST', '/analytics/level', {
      start_date: '2026-01-10',
      end_date: '2026-01-10',
      levels,
      ...more,
    });
  const outline = (rows: { name: string; spends: number; children: never[] }[]): unknown[] =>
    rows.map((row) =>
      row.children.length > 0 ? [row.name, row.spends, outline(row.children)] : [row.name, row.spends],
    );
  const byCampaign = await report({ campaign: '', country: '' });
  expect(outline(byCampaign.data.rows)).toEqual([
    [
      'One',
      4,
      [
        ['India', 3],
        ['United States', 1],
      ],
    ],
    [
      'Two',
      0.75,
      [
        ['India', 0.5],
        ['Unknown', 0.25],
      ],
    ],
  ]);
  expect(byCampaign.data.total).toMatchObject({ spends: 4.75, impressions: 1, cpm: 4750, cpi: null });
  expect(byCampaign.data.rows[0]).toMatchObject({ level: 'campaign', value: one, cpm: 4000 });
  expect(outline((await report({ country: '', campaign: '' })).data.rows)[0]).toEqual([
    'India',
    3.5,
    [
      ['One', 3],
      ['Two', 0.5],
    ],
  ]);
  expect(outline((await report({ campaign: `${two}, ${one}`, country: 'us' })).data.rows)).toEqual([
    ['One', 1, [['United States', 1]]],
  ]);
  expect(outline((await report({ country: '' }, { filters: { campaign: two } })).data.rows)).toEqual([
    ['India', 0.5],
    ['Unknown', 0.25],
  ]);
  expect(outline((await report({ creative_duration: '15' })).data.rows)).toEqual([['15 s', 1]]);
  expect((await report({ campaign: one }, { filters: { campaign: two } })).data.rows).toEqual([]);
});

test('reports prefer only aggregates that the database has', async () => {
  const company = await companyIn('UTC');
  await storeEvents(ctx, company.companyId, [
    event('2025-11-10T12:00:00Z', 'click'),
    event('2026-02-10T12:00:00Z', 'click'),
  ]);
  const queries = vi.spyOn(ctx.clickhouse, 'query');
  onTestFinished(() => queries.mockRestore());
  for (const group of ['hour', 'day', 'month'])
    await highlight(company, `start_date=2000-01-01&end_date=3000-12-31&group=${group}`);
  await company.call('POST', '/analytics/level', {
    start_date: '2025-11-01',
    end_date: '2026-02-28',
    levels: { bundle: '' },
  });
  const preferred = queries.mock.calls.flatMap(([sql]) =>
    [...sql.matchAll(/preferred_optimize_projection_name = '(\w+)'/g)].map(([, name]) => name!),
  );
  const rows = await ctx.clickhouse.query<{ name: string }>(
    "select name from system.projections where database = currentDatabase() and table = 'events'",
  );
  expect(preferred).toContain('monthly_bundles');
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(preferred));
});

test('highlights of all time have the buckets from the first event to the last', async () => {
  const company = await companyIn('Asia/Kolkata');
  const read = (group: string, range = 'start_date=2000-01-01&end_date=3000-12-31') =>
    highlight(company, `${range}&group=${group}`);
  const empty = await read('day');
  expect(empty.data.clicks).toMatchObject({ total: 0, series: [{ bucket: '2000-01-01', value: 0 }] });
  await storeEvents(ctx, company.companyId, [
    event('2025-12-31T23:00:00Z', 'click'),
    event('2026-02-10T12:00:00Z', 'click'),
  ]);
  for (const [group, first, buckets] of [
    ['day', '2025-11-30', 92],
    ['week', '2025-11-24', 14],
    ['month', '2025-11-01', 5],
    ['year', '2000-01-01', 1001],
  ] as const) {
    const { status, data } = await read(group);
    expect([group, status, data.clicks.total, data.clicks.previous]).toEqual([group, 200, 2, 0]);
    const { series } = data.clicks as { series: { bucket: string; value: number }[] };
    expect([group, series[0]!.bucket, series.length]).toEqual([group, first, buckets]);
    expect(series.reduce((sum, { value }) => sum + value, 0)).toBe(2);
  }
  const later = await read('day', 'start_date=2026-03-05&end_date=3000-12-31');
  expect(later.data.clicks).toMatchObject({ total: 0, previous: 2, series: [{ bucket: '2026-03-05' }] });
  const never = await read('day', 'start_date=2500-01-01&end_date=2500-01-03');
  expect(never.data.clicks).toMatchObject({ total: 0, previous: 0 });
  expect(never.data.clicks.series).toHaveLength(3);
  await storeEvents(ctx, company.companyId, [event('2010-01-01T12:00:00Z', 'click')]);
  expect(await read('day')).toMatchObject({
    status: 422,
    errors: [{ field: 'end_date', message: 'Choose a range of at most 3660 days' }],
  });
  expect((await read('month')).data.clicks.total).toBe(3);
});

test('a level report of all time, by year and compared, counts everything', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [event('2026-02-10T12:00:00Z', 'click')]);
  const all = { start_date: '2000-01-01', end_date: '3000-12-31', levels: { year: '' }, compare: true };
  const { status, data } = await company.call('POST', '/analytics/level', all);
  expect([status, data.total.clicks, data.total.previous.clicks]).toEqual([200, 1, 0]);
  expect(data.rows).toMatchObject([{ value: '2026-01-01', clicks: 1 }]);
});

test('invalid reports are field errors', async () => {
  const company = await app.freshCompany();
  const range = { start_date: '2026-01-10', end_date: '2026-01-11' };
  const level = async (body: object) => company.call('POST', '/analytics/level', { ...range, ...body });
  const reversed = await highlight(company, 'start_date=2026-01-11&end_date=2026-01-10');
  expect(reversed).toMatchObject({
    status: 422,
    errors: [{ field: 'end_date', message: 'The end date is before the start date' }],
  });
  expect(await highlight(company, 'start_date=0001-01-01&end_date=0001-01-02')).toMatchObject({
    status: 422,
    errors: [{ field: 'start_date', message: 'Choose dates between 2000-01-01 and 3000-12-31' }],
  });
  expect((await highlight(company, 'start_date=2026-01-01&end_date=2026-02-30')).status).toBe(422);
  expect((await highlight(company, 'start_date=2026-01-01&end_date=2026-01-02&group=minute')).status).toBe(
    422,
  );
  expect(await level({ levels: {} })).toMatchObject({
    status: 422,
    errors: [{ field: 'levels', message: 'Choose at least one level' }],
  });
  expect((await level({ levels: { planet: '' } })).status).toBe(422);
  expect(await level({ levels: { adset: 'x' } })).toMatchObject({
    status: 422,
    errors: [{ field: 'levels.adset', message: 'Filter by uuids' }],
  });
  expect(await level({ levels: { os: '' }, filters: { creative_width: '1;2' } })).toMatchObject({
    status: 422,
    errors: [{ field: 'filters.creative_width', message: 'Filter by whole numbers' }],
  });
  const many = Array.from({ length: 10_001 }, (_, index) => `b${index}`).join(',');
  expect(await level({ levels: { bundle: many } })).toMatchObject({
    status: 422,
    errors: [{ field: 'levels', message: 'Filter by at most 10000 values' }],
  });
});

test('input never becomes SQL', async () => {
  const company = await app.freshCompany();
  const bundle = "x') or 1=1 --\\{company:UUID}";
  await storeEvents(ctx, company.companyId, [event('2026-01-10T12:00:00Z', 'click', { bundle: 'a.b' })]);
  const response = await company.call('POST', '/analytics/level', {
    start_date: '2026-01-10',
    end_date: '2026-01-10',
    levels: { bundle },
  });
  expect(response).toMatchObject({ status: 200, data: { rows: [] } });
});
