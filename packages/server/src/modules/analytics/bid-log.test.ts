import type { BidPage } from '@bidwell/contract/bid-log';
import { NEXT_CURSOR } from '@bidwell/contract/bid-log';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { EventKind } from '../../delivery/model/event.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { SampleEvent } from '../../testing/stored-events.ts';
import { makeCampaign, storeEvents } from '../../testing/stored-events.ts';
import type { TestCompany } from '../../testing/test-app.ts';
import { testApp } from '../../testing/test-app.ts';
import { exportBids } from './bid-log.ts';

const app = await testApp();
const { engines } = app;
const DAY_MS = 86_400_000;
const dayBefore = (days: number): string =>
  new Date(engines.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
/** Yesterday: the sample of bids of a test date of years ago would expire at once. */
const DAY = dayBefore(1);
const RANGE = `start_date=${DAY}&end_date=${DAY}`;
const at = `${DAY}T12:00:00.000Z`;
const NOON_MS = Date.parse(at);
const idAt = (msecs = NOON_MS - 1000): string => uuidv7({ msecs });

const read = async (company: TestCompany, query = ''): Promise<BidPage> => {
  const { status, data } = await company.call('GET', `/analytics/bids?${RANGE}${query}`);
  expect(status).toBe(200);
  return data as BidPage;
};

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
    return await engines.clickhouse.query<Row>(
      `select ${select} from file('${path}', ${format}) order by bid_id`,
    );
  } finally {
    await rm(path);
  }
}

