import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COHORT_DAYS, type CohortCell, type CohortReport } from '@bidwell/contract/reports/cohorts';
import { addDays, dateAt, mondayOf } from '@bidwell/contract/lib/calendar';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { bidIdAt } from '@bidwell/testing/yesterday';
import { runs } from '@bidwell/testing/whole-run';
import type { EventRules } from '../../../delivery/public.ts';
import { readCohorts } from './people-store.ts';
import { bucketsIn, periodOf } from '../buckets.ts';

const app = await testApp();
const { ctx } = app;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When all reports of these tests are read. */
const NOW_MS = Date.parse('2026-06-10T12:00:00Z');
app.clock.now = new Date(NOW_MS);

const iso = (atMs: number) => new Date(atMs).toISOString();
const cellOf = ({ cells }: { cells: readonly CohortCell[] }, day: number) =>
  cells.find((cell) => cell.day === day)!;

/** A person who installed an hour after the bid, with events `hours` after the install. */
interface Person {
  installedMs: number;
  events?: { hours: number; revenue?: number | null; ad?: boolean; kind?: 'app_event_rejected' }[];
  of?: Partial<SampleEvent>;
  rejected?: boolean;
}

function eventsOf({ installedMs, events = [], of, rejected }: Person): SampleEvent[] {
  const bidId = bidIdAt(installedMs - HOUR_MS);
  return [
    { ...of, at: iso(installedMs), kind: 'install', bidId },
    ...(rejected ? [{ ...of, at: iso(installedMs), kind: 'install_rejected' as const, bidId }] : []),
    ...events.map(({ hours, revenue = null, ad = false, kind }): SampleEvent => {
      const eventAt = iso(installedMs + hours * HOUR_MS);
      const inApp = { name: 'any', clickBidId: bidId, eventAt, isAdRevenue: ad };
      const amount = revenue === null ? null : Math.round(revenue * 1_000_000);
      return {
        ...of,
        at: eventAt,
        kind: kind ?? 'app_event',
        app: { ...inApp, revenueMicros: amount ?? undefined },
      };
    }),
  ];
}

async function cohorts(company: TestCompany, query: object): Promise<CohortReport> {
  const { status, data } = await company.call('POST', '/analytics/cohorts', query);
  expect(status).toBe(200);
  return data as CohortReport;
}

test('a cohort has revenue, ROAS, payers and retention by days since each install', async () => {
  const company = await app.freshCompany();
  // The second person installed eight days and eleven hours ago, so day 7 has ended; day 14 has not.
  const first = Date.parse('2026-06-02T00:00:00Z');
  const second = Date.parse('2026-06-02T01:00:00Z');
  await storeEvents(ctx, company.companyId, [
    { at: '2026-06-02T12:00:00Z', kind: 'billing', spendMicros: 8_000_000 },
    ...eventsOf({
      installedMs: first,
      events: [
        { hours: -0.5, revenue: 1 },
        { hours: 23.9, revenue: 2 },
        // The 24 hours of day 1 begin here.
        { hours: 24, revenue: 4 },
        { hours: 24 * 7, revenue: -1 },
      ],
    }),
    ...eventsOf({
      installedMs: second,
      events: [{ hours: 2 }, { hours: 24 * 3, revenue: 3, ad: true }],
    }),
    ...eventsOf({ installedMs: second, rejected: true, events: [{ hours: 1, revenue: 100 }] }),
    ...eventsOf({ installedMs: second, of: { mark: 'bot' }, events: [{ hours: 1, revenue: 100 }] }),
    ...eventsOf({ installedMs: second, of: { test: true }, events: [{ hours: 1, revenue: 100 }] }),
  ]);
  const { rows, total } = await cohorts(company, { start_date: '2026-06-01', end_date: '2026-06-03' });

  expect(rows).toHaveLength(1);
  const [row] = rows;
  expect(row).toMatchObject({
    cohort: '2026-06-02',
    value: '',
    name: '',
    installs: 2,
    spend: 8,
    unknown_amounts: 0,
  });
  expect(cellOf(row!, 0)).toMatchObject({
    mature_share: 1,
    people: 2,
    revenue: 3,
    roas: { value: 37.5 },
    payers: 1,
    payer_rate: { value: 50 },
    retention: { value: 100 },
  });
  // The mean of 3 and 0 has a variance of 4.5: 1.5 ± 1.96 · 1.5, cut off at 0.
  expect(cellOf(row!, 0).arpu).toEqual({ value: 1.5, low: 0, high: expect.closeTo(1.5 + 1.959964 * 1.5, 5) });
  expect(cellOf(row!, 1)).toMatchObject({ revenue: 7, retention: { value: 50 } });
  expect(cellOf(row!, 3)).toMatchObject({
    revenue: 10,
    roas: { value: 125 },
    payers: 1,
    retention: { value: 50 },
  });
  expect(cellOf(row!, 7)).toMatchObject({ revenue: 9, retention: { value: 50 } });
  expect(cellOf(row!, 14)).toEqual({
    day: 14,
    mature_share: 0,
    people: 0,
    revenue: null,
    roas: null,
    arpu: null,
    payers: null,
    payer_rate: null,
    retention: null,
  });
  expect(total.cells).toEqual(row!.cells);
});

