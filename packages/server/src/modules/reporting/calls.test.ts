import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { QueryTooLarge } from '../../platform/clickhouse/client.ts';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { type ApiResponse, type TestCompany, testApp } from '@bidwell/testing/test-app';

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
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: timeZone })
    .where('uuid', '=', company.companyId)
    .execute();
  const events = clicksAt.map((at): SampleEvent => ({ at, kind: 'click', bundle: 'a.b' }));
  if (events.length > 0) await storeEvents(ctx, company.companyId, events);
  return company;
}

describe.each(calls)('%s', (_name, request, clicksIn) => {
  const clicks = async (company: TestCompany, start: string, end: string): Promise<number> => {
    const response = await request(company, start, end);
    expect(response.status).toBe(200);
    return clicksIn(response);
  };

  test('of a range without events is empty', async () => {
    const company = await companyIn('UTC', ['2026-01-10T12:00:00Z']);
    expect(await clicks(company, '2026-02-01', '2026-02-07')).toBe(0);
  });

  test('rejects a range that ends before it begins', async () => {
    expect(await request(await app.freshCompany(), '2026-02-07', '2026-02-01')).toMatchObject({
      status: 422,
      errors: [{ field: 'end_date', message: 'The end date is before the start date' }],
    });
  });

  test('rejects a day that does not exist', async () => {
    expect((await request(await app.freshCompany(), '2026-02-29', '2026-03-01')).status).toBe(422);
  });

  test('of the future is empty', async () => {
    const company = await companyIn('UTC', ['2026-01-10T12:00:00Z']);
    expect(await clicks(company, '2150-01-01', '2150-01-31')).toBe(0);
    expect(await clicks(company, '3000-12-01', '3000-12-31')).toBe(0);
  });

  test('of one day has all of that day and nothing else', async () => {
    const company = await companyIn('UTC', [
      '2026-01-09T23:59:59.999Z',
      '2026-01-10T00:00:00.000Z',
      '2026-01-10T23:59:59.999Z',
      '2026-01-11T00:00:00.000Z',
    ]);
    expect(await clicks(company, '2026-01-10', '2026-01-10')).toBe(2);
  });

  test('supports the leap day', async () => {
    const company = await companyIn('UTC', [
      '2024-02-28T12:00:00Z',
      '2024-02-29T12:00:00Z',
      '2024-03-01T12:00:00Z',
    ]);
    expect(await clicks(company, '2024-02-29', '2024-02-29')).toBe(1);
    expect(await clicks(company, '2024-02-28', '2024-03-01')).toBe(3);
  });

  test('of days on which clocks change has 23 and 25 hours', async () => {
    const company = await companyIn('America/New_York', [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00.000Z',
      '2026-11-01T03:59:59.999Z',
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T04:59:59.999Z',
      '2026-11-02T05:00:00.000Z',
    ]);
    expect(await clicks(company, '2026-03-08', '2026-03-08')).toBe(2);
    expect(await clicks(company, '2026-11-01', '2026-11-01')).toBe(2);
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
