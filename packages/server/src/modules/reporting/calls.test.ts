import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { QueryTooLarge } from '../../platform/clickhouse/client.ts';
import { type SampleEvent, storeEvents, makeCampaign } from '@bidwell/testing/stored-events';
import { type ApiResponse, type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportReport } from './export.ts';

const app = await testApp();
const { ctx } = app;

type ReportCall = (company: TestCompany, start: string, end: string, more?: object) => Promise<ApiResponse>;

const highlight: ReportCall = (company, start, end, more = {}) =>
  company.call(
    'GET',
    `/v2/analytics/highlight?${new URLSearchParams({ start_date: start, end_date: end, ...more }).toString()}`,
  );
const bundle: ReportCall = (company, start, end, more = {}) =>
  company.call('POST', '/analytics/bundle', { start_date: start, end_date: end, ...more });
const level: ReportCall = (company, start, end, more = {}) =>
  company.call('POST', '/analytics/level', {
    start_date: start,
    end_date: end,
    levels: { bundle: '' },
    ...more,
  });
const csv: ReportCall = (company, start, end, more = {}) =>
  company.call('POST', '/analytics/export', {
    start_date: start,
    end_date: end,
    levels: { bundle: '' },
    ...more,
  });

/** Each reporting call, and how to read the number of clicks from its response. */
const calls: [name: string, request: ReportCall, clicksIn: (response: ApiResponse) => number][] = [
  ['highlight', highlight, ({ data }) => data.clicks.total],
  ['bundle', bundle, ({ data }) => data.total.clicks],
  ['level', level, ({ data }) => data.total.clicks],
  [
    'export',
    csv,
    ({ data }) =>
      String(data)
        .trim()
        .split('\r\n')
        .slice(1)
        .reduce((sum, line) => sum + Number(line.split(',')[3]), 0),
  ],
];

async function companyIn(timeZone: string, clicksAt: string[]): Promise<TestCompany> {
  const company = await app.freshCompany();
  await setTimeZone(ctx, company, timeZone);
  const events = clicksAt.map((at): SampleEvent => ({ at, kind: 'click', bundle: 'a.b' }));
  if (events.length > 0) await storeEvents(ctx, company.companyId, events);
  return company;
}

/** A company with clicks at the ends of days of UTC, and one with clicks at those of New York where clocks change. */
const inUtc = await companyIn('UTC', [
  '2024-02-28T12:00:00Z',
  '2024-02-29T12:00:00Z',
  '2024-03-01T12:00:00Z',
  '2026-01-09T23:59:59.999Z',
  '2026-01-10T00:00:00.000Z',
  '2026-01-10T23:59:59.999Z',
  '2026-01-11T00:00:00.000Z',
]);
const inNewYork = await companyIn('America/New_York', [
  '2026-03-08T04:59:59.999Z',
  '2026-03-08T05:00:00.000Z',
  '2026-03-09T03:59:59.999Z',
  '2026-03-09T04:00:00.000Z',
  '2026-11-01T03:59:59.999Z',
  '2026-11-01T04:00:00.000Z',
  '2026-11-02T04:59:59.999Z',
  '2026-11-02T05:00:00.000Z',
]);

describe.each(calls)('%s', (_name, request, clicksIn) => {
  test.each([
    ['of a range without events is empty', inUtc, '2026-02-01', '2026-02-07', 0],
    ['of the future is empty', inUtc, '2150-01-01', '2150-01-31', 0],
    ['of the last days that there are is empty', inUtc, '3000-12-01', '3000-12-31', 0],
    ['of one day has all of that day and nothing else', inUtc, '2026-01-10', '2026-01-10', 2],
    ['of the leap day has that day', inUtc, '2024-02-29', '2024-02-29', 1],
    ['of the days around the leap day has all of them', inUtc, '2024-02-28', '2024-03-01', 3],
    ['of a day on which clocks change has 23 hours', inNewYork, '2026-03-08', '2026-03-08', 2],
    ['of a day on which clocks change has 25 hours', inNewYork, '2026-11-01', '2026-11-01', 2],
  ])('%s', async (_what, company, start, end, clicks) => {
    const response = await request(company, start, end);
    expect([response.status, clicksIn(response)]).toEqual([200, clicks]);
  });

  test('rejects a range that ends before it begins, and a day that does not exist', async () => {
    expect(await request(inUtc, '2026-02-07', '2026-02-01')).toMatchObject({
      status: 422,
      errors: [{ field: 'end_date', message: 'The end date is before the start date' }],
    });
    expect((await request(inUtc, '2026-02-29', '2026-03-01')).status).toBe(422);
  });
});

