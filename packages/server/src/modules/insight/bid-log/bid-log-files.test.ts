import { NEXT_CURSOR } from '@bidwell/contract/bid-log/schema';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { EventKind } from '../../../delivery/model/event.ts';
import {
  type SampleAppEvent,
  makeCampaign,
  storeBidsOfHours,
  storeEvents,
} from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { NOON, NOON_MS, RANGE, YESTERDAY, bidIdAt, dayBefore } from '@bidwell/testing/yesterday';
import { runs } from '@bidwell/testing/whole-run';
import { exportBids } from './service.ts';

const app = await testApp();
const { ctx } = app;

const fetchFile = async (company: { token: string }, query: string) =>
  app.http.inject({
    method: 'GET',
    url: `/api/internal/analytics/bids/export?${RANGE}${query}`,
    headers: { authorization: `Bearer ${company.token}` },
  });

/** The rows of a file as ClickHouse reads them. */
async function rowsOf<Row>(
  bytes: Buffer,
  format: 'CSVWithNames' | 'Parquet',
  select: string,
): Promise<readonly Row[]> {
  const path = join(tmpdir(), `${randomUUID()}.file`);
  await writeFile(path, bytes);
  try {
    return await ctx.clickhouse.query<Row>(
      `select ${select} from file('${path}', ${format}) order by bid_id`,
    );
  } finally {
    await rm(path);
  }
}

test('files go on where the one before ended, and have each bid once', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const ids = await storeBidsOfHours(ctx, company);
  const range = { start_date: YESTERDAY, end_date: YESTERDAY, format: 'csv' as const };
  const exported: string[] = [];
  let files = 0;
  for (let next: string | null | undefined; next !== null; files += 1) {
    const file = await exportBids(ctx, company, { ...range, cursor: next ?? undefined }, 50);
    let text = '';
    for await (const part of file.parts) text += Buffer.from(part).toString();
    exported.push(
      ...text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]!.replaceAll('"', '')),
    );
    next = file.next;
  }
  expect(files).toBe(4);
  expect(exported).toEqual(ids.toReversed());
  const whole = await fetchFile(company, '');
  expect(whole.headers[NEXT_CURSOR]).toBeUndefined();
  expect(whole.body.trim().split('\n')).toHaveLength(ids.length + 1);
  expect((await fetchFile(stranger, '')).body.trim().split('\n')).toHaveLength(1);
  expect((await fetchFile(company, '&cursor=x')).statusCode).toBe(422);
});

test('files have names, times, dollars and reasons, in CSV without formulas', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const campaignId = await makeCampaign(ctx, company, `=Sum'm"er\\ \n;-1`);
  const [first, second] = [bidIdAt(NOON_MS - 2000), bidIdAt(NOON_MS - 1000)];
  await storeEvents(ctx, company.companyId, [
    {
      at: NOON,
      kind: 'billing',
      campaignId,
      bidId: first,
      chargedCpmMicros: 2_000_000,
      spendMicros: 1_234_567,
    },
    { at: NOON, kind: 'impression', campaignId, bidId: first },
    {
      at: NOON,
      kind: 'loss',
      campaignId,
      bidId: second,
      bundle: '@cmd',
      lossReason: 1234,
      minToWinCpmMicros: 2_345_678,
    },
  ]);
  const csv = await fetchFile(company, `&campaign_uuid=${campaignId}`);
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe(
    `attachment; filename="bids-${YESTERDAY}-${YESTERDAY}.csv"`,
  );
  expect(csv.body).toContain(`"'=Sum'm""er\\ \n;'-1"`);
  expect(csv.body).toContain(`"'@cmd"`);
  // Cells without a value are empty.
  expect(csv.body).not.toContain('\\N');
  const parquet = await fetchFile(company, '&format=parquet');
  expect(parquet.headers['content-type']).toBe('application/vnd.apache.parquet');
  const columns = `bid_id, left(toString(bid_at), 23) as bid_at, campaign, outcome, toString(bid_cpm) as bid_cpm, toString(charge) as charge,
    loss_code, loss_reason, toString(min_to_win_cpm) as min_to_win_cpm, left(toString(impression_at), 23) as impression_at, weight`;
  const expected = [
    {
      bid_id: first,
      bid_at: `${YESTERDAY} 11:59:58.000`,
      campaign: `=Sum'm"er\\ \n;-1`,
      outcome: 'won',
      bid_cpm: '2',
      charge: '1.234567',
      loss_code: null,
      loss_reason: null,
      min_to_win_cpm: null,
      impression_at: `${YESTERDAY} 12:00:00.000`,
      weight: 1,
    },
    expect.objectContaining({
      bid_id: second,
      outcome: 'lost',
      bid_cpm: null,
      charge: '0',
      loss_code: 1234,
      loss_reason: 'Code of the exchange',
      min_to_win_cpm: '2.345678',
      impression_at: null,
    }),
  ];
  expect(await rowsOf(parquet.rawPayload, 'Parquet', columns)).toEqual(expected);
  const [ofCsv] = await rowsOf(csv.rawPayload, 'CSVWithNames', columns);
  expect(ofCsv).toEqual({ ...expected[0], campaign: `'=Sum'm"er\\ \n;'-1` });
  expect((await fetchFile(stranger, `&campaign_uuid=${campaignId}`)).statusCode).toBe(404);
});