test('an immature day has the figures of the people who are old enough, and their share of the spend', async () => {
  const company = await app.freshCompany();
  const young = { installedMs: NOW_MS - 30 * HOUR_MS, events: [{ hours: 1, revenue: 5 }] };
  const old = {
    installedMs: NOW_MS - 4 * DAY_MS,
    events: [
      { hours: 1, revenue: 2 },
      { hours: 30, revenue: 1 },
    ],
  };
  await storeEvents(ctx, company.companyId, [
    { at: iso(NOW_MS - 2 * DAY_MS), kind: 'billing', spendMicros: 4_000_000 },
    ...[young, old].flatMap(eventsOf),
  ]);
  const { rows } = await cohorts(company, {
    start_date: '2026-06-01',
    end_date: '2026-06-10',
    group: 'month',
    metrics: ['revenue', 'roas'],
  });
  expect(cellOf(rows[0]!, 0)).toMatchObject({ mature_share: 1, people: 2, revenue: 7, roas: { value: 175 } });
  // One of two people, so half of the spend.
  expect(cellOf(rows[0]!, 1)).toEqual({
    day: 1,
    mature_share: 0.5,
    people: 1,
    revenue: 3,
    roas: { value: 150, low: null, high: null },
  });
});

test('an event that was taken back counts nothing, and an unknown amount is counted as such', async () => {
  const company = await app.freshCompany();
  const installedMs = Date.parse('2026-06-01T10:00:00Z');
  const bidId = bidIdAt(installedMs);
  const taken = {
    name: 'purchase',
    clickBidId: bidId,
    eventAt: iso(installedMs + HOUR_MS),
    revenueMicros: 9_000_000,
  };
  await storeEvents(ctx, company.companyId, [
    { at: iso(installedMs), kind: 'install', bidId },
    { at: taken.eventAt, kind: 'app_event', app: taken },
    { at: iso(installedMs + 5 * DAY_MS), kind: 'app_event_rejected', app: taken },
    {
      at: iso(installedMs + 30 * HOUR_MS),
      kind: 'app_event',
      app: { name: 'open', clickBidId: bidId, eventAt: iso(installedMs + 30 * HOUR_MS), amount: '5' },
    },
  ]);
  const { rows } = await cohorts(company, { start_date: '2026-06-01', end_date: '2026-06-01' });
  expect(rows[0]).toMatchObject({ unknown_amounts: 1 });
  expect(cellOf(rows[0]!, 0)).toMatchObject({ revenue: 0, payers: 0, retention: { value: 0 } });
  expect(cellOf(rows[0]!, 1)).toMatchObject({ revenue: 0, payers: 0, retention: { value: 100 } });
});

test('cohorts are broken down by a key: the values with the most installs by name, the others as Other', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Summer');
  const installedMs = Date.parse('2026-06-01T10:00:00Z');
  const people = (count: number, of: Partial<SampleEvent>) =>
    Array.from({ length: count }, () =>
      eventsOf({ installedMs, of, events: [{ hours: 1, revenue: 1 }] }),
    ).flat();
  await storeEvents(ctx, company.companyId, [
    ...people(3, { campaignId, country: 'DE' }),
    ...people(2, { country: 'US' }),
    ...people(1, { country: 'FR' }),
    { at: '2026-06-01T10:00:00Z', kind: 'billing', spendMicros: 3_000_000, country: 'DE', campaignId },
    { at: '2026-06-01T10:00:00Z', kind: 'billing', spendMicros: 1_000_000, country: 'BR' },
  ]);
  const day = { start_date: '2026-06-01', end_date: '2026-06-01' };
  const byCountry = await cohorts(company, { ...day, by: 'country', top: 1 });
  expect(byCountry.rows.map(({ value, name, installs, spend }) => [value, name, installs, spend])).toEqual([
    ['DE', 'Germany', 3, 3],
    ['Other', 'Other', 3, 1],
  ]);
  expect(byCountry.total).toMatchObject({ installs: 6, spend: 4 });
  expect(cellOf(byCountry.rows[1]!, 0)).toMatchObject({ revenue: 3, roas: { value: 300 } });
  const byCampaign = await cohorts(company, { ...day, by: 'campaign', filters: { country: 'de' } });
  expect(byCampaign.rows.map(({ value, name, installs }) => [value, name, installs])).toEqual([
    [campaignId, 'Summer', 3],
  ]);
});

