import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import { REPORT_METRICS, type ReportKey } from '@bidwell/contract/reports/metrics';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { runs } from '@bidwell/testing/whole-run';
import type { EventRules } from '../../../delivery/public.ts';
import { bucketsIn, periodOf, rangeBefore, withPreviousBuckets } from '../buckets.ts';
import { countEvents } from './counts-store.ts';
import { type CountsQuery, countsSql } from './query-model.ts';
import { zeroCounts } from '../figures.ts';

const app = await testApp();
const { ctx } = app;

const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
];
const ids = [1, 2, 3].map((n) => `019a0000-0000-7000-8000-00000000000${n}`);
// A few days before each daylight saving change, the leap day and the end of a year, and surrounding dates.
const days = ['2024-02-27', '2026-03-07', '2026-10-31', '2026-12-30', '2026-04-04'];
const lengths = fc.constantFrom(0, 1, 3, 9, 35, 70);
const day = fc.tuple(fc.constantFrom(...days), fc.nat(4)).map(([first, more]) => addDays(first, more));
/** A person in a property of the events is in any row: the counts of people must not depend on bids having one row each. */
const people = [4, 5, 6].map((n) => `019a0000-0000-7000-8000-00000000000${n}`);
const event: fc.Arbitrary<SampleEvent> = fc.record({
  at: fc
    .tuple(day, fc.nat(96), fc.constantFrom(0, -1))
    .map(([date, quarters, ms]) =>
      new Date(Date.parse(`${date}T00:00:00Z`) + quarters * 900_000 + ms).toISOString(),
    ),
  kind: fc.constantFrom(
    'impression',
    'click',
    'install',
    'install_rejected',
    'billing',
    'win',
    'loss',
    'app_event',
    'app_event',
    'app_event_rejected',
  ),
  app: fc.record({
    name: fc.constantFrom('purchase', 'level'),
    revenueMicros: fc.constantFrom(undefined, 0, 2_000_000, -1_000_000),
    amount: fc.constantFrom('', '2'),
    clickBidId: fc.constantFrom(...people),
    isAdRevenue: fc.boolean(),
  }),
  mark: fc.constantFrom('', '', 'bot', 'datacenter'),
  campaignId: fc.constantFrom(...ids),
  adsetId: fc.constantFrom(...ids),
  creativeId: fc.constantFrom(...ids),
  bundle: fc.constantFrom('a.b', 'c.d', 'e.f'),
  country: fc.constantFrom('US', 'IN', ''),
  os: fc.constantFrom('ios', 'android'),
  exchange: fc.constantFrom('one', 'two'),
  creativeType: fc.constantFrom('Banner', 'Video'),
  spendMicros: fc.nat(10_000_000),
  test: fc.constantFrom(false, false, false, true),
});
/** The app of all sample events. */
const appId = '00000000-0000-0000-0000-000000000000';
const rules: EventRules = {
  withoutPurchases: [],
  withoutAdRevenue: [appId],
  payers: [
    { appId, name: 'level', payer: 'always' },
    { appId, name: 'purchase', payer: 'never' },
  ],
};
const valueOf: Partial<Record<ReportKey, (sample: SampleEvent) => string>> = {
  campaign: ({ campaignId }) => campaignId!,
  adset: ({ adsetId }) => adsetId!,
  creative: ({ creativeId }) => creativeId!,
  bundle: ({ bundle }) => bundle!,
  country: ({ country }) => country!,
  os: ({ os }) => os!,
  exchange: ({ exchange }) => exchange!,
  creative_type: ({ creativeType }) => creativeType!,
};
const keys = Object.keys(valueOf) as ReportKey[];
const values: Partial<Record<ReportKey, string[]>> = {
  campaign: ids.slice(0, 2),
  adset: ids.slice(1),
  bundle: ['a.b', 'zz'],
  country: ['IN', 'US'],
  os: ['ios'],
  creative_type: ['Video'],
};