test('week 53 and the year’s first days belong to the ISO year of their Thursday', async () => {
  const company = await companyIn('UTC', [
    '2020-12-28T00:00:00Z',
    '2021-01-03T23:59:59Z',
    '2021-01-04T00:00:00Z',
  ]);
  const { data } = await highlight(company, '2020-12-28', '2021-01-04', { group: 'week' });
  expect(data.clicks.series).toEqual([
    { bucket: '2020-12-28', value: 2 },
    { bucket: '2021-01-04', value: 1 },
  ]);
  const weeks = await level(company, '2020-12-28', '2021-01-04', { levels: { week: '' } });
  expect(weeks.data.rows).toMatchObject([
    { level: 'week', value: '2020-12-28', name: 'W53 2020', clicks: 2 },
    { level: 'week', value: '2021-01-04', name: 'W1 2021', clicks: 1 },
  ]);
});

test.each([
  ['level', level],
  ['export', csv],
] as const)('%s rejects unknown metrics, levels and filters', async (_name, request) => {
  const company = await app.freshCompany();
  const status = async (more: object) => (await request(company, '2026-01-01', '2026-01-02', more)).status;
  expect(await status({ metrics: ['profit'] })).toBe(422);
  expect(await status({ levels: { planet: '' } })).toBe(422);
  expect(await status({ levels: {} })).toBe(422);
  expect(await status({ filters: { planet: 'x' } })).toBe(422);
  expect(await status({ filters: { day: '2026-01-01' } })).toBe(422);
  expect(await status({ levels: { day: '2026-01-01' } })).toBe(422);
  expect(await status({ metrics: ['win_rate', 'ipm'] })).toBe(200);
});

test('unknown groups and creatives are rejected', async () => {
  const company = await app.freshCompany();
  expect((await highlight(company, '2026-01-01', '2026-01-02', { group: 'minute' })).status).toBe(422);
  expect((await bundle(company, '2026-01-01', '2026-01-02', { creative_ids: ['x'] })).status).toBe(422);
});

test('ten thousand values in a filter are accepted, one more is rejected', async () => {
  const company = await companyIn('UTC', ['2026-01-10T12:00:00Z']);
  const days = ['2026-01-10', '2026-01-10'] as const;
  const bundles = ['a.b', ...Array.from({ length: 9999 }, (_, n) => `b${n}`)];
  for (const request of [level, csv]) {
    const taken = await request(company, ...days, { filters: { bundle: bundles.join(',') } });
    expect(taken.status).toBe(200);
    const rejected = await request(company, ...days, { filters: { bundle: [...bundles, 'more'].join(',') } });
    expect(rejected.status).toBe(422);
  }
  const creative = (n: number) => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const creatives = Array.from({ length: 10_000 }, (_, n) => creative(n));
  expect((await bundle(company, ...days, { creative_ids: creatives })).data.total.clicks).toBe(0);
  expect((await bundle(company, ...days, { creative_ids: [...creatives, creative(10_000)] })).status).toBe(
    422,
  );
});

