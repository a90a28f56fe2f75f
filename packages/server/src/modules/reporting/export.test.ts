import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exportReport } from './export.ts';

const app = await testApp();
const { ctx } = app;
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
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: 'Asia/Kolkata' })
    .where('uuid', '=', company.companyId)
    .execute();
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
  const csv = await download(company, 'GET', '/analytics/events?date=2026-01-10');
  const [, ...lines] = csv.body.trim().split('\n');
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