test('files have the in-app events of each bid with time, revenue and original amount, and without those taken back', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Payers');
  const [early, late] = [bidIdAt(Date.parse(`${dayBefore(3)}T12:00:00Z`)), bidIdAt(NOON_MS - 1000)];
  const event = (clickBidId: string, second: number, more: SampleAppEvent, kind = 'app_event' as const) => ({
    at: `${YESTERDAY}T13:00:0${second}Z`,
    kind,
    campaignId,
    app: { clickBidId, ...more },
  });
  const euro = { amount: '4.50', currency: 'EUR', revenueMicros: 4_900_000 };
  const takenBack = { ...event(late, 3, { revenueMicros: 1_000_000 }), bidId: uuidv7() };
  await storeEvents(ctx, company.companyId, [
    // Of this bid nothing but an event in the app is of the range.
    event(early, 0, { name: '=cmd', eventAt: `${dayBefore(2)}T08:30:00Z`, ...euro }),
    { at: NOON, kind: 'win', campaignId, bidId: late },
    event(late, 2, { name: 'level' }),
    event(late, 1, { name: 'refund', revenueMicros: -250_000, amount: '-0.25', currency: 'USD' }),
    event(late, 4, { name: 'purchase', amount: '7', currency: 'XTS' }),
    takenBack,
    { ...takenBack, kind: 'app_event_rejected' },
    { ...event(late, 5, { name: 'bot', revenueMicros: 9_000_000 }), mark: 'bot' },
    { at: NOON, kind: 'loss', campaignId, bidId: bidIdAt(NOON_MS), lossReason: 102 },
  ]);
  const columns = `bid_id, outcome, campaign, app_events, toString(revenue) as revenue, app_event_list`;
  const listed = (name: string, time: string, revenue: number | null, amount: string, currency: string) => ({
    name,
    time,
    revenue,
    amount,
    currency,
  });
  const expected = [
    [early, 'won', 1, '4.9', [listed('=cmd', `${dayBefore(2)}T08:30:00Z`, 4.9, '4.50', 'EUR')]],
    [
      late,
      'won',
      3,
      '-0.25',
      [
        listed('refund', `${YESTERDAY}T13:00:01Z`, -0.25, '-0.25', 'USD'),
        listed('level', `${YESTERDAY}T13:00:02Z`, null, '', ''),
        listed('purchase', `${YESTERDAY}T13:00:04Z`, null, '7', 'XTS'),
      ],
    ],
    [expect.any(String), 'lost', 0, null, null],
  ];
  for (const [format, of] of [
    ['csv', 'CSVWithNames'],
    ['parquet', 'Parquet'],
  ] as const) {
    const file = await fetchFile(company, `&format=${format}`);
    const rows = await rowsOf<Record<string, string | number | null>>(file.rawPayload, of, columns);
    expect(
      rows.map(({ bid_id: id, outcome, app_events: count, revenue, app_event_list: list }) => [
        id,
        outcome,
        count,
        revenue,
        list === null ? null : JSON.parse(String(list)),
      ]),
    ).toEqual(expected);
    expect(rows.map(({ campaign }) => campaign)).toEqual(['Payers', 'Payers', 'Payers']);
  }
});