test('a report has at most 180 cohorts, and the report of a new company is empty', async () => {
  const company = await app.freshCompany();
  const half = { start_date: '2025-12-01', end_date: '2026-06-01' };
  const tooMany = await company.call('POST', '/analytics/cohorts', half);
  expect(tooMany.status).toBe(422);
  expect(tooMany.errors).toEqual([{ field: 'end_date', message: 'Choose a range of at most 180 days' }]);
  const { rows, total } = await cohorts(company, { ...half, group: 'week' });
  expect(rows).toEqual([]);
  expect(total).toMatchObject({ installs: 0, spend: 0 });
  expect(cellOf(total, 0)).toMatchObject({ mature_share: null, people: 0, revenue: null });
});

test('a period in which nothing can be stored has no cohorts', async () => {
  const company = await app.freshCompany();
  const query = { start_date: '2990-01-01', end_date: '3000-12-31', group: 'month' };
  expect((await cohorts(company, query)).rows).toEqual([]);
});

test('the revenue of a young cohort by day 30 is expected from past weekly cohorts of the filters', async () => {
  const company = await app.freshCompany();
  const query = { start_date: '2026-06-01', end_date: '2026-06-07', group: 'week', forecast: true };
  const young = await cohorts(company, query);
  expect(young.forecast!.message).toMatch(/There are 0, with 0 and 0\.$/);
  expect(young.total.expected).toBeNull();

  // Five weeks of 50 people in Germany who have a dollar on day 0 and again on day 20; those in France have none later.
  const people = (country: string, installedMs: number, hours: readonly number[]) =>
    Array.from({ length: 50 }, () =>
      eventsOf({ installedMs, of: { country }, events: hours.map((at) => ({ hours: at, revenue: 1 })) }),
    ).flat();
  const past = Array.from({ length: 5 }, (_, week) => NOW_MS - (60 + 7 * week) * DAY_MS);
  await storeEvents(ctx, company.companyId, [
    ...past.flatMap((atMs) => [...people('DE', atMs, [1, 480]), ...people('FR', atMs, [1])]),
    ...people('DE', Date.parse('2026-06-02T00:00:00Z'), [1]),
  ]);
  const germany = await cohorts(company, { ...query, filters: { country: 'DE' } });
  expect(germany.forecast!.message).toBeNull();
  expect(germany.rows[0]!.expected).toMatchObject({
    from_day: 7,
    expected_d30_revenue: expect.closeTo(100, 6),
  });
  expect(germany.total.expected).toEqual(germany.rows[0]!.expected);
  const all = await cohorts(company, query);
  expect(all.rows[0]!.expected).toMatchObject({ expected_d30_revenue: expect.closeTo(75, 6) });
});

test('cohorts are exported as CSV with a line for each row and day, and run no formula', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, '=Summer');
  await storeEvents(
    ctx,
    company.companyId,
    eventsOf({ installedMs: NOW_MS - 2 * DAY_MS, of: { campaignId }, events: [{ hours: 1, revenue: 2.5 }] }),
  );
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/internal/analytics/cohorts/export',
    headers: { authorization: `Bearer ${company.token}` },
    payload: {
      start_date: '2026-06-01',
      end_date: '2026-06-10',
      by: 'campaign',
      metrics: ['revenue', 'retention'],
    },
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-disposition']).toBe(
    'attachment; filename="cohorts-2026-06-01-2026-06-10.csv"',
  );
  const [head, first, , third, ...others] = response.body.split('\r\n');
  expect(head).toBe(
    '\uFEFFcohort,value,name,installs,spend,unknown_amounts,day,mature_share,people,revenue,retention,retention_low,retention_high',
  );
  expect(first).toMatch(new RegExp(`^2026-06-08,${campaignId},"'=Summer",1,0,0,0,1,1,2\\.5,100,`));
  expect(third).toBe(`2026-06-08,${campaignId},"'=Summer",1,0,0,3,0,0,,,,`);
  expect(others).toHaveLength(6);
});

