import { type BidPage, NEXT_CURSOR } from '@bidwell/contract/bid-log/schema';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import {
  type SampleAppEvent,
  makeCampaign,
  storeBidsOfHours,
  storeEvents,
} from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { NOON, NOON_MS, RANGE, YESTERDAY, bidIdAt, dayBefore } from '@bidwell/testing/yesterday';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import type { EventKind } from '../../../delivery/model/event.ts';
import { runs } from '@bidwell/testing/whole-run';
import { exportBids } from './service.ts';

const app = await testApp();
const { ctx } = app;

const read = async (company: TestCompany, query = ''): Promise<BidPage> => {
  const { status, data } = await company.call('GET', `/analytics/bids?${RANGE}${query}`);
  expect(status).toBe(200);
  return data as BidPage;
};

/** Stores a bid in the sample of bids. */
const storeSample = async (
  company: TestCompany,
  bid: { bidId: string; campaignId: string; weight: number; exchange: string },
) =>
  ctx.clickhouse.insert('bid_sample', [
    {
      time: clickhouseTime(NOON_MS),
      bid_id: bid.bidId,
      company_id: company.companyId,
      campaign_id: bid.campaignId,
      adset_id: randomUUID(),
      creative_id: randomUUID(),
      creative_type: 'Video',
      creative_width: 0,
      creative_height: 0,
      exchange: bid.exchange,
      bundle: 'com.sample',
      os: 'ios',
      country: 'FR',
      charged_cpm_micros: 2_500_000,
      weight: bid.weight,
    },
  ]);

test('a bid has its in-app events by name, with the revenue that is known', async () => {
  const company = await app.freshCompany();
  const [paid, other] = [bidIdAt(NOON_MS - 2000), bidIdAt(NOON_MS - 3000)];
  const event = (clickBidId: string, minute: number, more: SampleAppEvent, kind = 'app_event' as const) => ({
    at: `${YESTERDAY}T12:0${minute}:00Z`,
    kind,
    app: { clickBidId, amount: '1', ...more },
  });
  const rejected = event(paid, 3, { revenueMicros: 5_000_000 });
  await storeEvents(ctx, company.companyId, [
    { at: NOON, kind: 'win', bidId: paid },
    { at: NOON, kind: 'win', bidId: other },
    event(paid, 1, { name: 'level', amount: '' }),
    event(paid, 2, { revenueMicros: 4_990_000 }),
    event(paid, 2, { revenueMicros: 10_000_000 }),
    rejected,
    { ...rejected, kind: 'app_event_rejected' },
    { ...event(paid, 4, { name: 'bot' }), mark: 'bot' },
  ]);
  const { bids } = await read(company);
  expect(bids.map(({ bid_id: id, app_events: events }) => [id, events])).toEqual([
    [
      paid,
      [
        { name: 'purchase', count: 2, revenue: 14.99 },
        { name: 'level', count: 1, revenue: null },
      ],
    ],
    [other, []],
  ]);
});

test('a bid of a re-engagement campaign has its returns and the events in the app that followed', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Back', 're_engagement');
  const bidId = bidIdAt(NOON_MS - 2000);
  const of = { at: NOON, campaignId };
  const event = { ...of, app: { clickBidId: bidId, revenueMicros: 4_000_000 } };
  const rejected = { ...event, app: { ...event.app, name: 'level' }, bidId: uuidv7() };
  await storeEvents(ctx, company.companyId, [
    { ...of, kind: 'win', bidId },
    { ...of, kind: 'reattribution', bidId },
    { ...of, kind: 'reinstall', bidId },
    { ...of, kind: 'reinstall_rejected', bidId },
    { ...event, kind: 'reengaged_event' },
    { ...rejected, kind: 'reengaged_event' },
    { ...rejected, kind: 'reengaged_event_rejected' },
  ]);
  const { bids } = await read(company);
  expect(bids).toMatchObject([
    { bid_id: bidId, installs: 0, returns: 1, app_events: [{ name: 'purchase', count: 1, revenue: 4 }] },
  ]);
});

