import type { DefaultReport, DefaultRow } from '@bidwell/contract/reports/schema';
import { metricsOf } from '@bidwell/contract/reports/metrics';
import fc from 'fast-check';
import { escapeFormula } from '@bidwell/contract/lib/csv';
import papa from 'papaparse';
import { expect, test } from 'vitest';
import { creativesOfCampaign } from './campaign-creatives.ts';
import { csvText } from '../../lib/format/csv-file.ts';
import { reportColumns } from './report-columns.ts';
import { reportTable } from './report-csv.ts';
import { asLevelReport, largestOf, leavesOf, matchingRows, openablePaths } from './report-rows.ts';
import {
  FILTER_KEYS,
  chartText,
  filterSearch,
  levelsText,
  metricsText,
  readReport,
  reportSearch,
} from './report-search.ts';
import { withView } from './saved-views.ts';
import { groupFor, pointsOf, possibleGroups } from '../../entities/reports/trend.ts';

const row = (
  level: DefaultRow['level'],
  name: string,
  dollars: number,
  children: DefaultRow[] = [],
): DefaultRow => ({
  level,
  value: name,
  name,
  ...metricsOf({
    clicks: 10,
    installs: dollars > 5 ? 2 : 0,
    impressions: 100,
    spendMicros: dollars * 1_000_000,
  }),
  children,
});

const tree: DefaultRow[] = [
  row('adset', 'Europe, "price"', 9, [row('country', 'DE', 6), row('country', 'AT', 3)]),
  row('adset', 'a;＝2+3', 4, [row('country', 'FR', 4)]),
];
const report: DefaultReport = {
  rows: tree,
  total: metricsOf({ clicks: 20, installs: 2, impressions: 200, spendMicros: 13_000_000 }),
};

test('an address without anything is the default report', () => {
  expect(readReport(reportSearch.parse({}))).toEqual({
    mode: 'Campaign',
    campaignUuid: undefined,
    levels: ['adset', 'creative_type'],
    metrics: ['spends', 'clicks', 'installs', 'impressions', 'ctr', 'cpm', 'cpi'],
    chart: ['spends', 'installs'],
    events: [],
    group: undefined,
    compare: false,
    filters: {},
  });
});

test('a report of re-engagement alone has returns in place of installs, unless other metrics are chosen', () => {
  const metrics = [
    'spends',
    'clicks',
    'reattributions',
    'impressions',
    'ctr',
    'cpm',
    'cost_per_reattribution',
  ];
  const byKind = readReport(reportSearch.parse({ campaign_kind: 're_engagement' }));
  expect(byKind).toMatchObject({ metrics, chart: ['spends', 'reattributions'] });
  expect(metricsText(metrics, 're_engagement')).toBeUndefined();
  const uuid = '01890000-0000-7000-8000-000000000001';
  expect(readReport({ campaign_uuid: uuid }, () => 're_engagement').metrics).toEqual(metrics);
  expect(readReport({ campaign_uuid: uuid }, () => undefined).metrics).toContain('installs');
  expect(readReport({ campaign_kind: 're_engagement', metrics: 'cpi' }).metrics).toEqual(['cpi']);
  const [installs, spend] = reportColumns(['installs', 'spends'], [], [], false, 're_engagement');
  expect([installs!.format(installs!.valueOf(report.total)), spend!.valueOf(report.total)]).toEqual([
    '-',
    report.total.spends,
  ]);
});

test('invalid parts of an address fall back to defaults, and numbers alone are values too', () => {
  const state = readReport(
    reportSearch.parse({
      mode: 'Nothing',
      levels: 'country,nothing,country,os',
      metrics: 'cpi',
      chart: 'ctr,cpm,cpi',
      group: 'minute',
      events: ['purchase', 5],
      creative_width: 320,
      country: ' DE,,AT ',
      os: { like: 'this' },
    }),
  );
  expect(state).toEqual({
    mode: 'Campaign',
    campaignUuid: undefined,
    levels: ['country', 'os'],
    metrics: ['cpi'],
    chart: ['ctr', 'cpm'],
    events: [],
    group: undefined,
    compare: false,
    filters: { creative_width: ['320'], country: ['DE', 'AT'] },
  });
});

test('named in-app events are columns with their number, people and cost, in a file too', () => {
  const named = [{ name: 'buy, now', count: 4, people: 3, cost_per_event: 2.5 }];
  const withEvents = { ...report.total, roas: 41.5, named_events: named };
  const columns = reportColumns(['roas'], readReport({ events: ['buy, now', 'none'] }).events);
  expect(columns.map(({ label, format, valueOf }) => [label, format(valueOf(withEvents))])).toEqual([
    ['ROAS', '41.50%'],
    ['buy, now', '4'],
    ['buy, now: people', '3'],
    ['buy, now: cost', '$2.50'],
    ['none', '-'],
    ['none: people', '-'],
    ['none: cost', '-'],
  ]);
  const labels = [
    { name: 'buy, now', label: 'Purchase' },
    { name: 'none', label: null },
  ];
  expect(reportColumns([], ['buy, now', 'none'], labels).map(({ label }) => label)).toEqual([
    'Purchase',
    'Purchase: people',
    'Purchase: cost',
    'none',
    'none: people',
    'none: cost',
  ]);
  const { fields, data } = reportTable({ rows: [], total: withEvents }, ['adset'], columns.slice(0, 4));
  expect(fields).toEqual(['Ad set', 'ROAS, %', 'buy, now', 'buy, now: people', 'buy, now: cost, $']);
  expect(data).toEqual([['Total', 41.5, 4, 3, 2.5]]);
});

test('at most six levels', () => {
  expect(readReport({ levels: 'campaign,adset,app,bundle,os,country,creative' }).levels).toHaveLength(6);
});