test('cohorts are exported as Parquet with the same lines, and figures that are not known are null', async () => {
  const company = await app.freshCompany();
  const query = { start_date: '2026-05-01', end_date: '2026-06-10', metrics: ['revenue', 'payers', 'arpu'] };
  const rowsIn = async () => {
    const { statusCode, headers, rawPayload } = await app.http.inject({
      method: 'POST',
      url: '/api/internal/analytics/cohorts/export',
      headers: { authorization: `Bearer ${company.token}` },
      payload: { ...query, format: 'parquet' },
    });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/vnd.apache.parquet']);
    expect(headers['content-disposition']).toBe(
      'attachment; filename="cohorts-2026-05-01-2026-06-10.parquet"',
    );
    const path = join(tmpdir(), `${randomUUID()}.parquet`);
    await writeFile(path, rawPayload);
    const read = await ctx.clickhouse.query(
      `select cohort, value, installs, spend, day, mature_share, people, revenue, payers, arpu, arpu_low from file('${path}', Parquet)
       order by cohort desc, day`,
    );
    await rm(path);
    return read;
  };
  expect(await rowsIn()).toEqual([]);
  // More cohorts than are written at once.
  const days = Array.from({ length: 40 }, (_, day) => NOW_MS - (day + 1.5) * DAY_MS);
  await storeEvents(
    ctx,
    company.companyId,
    days.flatMap((installedMs) => eventsOf({ installedMs, events: [{ hours: 1, revenue: 2.5 }] })),
  );
  const rows = await rowsIn();
  const report = await cohorts(company, query);
  expect(rows).toEqual(
    report.rows.flatMap(({ cohort, value, installs, spend, cells }) =>
      cells.map(({ day, mature_share, people, revenue, payers, arpu }) => ({
        cohort,
        value,
        installs,
        spend,
        day,
        mature_share,
        people,
        revenue,
        payers,
        arpu: arpu?.value ?? null,
        arpu_low: arpu?.low ?? null,
      })),
    ),
  );
  expect(rows).toHaveLength(40 * 8);
  expect(rows).toContainEqual(expect.objectContaining({ installs: 1, day: 90, people: 0, revenue: null }));
});

/** The app of all sample events. */
const NO_APP = '00000000-0000-0000-0000-000000000000';
const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
const firstDay = '2026-02-20';
const person = fc.record({
  installedMs: fc
    .tuple(fc.nat(110), fc.nat(95))
    .map(([day, quarter]) => Date.parse(firstDay) + day * DAY_MS + quarter * 900_000),
  /** Time from the bid to the install. */
  afterMs: fc.constantFrom(0, 1000, 3 * DAY_MS, 29 * DAY_MS),
  country: fc.constantFrom('US', 'DE', 'FR'),
  os: fc.constantFrom('ios', 'android'),
  kind: fc.constantFrom('plain', 'plain', 'plain', 'rejected', 'bot', 'test', 'no install'),
  events: fc.array(
    fc.record({
      hours: fc.constantFrom(-30, -1, 0, 5, 23.999, 24, 70, 72, 190, 24 * 14 - 0.001, 800, 2000, 2400),
      cents: fc.constantFrom(null, undefined, 0, 150, 399, -150),
      isAd: fc.boolean(),
      lateHours: fc.constantFrom(0, 0, 500),
      isTakenBack: fc.constantFrom(false, false, true),
    }),
    { maxLength: 4 },
  ),
});