test('reports equal a plain count of the events, and the aggregates equal the events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 120 }),
      fc.constantFrom(...zones),
      day,
      lengths,
      fc.subarray(keys, { minLength: 1, maxLength: 3 }),
      fc.subarray(Object.keys(values) as ReportKey[], { maxLength: 2 }),
      fc.option(fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'hour' as const)),
      fc.constantFrom<Partial<CountsQuery>>({}, { rules }, { winsOf: ['one', 'three'] }),
      async (events, timeZone, start, length, levels, filtered, span, more) => {
        const company = await app.freshCompany();
        await setTimeZone(ctx, company, timeZone);
        // Two inserts, so that the aggregates of two parts have to be merged.
        await storeEvents(ctx, company.companyId, events.slice(0, 40));
        if (events.length > 40) await storeEvents(ctx, company.companyId, events.slice(40));
        const end = addDays(start, length);

        const report = await company.call('POST', '/analytics/level', {
          start_date: start,
          end_date: end,
          metrics: [...REPORT_METRICS, 'app_events', 'revenue', 'roas'],
          event_names: ['level'],
          levels: Object.fromEntries(levels.map((level) => [level, ''])),
          filters: Object.fromEntries(filtered.map((key) => [key, values[key]!.join(',')])),
        });
        expect(report.status).toBe(200);
        const counted = events.filter((sample) => {
          const date = dateAt(Date.parse(sample.at), timeZone);
          const matches = filtered.every((key) => values[key]!.includes(valueOf[key]!(sample)));
          return !sample.test && date >= start && date <= end && matches;
        });
        expect(report.data.total).toMatchObject(figuresOf(counted));
        for (const row of report.data.rows) {
          const beneath = counted.filter((sample) => valueOf[levels[0]!]!(sample) === row.value);
          expect(row).toMatchObject(figuresOf(beneath));
        }

        const range = { start, end, timeZone };
        const earlier = rangeBefore(range);
        const query: CountsQuery = {
          period: periodOf(range),
          before: periodOf(earlier),
          by: [
            ...levels,
            ...(span ? [withPreviousBuckets(bucketsIn(range, span)!, bucketsIn(earlier, span)!)] : []),
          ],
          filters: Object.fromEntries(filtered.map((key) => [key, values[key]!])),
          extended: true,
          eventNames: ['level', 'purchase'],
        };
        const read = async (of: CountsQuery, fromEvents: boolean) => {
          const { sql, params } = countsSql(company.companyId, of, { fromEvents });
          return ctx.clickhouse.query(sql, params);
        };
        const asked = { ...query, ...more };
        expect(await read(asked, false)).toEqual(await read(asked, true));

        // Without levels, people are counted once for the whole period.
        const wholeOf = async (of: CountsQuery) =>
          (await countEvents(ctx.clickhouse, company.companyId, { ...of, before: undefined, by: [] }))[0]
            ?.appEvents;
        const plain = plainAppEvents(counted);
        const whole = await wholeOf(query);
        expect(whole?.payers ?? 0).toBe(plain.payers);
        expect(whole?.named[0]?.people ?? 0).toBe(plain.named[0]!.people);
        const byRules = await wholeOf({ ...query, rules });
        expect(byRules?.payers ?? 0).toBe(plain.named[0]!.people);
        expect(byRules?.revenueMicros ?? 0).toBe(
          plainAppEvents(counted.filter(({ app: of }) => !of?.isAdRevenue)).revenueMicros,
        );
      },
    ),
    runs(25),
  );
});

const signOf = ({ kind, mark }: SampleEvent) =>
  mark ? 0 : kind === 'app_event' ? 1 : kind === 'app_event_rejected' ? -1 : 0;

function plainAppEvents(events: readonly SampleEvent[]) {
  const sum = (of: (sample: SampleEvent) => number, among = events) =>
    among.reduce((total, sample) => total + signOf(sample) * of(sample), 0);
  const peopleWith = (of: (sample: SampleEvent) => boolean) =>
    people.filter((person) => sum((sample) => Number(of(sample) && sample.app!.clickBidId === person)) > 0)
      .length;
  const isLevel = ({ app: { name } = {} }: SampleEvent) => name === 'level';
  return {
    events: sum(() => 1),
    payers: peopleWith(
      ({ app: { revenueMicros = 0, isAdRevenue } = {} }) => revenueMicros > 0 && !isAdRevenue,
    ),
    revenueMicros: sum(({ app: { revenueMicros = 0 } = {} }) => revenueMicros),
    knownRevenues: sum(({ app: { revenueMicros } = {} }) => (revenueMicros === undefined ? 0 : 1)),
    unknownRevenues: sum(({ app: { revenueMicros, amount } = {} }) =>
      revenueMicros === undefined && amount ? 1 : 0,
    ),
    named: [{ count: sum((sample) => Number(isLevel(sample))), people: peopleWith(isLevel) }],
  };
}

/** The figures that a report has of events, without counts of people, who may be in more than one row. */
function figuresOf(events: readonly SampleEvent[]) {
  const counts = { ...plainCount(events), appEvents: plainAppEvents(events) };
  const { named_events: named, ...metrics } = chosenMetricsOf(
    counts,
    [...REPORT_METRICS, 'app_events', 'revenue', 'roas'],
    ['level'],
  );
  return {
    ...metrics,
    named_events: named!.map(({ people: _people, ...figures }) => expect.objectContaining(figures)),
  };
}