test('an export beyond its limits is rejected before its first line', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [{ at: NOON, kind: 'win', bidId: bidIdAt() }]);
  expect((await fetchFile(company, '&start_date=1999-01-01')).statusCode).toBe(422);
});

const kinds = [
  'win',
  'billing',
  'impression',
  'loss',
  'click',
  'install',
  'install_rejected',
  'app_event',
] as const;

test('charges, clicks, installs and in-app events of all bids add up to the report of the range, to the micro', async () => {
  const events = fc.array(
    fc.record({
      bid: fc.integer({ min: 0, max: 9 }),
      kind: fc.constantFrom<EventKind>(...kinds),
      // Around the ends of the range, with the retries of a notice that a failure may leave.
      hour: fc.integer({ min: -2, max: 26 }),
      spendMicros: fc.integer({ min: 0, max: 20_000 }),
      mark: fc.constantFrom('' as const, 'bot' as const, 'datacenter' as const),
      test: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(events, async (drawn) => {
      const company = await app.freshCompany();
      const campaignId = await makeCampaign(ctx, company, 'Any');
      const startMs = Date.parse(`${YESTERDAY}T00:00:00Z`);
      const ids = Array.from({ length: 20 }, () => bidIdAt(startMs - 3 * 3_600_000));
      await storeEvents(
        ctx,
        company.companyId,
        drawn.map(({ bid, hour, test: isTest, spendMicros, ...event }) => {
          const bidId = ids[isTest ? bid + 10 : bid]!;
          const shared = {
            ...event,
            campaignId,
            test: isTest,
            at: new Date(startMs + hour * 3_600_000).toISOString(),
          };
          return event.kind === 'app_event'
            ? { ...shared, app: { clickBidId: bidId, revenueMicros: spendMicros } }
            : { ...shared, bidId, spendMicros, marginMicros: Math.floor(spendMicros / 5) };
        }),
      );
      const parquet = await fetchFile(company, '&format=parquet');
      const rows = await rowsOf<
        Record<'micros' | 'clicks' | 'installs' | 'events' | 'revenue' | 'test', number>
      >(
        parquet.rawPayload,
        'Parquet',
        'toInt64(charge * 1000000) as micros, clicks, installs, app_events as events, toInt64(ifNull(revenue, 0) * 1000000) as revenue, test',
      );
      const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
      const range = { start_date: YESTERDAY, end_date: YESTERDAY };
      const report = await company.call('POST', '/analytics/level', {
        ...range,
        levels: { os: '' },
        metrics: ['spends', 'clicks', 'installs', 'app_events', 'revenue'],
      });
      const { total } = report.data;
      expect(sum(({ micros }) => micros)).toBe(Math.round(total.spends * 1e6));
      expect(sum((row) => (row.test ? 0 : row.clicks))).toBe(total.clicks);
      expect(sum((row) => (row.test ? 0 : row.installs))).toBe(total.installs);
      expect(sum((row) => (row.test ? 0 : row.events))).toBe(total.app_events);
      expect(sum((row) => (row.test ? 0 : row.revenue))).toBe(Math.round(total.revenue * 1e6));
      const { data } = await company.call('GET', `/finance/reconciliation?${RANGE}`);
      expect(Math.round(data.total.log * 1e6)).toBe(sum(({ micros }) => micros));
    }),
    runs(8),
  );
});