test('hours are separate, also the one that occurs twice', async () => {
  const company = await companyIn('America/New_York', [
    '2026-11-01T05:30:00Z',
    '2026-11-01T06:30:00Z',
    '2026-11-01T06:45:00Z',
  ]);
  const { data } = await level(company, '2026-11-01', '2026-11-01', { levels: { hour: '' } });
  expect(data.rows).toMatchObject([
    { value: '2026-11-01T05:00Z', name: '2026-11-01 01:00', clicks: 1 },
    { value: '2026-11-01T06:00Z', name: '2026-11-01 01:00', clicks: 2 },
  ]);
  const long = await level(company, '2026-01-01', '2026-12-31', { levels: { hour: '' } });
  expect(long).toMatchObject({
    status: 422,
    errors: [{ field: 'end_date', message: 'Choose a range of at most 3660 hours' }],
  });
});

test('time levels are in order at any depth, and the format is width by height', async () => {
  const company = await companyIn('UTC', [
    '2026-01-31T12:00:00Z',
    '2026-02-01T12:00:00Z',
    '2026-02-01T13:00:00Z',
  ]);
  const levels = { format: '', month: '', day: '' };
  const { data } = await level(company, '2026-01-01', '2026-02-28', { levels });
  expect(data.rows).toMatchObject([
    {
      value: '320x50',
      name: '320×50',
      clicks: 3,
      children: [
        { value: '2026-01-01', name: '2026-01', clicks: 1, children: [{ value: '2026-01-31', clicks: 1 }] },
        { value: '2026-02-01', name: '2026-02', clicks: 2, children: [{ value: '2026-02-01', clicks: 2 }] },
      ],
    },
  ]);
  const filtered = await level(company, '2026-01-01', '2026-02-28', { filters: { format: '300x250' } });
  expect(filtered.data.rows).toEqual([]);
});

test('the wins of an exchange that reports no losses are in no win rate', async () => {
  const company = await app.freshCompany();
  const at = '2026-01-10T12:00:00Z';
  const of = (exchange: string, kind: 'win' | 'loss', count: number, creativeId: string) =>
    Array.from({ length: count }, () => ({ at, kind, exchange, creativeId }));
  const [one, other] = [1, 2].map((n) => `019a0000-0000-7000-8000-00000000000${n}`) as [string, string];
  const events = [
    ...of('both', 'win', 1, one),
    ...of('both', 'loss', 3, one),
    ...of('both', 'win', 1, other),
    ...of('wins', 'win', 20, one),
    ...of('wins', 'win', 20, other),
  ];
  await storeEvents(ctx, company.companyId, [
    ...events,
    ...['both', 'wins'].map((exchange) => ({ at, kind: 'impression' as const, exchange, creativeId: one })),
  ]);
  const ratesBy = async (levels: object) => {
    const body = {
      start_date: '2026-01-10',
      end_date: '2026-01-10',
      levels,
      metrics: ['win_rate', 'impressions'],
    };
    const { data } = await company.call('POST', '/analytics/level', body);
    const rows: { value: string; win_rate: number | null }[] = data.rows;
    return {
      total: data.total.win_rate,
      ...Object.fromEntries(rows.map((row) => [row.value, row.win_rate])),
    };
  };
  expect(await ratesBy({ exchange: '' })).toEqual({ total: 40, both: 40, wins: null });
  expect(await ratesBy({ exchange: 'wins' })).toEqual({ total: null, wins: null });
  expect(await ratesBy({ creative: '' })).toEqual({ total: 40, [one]: 25, [other]: 100 });
  expect(await ratesBy({ day: '' })).toEqual({ total: 40, '2026-01-10': 40 });
});

test('only the requested metrics are returned, in rows, comparisons and totals', async () => {
  const company = await app.freshCompany();
  const at = '2026-01-10T12:00:00Z';
  const kinds = [
    'win',
    'win',
    'win',
    'loss',
    'impression',
    'impression',
    'click',
    'click',
    'install',
  ] as const;
  await storeEvents(
    ctx,
    company.companyId,
    kinds.map((kind) => ({ at, kind })),
  );
  const days = ['2026-01-10', '2026-01-10'] as const;
  const { data } = await level(company, ...days, { metrics: ['win_rate', 'install_rate', 'ipm'] });
  expect(data.total).toEqual({ win_rate: 75, install_rate: 50, ipm: 500 });
  expect(data.rows[0]).toMatchObject({ win_rate: 75, install_rate: 50, ipm: 500 });
  expect((await level(company, ...days)).data.total).not.toHaveProperty('win_rate');
  expect((await level(company, ...days, { metrics: [] })).data.total).toHaveProperty('spends');
});