function plainCount(events: readonly SampleEvent[]) {
  const valid = events.filter(({ mark }) => !mark);
  return {
    ...zeroCounts,
    clicks: valid.filter(({ kind }) => kind === 'click').length,
    installs:
      valid.filter(({ kind }) => kind === 'install').length -
      valid.filter(({ kind }) => kind === 'install_rejected').length,
    impressions: events.filter(({ kind }) => kind === 'impression').length,
    spendMicros: events.reduce((sum, { spendMicros = 0 }) => sum + spendMicros, 0),
  };
}

test('in-app events are read from their projection', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [
    { at: '2026-01-10T12:00:00Z', kind: 'click' },
    { at: '2026-01-10T12:00:00Z', kind: 'app_event', app: {} },
    // In the period before: the engine does not read periods that it knows to be empty.
    { at: '2025-12-10T12:00:00Z', kind: 'app_event', app: {} },
  ]);
  const range = { start: '2026-01-01', end: '2026-01-31', timeZone: 'Asia/Kolkata' };
  for (const by of [
    ['creative_duration', 'format', bucketsIn(range, 'day')!],
    keys.slice(0, 6),
    [],
  ] as const) {
    const { sql, params } = countsSql(company.companyId, {
      period: periodOf(range),
      before: periodOf(rangeBefore(range)),
      by,
      filters: { bundle: ['com.example'], country: ['US'] },
      eventNames: ['purchase'],
      ...(by.length > 0 && { rules }),
    });
    const rows = await ctx.clickhouse.query<{ explain: string }>(`explain ${sql}`, params);
    const plan = rows.map(({ explain }) => explain).join('\n');
    // For each period the events, and the rejected installs.
    expect(plan.match(/ReadFromMergeTree \(person_events\)/g)).toHaveLength(4);
  }
});

test('a late event is in the report of its day, before and after the table’s parts are merged', async () => {
  const company = await app.freshCompany();
  const click = (at: string): SampleEvent => ({ at, kind: 'click', bundle: 'late.app' });
  const clicks = async () => {
    const range = { start_date: '2025-06-01', end_date: '2025-06-30' };
    const { data } = await company.call('POST', '/analytics/bundle', range);
    return data.total.clicks;
  };
  await storeEvents(ctx, company.companyId, [click('2025-06-10T12:00:00Z'), click('2025-07-10T12:00:00Z')]);
  expect(await clicks()).toBe(1);
  await storeEvents(ctx, company.companyId, [click('2025-06-10T12:30:00Z'), click('2025-06-01T00:00:00Z')]);
  expect(await clicks()).toBe(3);
  await ctx.clickhouse.command('optimize table events final');
  expect(await clicks()).toBe(3);
});

test('queries read the aggregates that have their columns', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  const planOf = async (by: CountsQuery['by'], timeZone = 'UTC') => {
    const range = { start: '2026-01-01', end: '2026-01-31', timeZone };
    const { sql, params } = countsSql(company.companyId, { period: periodOf(range), by, filters: {} });
    const rows = await ctx.clickhouse.query<{ explain: string }>(`explain ${sql}`, params);
    const plan = rows.map(({ explain }) => explain).join('\n');
    return [...plan.matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)].map(([, source]) => source);
  };
  const daysOf = (timeZone: string) =>
    bucketsIn({ start: '2026-01-01', end: '2026-01-31', timeZone }, 'day')!;
  expect(await planOf(['adset', 'creative_type'])).toEqual(['daily_creatives']);
  expect(await planOf(['campaign', 'adset', 'app', 'country', 'exchange'])).toEqual(['monthly_places']);
  expect(await planOf(['bundle'])).toEqual(['monthly_bundles']);
  expect(await planOf(['bundle', daysOf('UTC')])).toEqual(['daily_bundles']);
  expect(await planOf([daysOf('America/New_York')], 'America/New_York')).toEqual(['hourly_campaigns']);
  expect(await planOf(['bundle', 'country'])).toEqual([expect.stringMatching(/events$/)]);
  const indian = await planOf([daysOf('Asia/Kolkata')], 'Asia/Kolkata');
  expect(indian).toContain('hourly_campaigns');
});

test('buckets with the same value are one row', async () => {
  const company = await app.freshCompany();
  const hours = [9, 10, 11].map((hour) => Date.parse(`2026-03-10T${String(hour).padStart(2, '0')}:00:00Z`));
  await storeEvents(
    ctx,
    company.companyId,
    hours.map((startMs) => ({ at: new Date(startMs + 1).toISOString(), kind: 'click' as const })),
  );
  const rows = await countEvents(ctx.clickhouse, company.companyId, {
    period: { fromMs: hours[0]!, beforeMs: hours[2]! + 3_600_000 },
    by: [hours.map((startMs, index) => ({ startMs, value: index === 1 ? 'middle' : 'rest' }))],
    filters: {},
  });
  expect(rows.map((row) => [row.values, row.clicks]).sort()).toEqual([
    [['middle'], 1],
    [['rest'], 2],
  ]);
});