test('each bid is one row with its outcome, price, charge and events, the newest first', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const campaignId = await makeCampaign(ctx, company, 'Spring');
  const [won, lost, silent, old, tested] = [5, 4, 3, 2, 1].map((s) => bidIdAt(NOON_MS - 10_000 + s * 1000));
  const bid = { at: NOON, campaignId, bidCpmMicros: 2_000_000, chargedCpmMicros: 2_500_000 };
  await storeEvents(ctx, company.companyId, [
    { ...bid, bidId: won!, kind: 'win' },
    {
      ...bid,
      bidId: won!,
      kind: 'billing',
      at: `${YESTERDAY}T12:00:01Z`,
      spendMicros: 1875,
      marginMicros: 375,
    },
    { ...bid, bidId: won!, kind: 'impression', at: `${YESTERDAY}T12:00:02Z` },
    { ...bid, bidId: won!, kind: 'click', at: `${YESTERDAY}T12:00:09Z` },
    { ...bid, bidId: won!, kind: 'install', at: `${YESTERDAY}T13:00:09Z` },
    { ...bid, bidId: lost!, kind: 'loss', lossReason: 102, minToWinCpmMicros: 3_120_000 },
    // An earlier release stored no charged bid, and a bot clicked.
    {
      at: NOON,
      campaignId,
      bidId: old!,
      kind: 'billing',
      bidCpmMicros: 1_000_000,
      spendMicros: 500,
      marginMicros: 100,
    },
    { at: NOON, campaignId, bidId: old!, kind: 'click', mark: 'bot' },
    { ...bid, bidId: tested!, kind: 'billing', spendMicros: 9999, test: true },
  ]);
  // A sampled bid with a notice stands for itself: all of these are listed.
  await storeSample(company, { bidId: silent!, campaignId, weight: 40, exchange: 'adx' });
  await storeSample(company, { bidId: lost!, campaignId, weight: 40, exchange: 'sample' });

  const { bids, next } = await read(company);
  expect(next).toBeNull();
  expect(bids.map(({ bid_id }) => bid_id)).toEqual([won, lost, silent, old, tested]);
  expect(bids[0]).toEqual({
    bid_id: won,
    bid_at: `${YESTERDAY}T11:59:55.000Z`,
    event_at: NOON,
    campaign_uuid: campaignId,
    campaign: 'Spring',
    adset_uuid: expect.any(String),
    adset: '',
    creative_uuid: expect.any(String),
    creative: '',
    creative_type: 'Banner',
    width: 320,
    height: 50,
    exchange: 'sample',
    exchange_name: '',
    bundle: 'com.example',
    country: 'US',
    os: 'android',
    outcome: 'won',
    bid_cpm: 2.5,
    charge: 0.001875,
    loss_code: null,
    loss_reason: null,
    min_to_win_cpm: null,
    impression_at: `${YESTERDAY}T12:00:02.000Z`,
    clicks: 1,
    installs: 1,
    returns: 0,
    app_events: [],
    invalid: '',
    test: false,
    weight: 1,
  });
  expect(bids[1]).toMatchObject({
    outcome: 'lost',
    bid_cpm: 2.5,
    charge: 0,
    loss_code: 102,
    loss_reason: 'Lost to a higher bid',
    min_to_win_cpm: 3.12,
    impression_at: null,
    weight: 1,
  });
  expect(bids[2]).toMatchObject({
    outcome: 'no_notice',
    exchange: 'adx',
    bid_cpm: 2.5,
    charge: 0,
    weight: 40,
  });
  expect(bids[3]).toMatchObject({ outcome: 'won', bid_cpm: 1.25, charge: 0.0005, clicks: 0, invalid: 'bot' });
  expect(bids[4]).toMatchObject({ test: true, charge: 0 });

  for (const [outcome, expected] of [
    ['won', [won, old, tested]],
    ['lost', [lost]],
    ['no_notice', [silent]],
  ] as const)
    expect((await read(company, `&outcome=${outcome}`)).bids.map(({ bid_id }) => bid_id)).toEqual(expected);
  expect((await read(company, '&exchange=adx&country=fr&bundle=COM.sample')).bids).toHaveLength(1);
  expect((await read(company, '&country=DE')).bids).toEqual([]);

  expect((await read(stranger)).bids).toEqual([]);
  const path = `/analytics/bids?${RANGE}&campaign_uuid=${campaignId}`;
  expect((await stranger.call('GET', path)).status).toBe(404);
});

test('a row has the events of the range alone, so that every day adds up to its report', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Late');
  const bidId = bidIdAt(Date.parse(`${dayBefore(2)}T23:59:59Z`));
  await storeEvents(ctx, company.companyId, [
    { at: `${dayBefore(2)}T23:59:59.900Z`, kind: 'win', campaignId, bidId },
    { at: `${YESTERDAY}T00:00:00.100Z`, kind: 'billing', campaignId, bidId, spendMicros: 700 },
    { at: `${dayBefore(0)}T00:00:00.000Z`, kind: 'install', campaignId, bidId },
  ]);
  const { bids } = await read(company);
  expect(bids).toMatchObject([
    { bid_id: bidId, bid_at: `${dayBefore(2)}T23:59:59.000Z`, charge: 0.0007, installs: 0 },
  ]);
  const { data } = await company.call(
    'GET',
    `/analytics/bids?start_date=${dayBefore(0)}&end_date=${dayBefore(0)}`,
  );
  expect(data.bids).toMatchObject([{ bid_id: bidId, outcome: 'won', charge: 0, installs: 1 }]);
});

test('pages go on where the one before ended, and have each bid once', async () => {
  const company = await app.freshCompany();
  const ids = await storeBidsOfHours(ctx, company);
  const listed: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: BidPage = await read(company, `&limit=33${cursor && `&cursor=${cursor}`}`);
    listed.push(...page.bids.map(({ bid_id }) => bid_id));
    cursor = page.next;
  }
  expect(listed).toEqual(ids);
  expect((await company.call('GET', `/analytics/bids?${RANGE}&limit=201`)).status).toBe(422);
});

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
    // Only an in-app event of this bid is in the range.
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