test('invalid traffic is separate, and a reversed install is not counted', async () => {
  const company = await app.freshCompany();
  const at = '2026-01-10T12:00:00Z';
  await storeEvents(ctx, company.companyId, [
    { at, kind: 'impression' },
    { at, kind: 'click' },
    { at, kind: 'click' },
    { at, kind: 'click', mark: 'bot' },
    { at, kind: 'click', mark: 'datacenter' },
    { at, kind: 'install' },
    { at, kind: 'install' },
    { at, kind: 'install_rejected' },
    { at, kind: 'install', mark: 'bot' },
  ]);
  const days = ['2026-01-10', '2026-01-10'] as const;
  const metrics = ['clicks', 'installs', 'invalid_clicks', 'invalid_installs'];
  const { data } = await level(company, ...days, { metrics });
  expect(data.total).toEqual({ clicks: 2, installs: 1, invalid_clicks: 2, invalid_installs: 1 });
  expect(data.rows[0]).toMatchObject(data.total);
  const { data: highlights } = await highlight(company, ...days);
  expect(highlights).toMatchObject({ clicks: { total: 2 }, installs: { total: 1 } });
});

test('requested metrics of the previous period are returned', async () => {
  const company = await companyIn('UTC', ['2026-01-09T12:00:00Z', '2026-01-10T12:00:00Z']);
  const { data } = await level(company, '2026-01-10', '2026-01-10', { metrics: ['clicks'], compare: true });
  expect(data.total).toEqual({ clicks: 1, previous: { clicks: 1 } });
  expect(data.rows).toMatchObject([{ clicks: 1, previous: { clicks: 1 } }]);
  expect(data.rows[0]).not.toHaveProperty('spends');
});