/** Stores a bid in the sample of bids. */
const storeSample = async (
  company: TestCompany,
  bid: { bidId: string; campaignId: string; weight: number; exchange: string },
) =>
  engines.clickhouse.insert('bid_sample', [
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

test('each bid is one row with its outcome, price, charge and events, the newest first', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const campaignId = await makeCampaign(engines, company, 'Spring');
  const [won, lost, silent, old, tested] = [5, 4, 3, 2, 1].map((s) => idAt(NOON_MS - 10_000 + s * 1000));
  const bid = { at, campaignId, bidCpmMicros: 2_000_000, chargedCpmMicros: 2_500_000 };
  await storeEvents(engines, company.companyId, [
    { ...bid, bidId: won!, kind: 'win' },
    { ...bid, bidId: won!, kind: 'billing', at: `${DAY}T12:00:01Z`, spendMicros: 1875, marginMicros: 375 },
    { ...bid, bidId: won!, kind: 'impression', at: `${DAY}T12:00:02Z` },
    { ...bid, bidId: won!, kind: 'click', at: `${DAY}T12:00:09Z` },
    { ...bid, bidId: won!, kind: 'install', at: `${DAY}T13:00:09Z` },
    { ...bid, bidId: lost!, kind: 'loss', lossReason: 102 },
    // An earlier release stored no charged bid, and a bot clicked.
    {
      at,
      campaignId,
      bidId: old!,
      kind: 'billing',
      bidCpmMicros: 1_000_000,
      spendMicros: 500,
      marginMicros: 100,
    },
    { at, campaignId, bidId: old!, kind: 'click', mark: 'bot' },
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
    bid_at: `${DAY}T11:59:55.000Z`,
    event_at: at,
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
    impression_at: `${DAY}T12:00:02.000Z`,
    clicks: 1,
    installs: 1,
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
  for (const path of ['bids', 'bids/export'])
    expect(
      (await stranger.call('GET', `/analytics/${path}?${RANGE}&campaign_uuid=${campaignId}`)).status,
    ).toBe(404);
  expect((await fetchFile(stranger, '')).body.trim().split('\n')).toHaveLength(1);
});

test('a row has the events of the range alone, so that every day adds up to its report', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Late');
  const bidId = idAt(Date.parse(`${dayBefore(2)}T23:59:59Z`));
  await storeEvents(engines, company.companyId, [
    { at: `${dayBefore(2)}T23:59:59.900Z`, kind: 'win', campaignId, bidId },
    { at: `${DAY}T00:00:00.100Z`, kind: 'billing', campaignId, bidId, spendMicros: 700 },
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

test('pages and files go on where the one before ended, and have each bid once', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Many');
  // Bids of four hours, some without a charge, one a minute.
  const ids = Array.from({ length: 120 }, (_, n) => idAt(NOON_MS - n * 120_000));
  await storeEvents(
    engines,
    company.companyId,
    ids.flatMap((bidId, n): SampleEvent[] => [
      { at, kind: n % 3 === 0 ? 'loss' : 'win', campaignId, bidId },
      ...(n % 3 === 1 ? [{ at, kind: 'impression' as const, campaignId, bidId, spendMicros: n }] : []),
    ]),
  );
  const listed: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: BidPage = await read(company, `&limit=33${cursor && `&cursor=${cursor}`}`);
    listed.push(...page.bids.map(({ bid_id }) => bid_id));
    cursor = page.next;
  }
  expect(listed).toEqual(ids);

  const range = { start_date: DAY, end_date: DAY, format: 'csv' as const };
  const exported: string[] = [];
  let files = 0;
  for (let next: string | null | undefined; next !== null; files += 1) {
    const file = await exportBids(engines, company, { ...range, cursor: next ?? undefined }, 50);
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
  expect((await fetchFile(company, '&cursor=x')).statusCode).toBe(422);
});

test('files have names, times, dollars and reasons, in CSV without formulas', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, `=Sum'm"er\\ \n;-1`);
  const [first, second] = [idAt(NOON_MS - 2000), idAt(NOON_MS - 1000)];
  await storeEvents(engines, company.companyId, [
    { at, kind: 'billing', campaignId, bidId: first, chargedCpmMicros: 2_000_000, spendMicros: 1_234_567 },
    { at, kind: 'impression', campaignId, bidId: first },
    { at, kind: 'loss', campaignId, bidId: second, bundle: '@cmd', lossReason: 1234 },
  ]);
  const csv = await fetchFile(company, `&campaign_uuid=${campaignId}`);
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="bids-${DAY}-${DAY}.csv"`);
  expect(csv.body).toContain(`"'=Sum'm""er\\ \n;'-1"`);
  expect(csv.body).toContain(`"'@cmd"`);
  // Cells without a value are empty.
  expect(csv.body).not.toContain('\\N');
  const parquet = await fetchFile(company, '&format=parquet');
  expect(parquet.headers['content-type']).toBe('application/vnd.apache.parquet');
  const columns = `bid_id, left(toString(bid_at), 23) as bid_at, campaign, outcome, toString(bid_cpm) as bid_cpm, toString(charge) as charge,
    loss_code, loss_reason, left(toString(impression_at), 23) as impression_at, weight`;
  const expected = [
    {
      bid_id: first,
      bid_at: `${DAY} 11:59:58.000`,
      campaign: `=Sum'm"er\\ \n;-1`,
      outcome: 'won',
      bid_cpm: '2',
      charge: '1.234567',
      loss_code: null,
      loss_reason: null,
      impression_at: `${DAY} 12:00:00.000`,
      weight: 1,
    },
    expect.objectContaining({
      bid_id: second,
      outcome: 'lost',
      bid_cpm: null,
      charge: '0',
      loss_code: 1234,
      loss_reason: 'Code of the exchange',
      impression_at: null,
    }),
  ];
  expect(await rowsOf(parquet.rawPayload, 'Parquet', columns)).toEqual(expected);
  const [ofCsv] = await rowsOf(csv.rawPayload, 'CSVWithNames', columns);
  expect(ofCsv).toEqual({ ...expected[0], campaign: `'=Sum'm"er\\ \n;'-1` });
});

test('an export beyond its limits is rejected before its first line', async () => {
  const company = await app.freshCompany();
  await storeEvents(engines, company.companyId, [{ at, kind: 'win', bidId: idAt() }]);
  expect((await fetchFile(company, '&start_date=1999-01-01')).statusCode).toBe(422);
  expect((await company.call('GET', `/analytics/bids?${RANGE}&limit=201`)).status).toBe(422);
});

const kinds = ['win', 'billing', 'impression', 'loss', 'click', 'install', 'install_rejected'] as const;

test('charges, clicks and installs of all bids add up to the report of the range, to the micro', async () => {
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
      const campaignId = await makeCampaign(engines, company, 'Any');
      const startMs = Date.parse(`${DAY}T00:00:00Z`);
      const ids = Array.from({ length: 20 }, () => idAt(startMs - 3 * 3_600_000));
      await storeEvents(
        engines,
        company.companyId,
        drawn.map(({ bid, hour, test: isTest, spendMicros, ...event }) => ({
          ...event,
          campaignId,
          bidId: ids[isTest ? bid + 10 : bid]!,
          test: isTest,
          at: new Date(startMs + hour * 3_600_000).toISOString(),
          spendMicros,
          marginMicros: Math.floor(spendMicros / 5),
        })),
      );
      const parquet = await fetchFile(company, '&format=parquet');
      const rows = await rowsOf<{ micros: number; clicks: number; installs: number; test: 0 | 1 }>(
        parquet.rawPayload,
        'Parquet',
        'toInt64(charge * 1000000) as micros, clicks, installs, test',
      );
      const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
      const range = { start_date: DAY, end_date: DAY };
      const report = await company.call('POST', '/analytics/level', { ...range, levels: { os: '' } });
      const { total } = report.data;
      expect(sum(({ micros }) => micros)).toBe(Math.round(total.spends * 1e6));
      expect(sum((row) => (row.test ? 0 : row.clicks))).toBe(total.clicks);
      expect(sum((row) => (row.test ? 0 : row.installs))).toBe(total.installs);
      const { data } = await company.call('GET', `/finance/reconciliation?${RANGE}`);
      expect(Math.round(data.total.log * 1e6)).toBe(sum(({ micros }) => micros));
    }),
    { numRuns: 8 },
  );
});