test('cohorts equal a plain count of the people, and the projection equals the events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...zones),
      fc.nat(100),
      fc.constantFrom(0, 6, 60, 110),
      fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      fc.option(fc.constantFrom('country' as const, 'os' as const)),
      fc.option(fc.constantFrom('US', 'DE')),
      fc.constantFrom<EventRules | undefined>(undefined, {
        withoutPurchases: [],
        withoutAdRevenue: [NO_APP],
        payers: [{ appId: NO_APP, name: 'e', payer: 'always' }],
      }),
      async (people, timeZone, startDay, length, group, by, country, rules) => {
        const company = await app.freshCompany();
        await setTimeZone(ctx, company, timeZone);
        const stored = people.map((one): SampleEvent[] => {
          const bidId = bidIdAt(one.installedMs - one.afterMs);
          const of: Partial<SampleEvent> = {
            country: one.country,
            os: one.os,
            ...(one.kind === 'bot' && { mark: 'bot' }),
            test: one.kind === 'test',
          };
          const install = { ...of, at: iso(one.installedMs), bidId };
          return [
            ...(one.kind === 'no install' ? [] : [{ ...install, kind: 'install' as const }]),
            ...(one.kind === 'rejected' ? [{ ...install, kind: 'install_rejected' as const }] : []),
            ...one.events.flatMap(({ hours, cents, isAd, lateHours, isTakenBack }): SampleEvent[] => {
              const eventMs = one.installedMs + hours * HOUR_MS;
              const event: SampleEvent = {
                ...of,
                at: iso(eventMs + lateHours * HOUR_MS),
                kind: 'app_event',
                app: {
                  name: 'e',
                  clickBidId: bidId,
                  eventAt: iso(eventMs),
                  isAdRevenue: isAd,
                  ...amountOf(cents),
                },
              };
              return isTakenBack ? [event, { ...event, kind: 'app_event_rejected' }] : [event];
            }),
          ];
        });
        const all = stored.flat();
        await storeEvents(ctx, company.companyId, all.slice(0, 30));
        if (all.length > 30) await storeEvents(ctx, company.companyId, all.slice(30));

        const start = addDays(firstDay, startDay);
        const end = addDays(start, length);
        const report = await cohorts(company, {
          start_date: start,
          end_date: end,
          group,
          by,
          ...(country && { filters: { country } }),
        });
        const bucketOf = (date: string) =>
          group === 'day' ? date : group === 'week' ? mondayOf(date) : `${date.slice(0, 7)}-01`;
        const counted = people.filter(({ kind, installedMs, country: from }) => {
          const date = dateAt(installedMs, timeZone);
          return kind === 'plain' && date >= start && date <= end && (!country || from === country);
        });
        expect(report.total).toMatchObject({ installs: counted.length, ...plainFigures(counted) });
        const keys = new Set(
          counted.map((one) => `${bucketOf(dateAt(one.installedMs, timeZone))} ${by ? one[by] : ''}`),
        );
        expect(new Set(report.rows.map(({ cohort, value }) => `${cohort} ${value}`))).toEqual(keys);
        for (const row of report.rows) {
          const beneath = counted.filter(
            (one) =>
              bucketOf(dateAt(one.installedMs, timeZone)) === row.cohort && (!by || one[by] === row.value),
          );
          expect(row).toMatchObject({ installs: beneath.length, ...plainFigures(beneath) });
        }

        const range = { start, end, timeZone };
        const query = {
          period: periodOf(range),
          cohorts: bucketsIn(range, group)!,
          by: by ?? undefined,
          filters: country ? { country: [country] } : {},
          nowMs: NOW_MS,
        };
        const read = async (fromEvents: boolean) => {
          const options = { top: 1, withSpend: true, settings: {}, fromEvents };
          const rows = await readCohorts(ctx.clickhouse, company.companyId, { ...query, rules }, options);
          return rows.toSorted((a, b) => `${a.cohort} ${a.value}`.localeCompare(`${b.cohort} ${b.value}`));
        };
        expect(await read(false)).toEqual(await read(true));
      },
    ),
    runs(15),
  );
});

type SamplePerson = typeof person extends fc.Arbitrary<infer Sample> ? Sample : never;

/** The cells of some people, counted one by one. */
function plainFigures(people: readonly SamplePerson[]) {
  const valid = (one: SamplePerson) => one.events.filter(({ isTakenBack }) => !isTakenBack);
  const dayOf = (hours: number) => Math.max(0, Math.floor(hours / 24));
  return {
    unknown_amounts: people.flatMap(valid).filter(({ cents }) => cents === undefined).length,
    cells: COHORT_DAYS.map((day) => {
      const old = people.filter(({ installedMs }) => NOW_MS - installedMs >= (day + 1) * DAY_MS);
      const until = old.map((one) => valid(one).filter(({ hours }) => dayOf(hours) <= day));
      const cents = until.flat().reduce((sum, event) => sum + (event.cents ?? 0), 0);
      const payers = until.filter((events) => events.some((event) => !event.isAd && (event.cents ?? 0) > 0));
      const active = old.filter((one) => valid(one).some(({ hours }) => dayOf(hours) === day));
      const isKnown = old.length > 0;
      const rate = (count: number) => ({ value: expect.closeTo((count / old.length) * 100, 6) });
      return {
        day,
        mature_share: people.length > 0 ? old.length / people.length : null,
        people: old.length,
        revenue: isKnown ? expect.closeTo(cents / 100, 6) : null,
        arpu: isKnown ? { value: expect.closeTo(cents / 100 / old.length, 6) } : null,
        payers: isKnown ? payers.length : null,
        payer_rate: isKnown ? rate(payers.length) : null,
        retention: isKnown ? rate(active.length) : null,
      };
    }),
  };
}

/** An amount in cents; null for none, undefined for one that is not known in dollars. */
function amountOf(cents: number | null | undefined) {
  if (cents === undefined) return { amount: '7', currency: 'XTS' };
  return cents === null ? {} : { revenueMicros: cents * 10_000 };
}