test('a report with too many rows is rejected with a message, its parts are not', async () => {
  const company = await app.freshCompany();
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle, country, exchange, os)
    select toDateTime64('2026-01-10 12:00:00', 3, 'UTC'), 'click', toUUID('${company.companyId}'),
      concat('b', toString(number)), 'US', 'adx', 'ios' from numbers(11000)`);
  const days = ['2026-01-10', '2026-01-10'] as const;
  const three = { bundle: '', country: '', exchange: '' };
  const rejected = await level(company, ...days, { levels: { ...three, os: '' } });
  expect(rejected).toMatchObject({
    status: 422,
    data: 'This report is too large. Narrow the report or export it.',
  });
  const { status, data } = await level(company, ...days, { levels: { bundle: '', os: '' } });
  expect([status, data.rows.length, data.rows.at(-1).value]).toEqual([200, 10_001, 'Other']);
  expect((await level(company, ...days, { levels: { os: '', ...three }, top: 10 })).status).toBe(200);
});

test('a query beyond the limits of its company is rejected with the same message', async () => {
  const company = await companyIn('UTC', ['2026-01-10T12:00:00Z']);
  const { query } = ctx.clickhouse;
  const starved = vi
    .spyOn(ctx.clickhouse, 'query')
    .mockImplementation(async (sql, params, format, settings) => {
      if (settings?.['max_memory_usage'] && settings['max_execution_time'] && settings['max_threads'])
        throw new QueryTooLarge('Query memory limit exceeded');
      return query(sql, params, format, settings);
    });
  onTestFinished(() => starved.mockRestore());
  const days = ['2026-01-10', '2026-01-10'] as const;
  for (const request of [highlight, bundle, level])
    expect(await request(company, ...days)).toMatchObject({
      status: 422,
      data: 'This report is too large. Narrow the report or export it.',
    });
  // Counts for internal use are not limited.
  expect((await company.call('GET', '/finance/balance')).status).toBe(200);
});

test('of sixty concurrent reports all are answered, later ones are rejected, and another company goes first', async () => {
  const [greedy, other] = [await app.freshCompany(), await app.freshCompany()];
  const days = ['2026-01-10', '2026-01-10'] as const;
  const done: string[] = [];
  const requested = Array.from({ length: 80 }, async (_, n) => {
    const response = await level(greedy, ...days, { filters: { bundle: `b${n}` } });
    if (response.status === 200) done.push('greedy');
    return response;
  });
  const others = Array.from({ length: 3 }, async (_, n) => {
    await level(other, ...days, { filters: { bundle: `b${n}` } });
    done.push('other');
  });
  await Promise.all(others);
  // Each company has one report running at a time: the second company's finish when about as many of the first's have.
  expect(done.length).toBeLessThan(12);
  const responses = await Promise.all(requested);
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(
    new Set(rejected.map(({ status, data, headers }) => `${status} ${data} ${headers['retry-after']}`)),
  ).toEqual(new Set(['429 Your company has too many reports waiting. Please wait a moment. 5']));
  // One is made while sixty wait; reports made before the last ones came have left their places to them.
  expect(done.filter((name) => name === 'greedy').length).toBeGreaterThanOrEqual(61);
});

test('top limits the rows of each level, the rest is Other, and all add up', async () => {
  const company = await app.freshCompany();
  const spends = [9, 7, 5, 3, 1];
  await storeEvents(
    ctx,
    company.companyId,
    spends.flatMap((dollars, index) =>
      ['US', 'IN', 'BR'].map((country, place) => ({
        at: '2026-01-10T12:00:00Z',
        kind: 'billing' as const,
        bundle: `b${index}`,
        country,
        spendMicros: dollars * (place + 1) * 1_000_000,
      })),
    ),
  );
  const { data } = await level(company, '2026-01-10', '2026-01-10', {
    levels: { bundle: '', country: '' },
    top: 2,
  });
  const outline = data.rows.map(
    (row: { value: string; spends: number; children: { value: string; spends: number }[] }) => [
      row.value,
      row.spends,
      row.children.map((child) => [child.value, child.spends]),
    ],
  );
  expect(outline).toEqual([
    [
      'b0',
      54,
      [
        ['BR', 27],
        ['IN', 18],
        ['Other', 9],
      ],
    ],
    [
      'b1',
      42,
      [
        ['BR', 21],
        ['IN', 14],
        ['Other', 7],
      ],
    ],
    ['Other', 54, []],
  ]);
  expect(data.total.spends).toBe(150);
});

test('pages of the first level have every row once, and the total is over all pages', async () => {
  const company = await app.freshCompany();
  await storeEvents(
    ctx,
    company.companyId,
    Array.from({ length: 2500 }, (_, n) => ({
      at: '2026-01-10T12:00:00Z',
      kind: 'billing' as const,
      bundle: `b${n}`,
      spendMicros: 1000 + n,
    })),
  );
  const seen: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const { data } = await level(company, '2026-01-10', '2026-01-10', {
      levels: { bundle: '', os: '' },
      page,
    });
    expect(data.rows_total).toBe(2500);
    expect(data.total.spends).toBe(5.62375);
    for (const row of data.rows) {
      seen.push(row.value);
      expect(row.children).toMatchObject([{ value: 'android', spends: row.spends }]);
    }
  }
  expect(seen).toHaveLength(2500);
  expect(new Set(seen).size).toBe(2500);
  expect(seen.slice(0, 2)).toEqual(['b2499', 'b2498']);
  const small = await level(company, '2026-01-10', '2026-01-10', { page: 2, limit: 3 });
  expect(small.data.rows.map((row: { value: string }) => row.value)).toEqual(['b2496', 'b2495', 'b2494']);
  expect((await level(company, '2026-01-10', '2026-01-10', { limit: 1001 })).status).toBe(422);
});

test('a report is compared with the previous period, row by row and in total', async () => {
  const company = await app.freshCompany();
  const bill = (at: string, name: string, dollars: number): SampleEvent => ({
    at,
    kind: 'billing',
    bundle: name,
    spendMicros: dollars * 1_000_000,
  });
  await storeEvents(ctx, company.companyId, [
    bill('2026-01-07T12:00:00Z', 'too.early', 100),
    bill('2026-01-08T00:00:00Z', 'a.b', 1),
    bill('2026-01-09T23:59:59Z', 'gone', 4),
    bill('2026-01-10T12:00:00Z', 'a.b', 3),
    bill('2026-01-11T12:00:00Z', 'new', 2),
  ]);
  const { data } = await level(company, '2026-01-10', '2026-01-11', { compare: true });
  expect(data.total).toMatchObject({ spends: 5, previous: { spends: 5 } });
  expect(data.rows).toMatchObject([
    { value: 'a.b', spends: 3, previous: { spends: 1 } },
    { value: 'new', spends: 2, previous: { spends: 0 } },
    { value: 'gone', spends: 0, previous: { spends: 4 } },
  ]);
  const byDay = await level(company, '2026-01-10', '2026-01-11', { levels: { day: '' }, compare: true });
  expect(byDay.data.rows).toMatchObject([
    { value: '2026-01-10', spends: 3, previous: { spends: 1 } },
    { value: '2026-01-11', spends: 2, previous: { spends: 4 } },
  ]);
});

const range = { start_date: '2026-01-10', end_date: '2026-01-10' };

const download = async (company: TestCompany, method: 'GET' | 'POST', path: string, body?: object) =>
  app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${company.token}` },
    ...(body && { payload: body }),
  });