const values = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 5 });

test('any filters survive the way through the address', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...FILTER_KEYS), values, { noNullPrototype: true }),
      (filters) => {
        expect(readReport(filterSearch(filters)).filters).toEqual(filters);
      },
    ),
  );
});

test('defaults are not in the address, and removed filters leave it', () => {
  expect(levelsText(['adset', 'creative_type'])).toBeUndefined();
  expect(levelsText(['creative_type', 'adset'])).toBe('creative_type,adset');
  expect(metricsText(['spends'])).toBe('spends');
  expect(chartText(['spends', 'installs'])).toBeUndefined();
  expect(filterSearch({ os: [] })).toHaveProperty('os', undefined);
});

test('a search finds a row by its own name or by one beneath it', () => {
  expect(matchingRows(tree, ' fr ').map(({ name }) => name)).toEqual(['a;＝2+3']);
  expect(matchingRows(tree, 'EUROPE')).toHaveLength(1);
  expect(matchingRows(tree, undefined)).toHaveLength(2);
});

test('bars are measured by the largest of the whole tree, and leaves know where they lie', () => {
  expect(largestOf(tree, reportColumns(['spends', 'cpi'], []))).toEqual({ spends: 9, cpi: 4.5 });
  expect(leavesOf(tree).map(({ names }) => names.join('/'))).toEqual([
    'Europe, "price"/DE',
    'Europe, "price"/AT',
    'a;＝2+3/FR',
  ]);
  expect(openablePaths(tree)).toHaveLength(2);
});

test('apps are found by name and by bundle, and their leaves are exported by bundle', () => {
  const apps = asLevelReport({
    rows: [
      { bundle: '6400100137', name: 'Harbor Merge', ...report.total },
      { bundle: 'com.nine.word', name: 'Word Lantern', ...report.total },
    ],
    total: report.total,
  }).rows;
  const found = (text: string) => matchingRows(apps, text).map(({ name }) => name);
  expect(found('harbor')).toEqual(['Harbor Merge']);
  expect(found('com.nine')).toEqual(['Word Lantern']);
  // A file with bundles can be used as a blocklist.
  expect(leavesOf(apps).map(({ names }) => names)).toEqual([['6400100137'], ['com.nine.word']]);
});

test('a bundle report is a report of one level', () => {
  const [only] = asLevelReport({
    rows: [{ bundle: '', name: 'Unknown', ...report.total }],
    total: report.total,
  }).rows;
  expect(only).toMatchObject({ level: 'bundle', name: 'Unknown', children: [] });
});

test('the file quotes what must be quoted, runs no formula, and ends with the total', async () => {
  const text = await csvText(reportTable(report, ['adset', 'country'], reportColumns(['spends', 'cpi'], [])));
  expect(text.split('\r\n')).toEqual([
    'Ad set,Country,"Spend, $","CPI, $"',
    '"Europe, ""price""",DE,6,3',
    '"Europe, ""price""",AT,3,',
    "a;'＝2+3,FR,4,",
    'Total,,13,6.5',
  ]);
});

test('with any names, a file reads back as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1 }).filter((name) => escapeFormula(name) === name)),
      async (names) => {
        const rows = names.map((name) => row('creative', name, 1));
        const text = await csvText(
          reportTable({ rows, total: report.total }, ['creative'], reportColumns(['spends'], [])),
        );
        const { data } = papa.parse<string[]>(text);
        expect(data.slice(1, -1).map(([name]) => name)).toEqual(names);
      },
    ),
    { numRuns: 50 },
  );
});

test('a chart is drawn in the finest readable buckets', () => {
  const year = { start: '2026-01-01', end: '2026-12-31' };
  expect(groupFor(year, 'day')).toBe('day');
  expect(groupFor(year, undefined)).toBe('week');
  expect(groupFor({ start: '2026-05-01', end: '2026-05-31' }, undefined)).toBe('day');
  expect(possibleGroups({ start: '2000-01-01', end: '2100-01-01' })).toEqual(['month', 'year']);
});

test('a chart has a point for each bucket, also where nothing happened', () => {
  const points = pointsOf({ rows: [{ ...row('day', 'May 4', 9), value: '2026-05-04' }] }, [
    '2026-05-04',
    '2026-05-05',
  ]);
  expect(points).toMatchObject([
    { bucket: '2026-05-04', spends: 9, installs: 2, cpi: 4.5 },
    { bucket: '2026-05-05', spends: 0, installs: 0, cpi: null, ctr: null },
  ]);
});

test('a saved view replaces the one with its name', () => {
  const views = withView([{ name: 'Mine', query: '?mode=Bundle' }], { name: 'Mine', query: '?group=week' });
  expect(views).toEqual([{ name: 'Mine', query: '?group=week' }]);
});

test('a campaign’s creatives are all creatives in the groups of its ad sets', () => {
  const creative = (uuid: string) => ({ uuid, internal_creative: { name: `Creative ${uuid}` } });
  const group = (uuid: string) => ({
    uuid,
    banner_creatives: [creative(`${uuid}1`)],
    video_creatives: [],
    native_creatives: [],
    playable_creatives: [creative(`${uuid}2`)],
  });
  const adset = (uuid: string, groupUuid: string) => ({
    uuid,
    creative_groups: [{ uuid: groupUuid, name: groupUuid }],
  });
  const campaign = { adsets: [{ uuid: 'a', name: 'A', status: 'Active' as const }] };
  expect(creativesOfCampaign(campaign, [adset('a', 'g'), adset('b', 'h')], [group('g'), group('h')])).toEqual(
    [
      { value: 'g1', label: 'Creative g1' },
      { value: 'g2', label: 'Creative g2' },
    ],
  );
  expect(creativesOfCampaign(undefined, [], [group('g')])).toEqual([]);
});