test('a report is exported as CSV with values, names and metrics, and runs no formula', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Summer, "hot"');
  await storeEvents(ctx, company.companyId, [
    { at: '2026-01-10T12:00:00Z', kind: 'billing', campaignId, bundle: 'a.b', spendMicros: 1_234_567 },
    { at: '2026-01-10T12:00:00Z', kind: 'impression', campaignId, bundle: 'a.b' },
    { at: '2026-01-10T12:00:00Z', kind: 'click', campaignId, bundle: 'a;＝cmd()' },
    { at: '2026-01-11T00:00:00Z', kind: 'click', campaignId, bundle: 'tomorrow' },
  ]);
  const response = await download(company, 'POST', '/analytics/export', {
    ...range,
    levels: { campaign: '', bundle: '' },
    metrics: ['spends', 'clicks', 'impressions', 'ctr', 'cpi', 'ipm'],
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toBe(
    'attachment; filename="report-2026-01-10-2026-01-10.csv"',
  );
  const name = '"Summer, ""hot"""';
  expect(response.body.split('\r\n')).toEqual([
    '\uFEFFcampaign,campaign_name,bundle,bundle_name,spends,clicks,impressions,ctr,cpi,ipm',
    `${campaignId},${name},a.b,a.b,1.234567,0,1,0,,0`,
    `${campaignId},${name},"a;'＝cmd()","a;'＝cmd()",0,1,0,,,`,
    '',
  ]);
});

test('an export has every row, in parts, and its sum is the report', async () => {
  const company = await app.freshCompany();
  const rows = 200_000;
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle, spend_micros)
    select toDateTime64('2026-01-10 12:00:00', 3, 'UTC'), 'billing', toUUID('${company.companyId}'),
      concat('b', toString(number)), 1 + number % 1000 from numbers(${rows})`);
  const parts = await exportReport(ctx, company, { ...range, levels: { bundle: '' }, metrics: null });
  let lines = -1;
  let longest = 0;
  let spends = 0;
  for await (const part of parts) {
    longest = Math.max(longest, part.length);
    for (const line of part.split('\r\n').filter(Boolean)) {
      if (lines >= 0) spends += Math.round(Number(line.split(',')[2]) * 1e6);
      lines += 1;
    }
  }
  expect(lines).toBe(rows);
  expect(longest).toBeLessThan(1024 ** 2);
  const report = await company.call('POST', '/analytics/level', { ...range, levels: { os: '' } });
  expect(spends).toBe(Math.round(report.data.total.spends * 1e6));
});

test('an aborted export frees the database for the next', async () => {
  const company = await app.freshCompany();
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle)
    select toDateTime64('2026-01-10 12:00:00', 3, 'UTC'), 'click', toUUID('${company.companyId}'),
      concat('b', toString(number)) from numbers(50000)`);
  for (let n = 0; n < 5; n += 1) {
    const parts = await exportReport(ctx, company, { ...range, levels: { bundle: '' }, metrics: null });
    await parts.next();
    await parts.next();
    await parts.return();
  }
  const response = await download(company, 'POST', '/analytics/export', { ...range, levels: { os: '' } });
  expect(response.body).toContain(',Unknown,0,50000,0,0,,,');
});

test('an export beyond its limits is rejected with a message before its first line, and frees the database', async () => {
  const company = await app.freshCompany();
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle)
    select toDateTime64('2026-01-10 12:00:00', 3, 'UTC'), 'click', toUUID('${company.companyId}'),
      concat('b', toString(number)) from numbers(2000)`);
  const { stream } = ctx.clickhouse;
  const limited = vi
    .spyOn(ctx.clickhouse, 'stream')
    .mockImplementation((sql, params, format) =>
      stream(sql.replace(/max_execution_time = \d+/, 'max_rows_to_read = 1000'), params, format),
    );
  onTestFinished(() => limited.mockRestore());
  const request = async () => [
    await download(company, 'POST', '/analytics/export', { ...range, levels: { bundle: '' } }),
    await download(company, 'GET', '/analytics/events?date=2026-01-10&format=csv'),
    await download(company, 'GET', '/analytics/events?date=2026-01-10&format=parquet'),
  ];
  for (const response of await request()) {
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({
      data: 'This export is too large. Choose fewer levels or a shorter period.',
    });
  }
  limited.mockRestore();
  for (const response of await request()) expect(response.statusCode).toBe(200);
});

test('the events of a day are exported as CSV, in the company’s time zone and for this company only', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  await setTimeZone(ctx, company, 'Asia/Kolkata');
  await storeEvents(ctx, company.companyId, [
    { at: '2026-01-09T18:29:59.999Z', kind: 'click' },
    { at: '2026-01-09T18:30:00.000Z', kind: 'loss', bundle: '-1+1' },
    { at: '2026-01-10T10:00:00.000Z', kind: 'loss', bundle: '＝1;=2;a' },
    { at: '2026-01-10T18:29:59.999Z', kind: 'billing', spendMicros: 2500, exchange: 'adx' },
    { at: '2026-01-10T18:30:00.000Z', kind: 'click' },
  ]);
  await storeEvents(ctx, other.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  const response = await download(company, 'GET', '/analytics/events?date=2026-01-10');
  expect(response.headers['content-disposition']).toBe('attachment; filename="events-2026-01-10.csv"');
  const [head, ...lines] = response.body.trim().split('\n');
  expect(head).toMatch(
    /^time,kind,bid_id,.*,exchange,bundle,.*,spend_micros,loss_reason,test,event_name,revenue_micros,revenue_amount,revenue_currency,event_at,click_bid_id$/,
  );
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^"2026-01-09 18:30:00\.000","loss",.*"'-1\+1"/);
  expect(lines[1]).toContain(`"'＝1;'=2;a"`);
  expect(lines[2]).toMatch(/"billing".*"adx".*,2500,0,0,"",,"","",,$/);
  const nothing = await download(company, 'GET', '/analytics/events?date=2026-01-20');
  expect(nothing.body.trim().split('\n')).toHaveLength(1);
  expect((await download(company, 'GET', '/analytics/events?date=2026-02-30')).statusCode).toBe(422);
  expect((await download(company, 'GET', '/analytics/events?date=1999-01-01')).statusCode).toBe(422);
});

test('an exported in-app event has its name, revenue, time and click, and unknown revenue is empty', async () => {
  const company = await app.freshCompany();
  const clickBidId = randomUUID();
  const at = '2026-01-10T10:00:00.000Z';
  const refund = { revenueMicros: -4_990_000, amount: '-4.99', currency: 'USD', clickBidId };
  await storeEvents(ctx, company.companyId, [
    { at, kind: 'app_event', app: refund },
    { at: '2026-01-10T11:00:00.000Z', kind: 'app_event', app: { name: '=buy', amount: '=1', clickBidId } },
  ]);
  const file = await download(company, 'GET', '/analytics/events?date=2026-01-10');
  const [, ...lines] = file.body.trim().split('\n');
  expect(lines[0]).toMatch(
    new RegExp(`,"purchase",-4990000,"-4.99","USD","2026-01-10 10:00:00.000","${clickBidId}"$`),
  );
  expect(lines[1]).toMatch(new RegExp(`,"'=buy",,"'=1","","2026-01-10 11:00:00.000","${clickBidId}"$`));
  const parquet = await download(company, 'GET', '/analytics/events?date=2026-01-10&format=parquet');
  const path = join(tmpdir(), `${randomUUID()}.parquet`);
  await writeFile(path, parquet.rawPayload);
  const rows = await ctx.clickhouse.query(
    `select event_name, revenue_micros, revenue_amount, revenue_currency, toString(event_at) as event_at
     from file('${path}') order by event_at`,
  );
  await rm(path);
  expect(rows).toMatchObject([
    { event_name: 'purchase', revenue_micros: -4_990_000, revenue_amount: '-4.99', revenue_currency: 'USD' },
    { event_name: '=buy', revenue_micros: null, revenue_amount: '=1', event_at: '2026-01-10 11:00:00.000' },
  ]);
});

test.each(['csv', 'parquet'])(
  'a bid in exported events does not disclose the margin (%s)',
  async (format) => {
    const company = await app.freshCompany();
    const bid = { at: '2026-01-10T10:00:00Z', bidCpmMicros: 2_000_000 };
    await storeEvents(ctx, company.companyId, [
      { ...bid, kind: 'win' },
      { ...bid, kind: 'billing', spendMicros: 2500, marginMicros: 500 },
    ]);
    const response = await download(company, 'GET', `/analytics/events?date=2026-01-10&format=${format}`);
    const path = join(tmpdir(), `${randomUUID()}.${format}`);
    await writeFile(path, response.rawPayload);
    const rows = await ctx.clickhouse.query<{ kind: string; bid: number }>(
      `select toString(kind) as kind, toUInt64(bid_cpm_micros) as bid
     from file('${path}', ${format === 'csv' ? 'CSVWithNames' : 'Parquet'}) order by kind`,
    );
    await rm(path);
    expect(rows).toEqual([
      { kind: 'billing', bid: 2_500_000 },
      { kind: 'win', bid: 0 },
    ]);
  },
);

test('the events of a day are exported as one Parquet file', async () => {
  const company = await app.freshCompany();
  await ctx.clickhouse.command(`
    insert into events (time, kind, company_id, bundle, spend_micros)
    select toDateTime64('2026-01-10 00:00:00', 3, 'UTC') + number % 80000, 'billing', toUUID('${company.companyId}'),
      concat('b', toString(number % 7)), number from numbers(150000)`);
  const response = await download(company, 'GET', '/analytics/events?date=2026-01-10&format=parquet');
  expect(response.headers['content-type']).toBe('application/vnd.apache.parquet');
  const path = join(tmpdir(), `${randomUUID()}.parquet`);
  await writeFile(path, response.rawPayload);
  const [read] = await ctx.clickhouse.query<{ rows: number; spend: number; bundles: number }>(
    `select count() as rows, sum(spend_micros) as spend, uniqExact(bundle) as bundles from file('${path}')`,
  );
  await rm(path);
  expect(read).toEqual({ rows: 150_000, spend: (150_000 * 149_999) / 2, bundles: 7 });
});
