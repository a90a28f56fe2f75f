import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { DefaultRow } from '@bidwell/contract/reports/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { type ReportLevel, metricsOf } from '@bidwell/contract/reports/metrics';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUnknown } from '../../../lib/loadable.ts';
import { type TreeRow, campaignTree, totalOf } from './tree-rows.ts';

const counted = (
  level: ReportLevel,
  value: string,
  spends: number,
  children: DefaultRow[] = [],
): DefaultRow => ({
  level,
  value,
  name: `${level} ${value}`,
  children,
  ...metricsOf({ clicks: 1, installs: 1, impressions: 100, spendMicros: spends * 1_000_000 }),
});
const campaign = { uuid: 'c', name: 'Launch', app: { name: 'Game' } } as Campaign;
const adset = {
  uuid: 'a',
  name: 'Europe',
  campaign: { uuid: 'c', name: 'Launch' },
  creative_groups: [{ uuid: 'g', name: 'Group' }],
} as AdsetSummary;
const group = {
  uuid: 'g',
  banner_creatives: [
    { uuid: 'k1', internal_creative: { name: 'Small' } },
    { uuid: 'k2', internal_creative: { name: 'Large' } },
  ],
  video_creatives: [],
  native_creatives: [],
  playable_creatives: [],
} as unknown as CreativeGroup;

const source = {
  campaigns: [campaign],
  adsets: [adset],
  groups: [group],
  report: [counted('campaign', 'c', 7)],
  deepReport: {
    campaigns: ['c'],
    rows: [
      counted('campaign', 'c', 7, [
        counted('adset', 'a', 4, [counted('creative', 'k2', 3), counted('creative', 'gone', 1)]),
        counted('adset', 'moved', 3),
      ]),
    ],
  },
};
const emptyDeep = { campaigns: ['c'], rows: [] };

const facts = (rows: TreeRow[] | undefined) =>
  rows?.map(({ kind, name, metrics }) => [kind, name, isUnknown(metrics) ? metrics : metrics.spends]);

test('a campaign has its present and former ad sets as children; an ad set its creatives, likewise', () => {
  const { rows, childrenOf } = campaignTree(source);
  expect(facts(rows)).toEqual([['campaign', 'Launch', 7]]);
  const adsets = childrenOf(rows[0]!);
  expect(facts(adsets)).toEqual([
    ['adset', 'Europe', 4],
    ['adset', 'adset moved', 3],
  ]);
  expect(facts(childrenOf(adsets![0]!))).toEqual([
    ['creative', 'Large', 3],
    ['creative', 'creative gone', 1],
    ['creative', 'Small', 0],
  ]);
  expect(childrenOf(adsets![1]!)).toBeUndefined();
});

test('without any metrics, everything that exists is shown', () => {
  const { rows, childrenOf } = campaignTree({ ...source, report: [], deepReport: emptyDeep });
  expect(rows[0]!.metrics).toMatchObject({ impressions: 0, cpi: null, ctr: null });
  expect(facts(childrenOf(childrenOf(rows[0]!)![0]!))).toHaveLength(2);
});

test('without a report, no figure is known, and neither is the total', () => {
  for (const why of ['loading', 'failed'] as const) {
    const { rows, childrenOf } = campaignTree({ ...source, report: why, deepReport: why });
    expect(facts(rows)).toEqual([['campaign', 'Launch', why]]);
    expect(facts(childrenOf(rows[0]!))).toEqual([['adset', 'Europe', why]]);
    expect(totalOf(rows)).toBe(why);
  }
});

test('a report on other campaigns says nothing of this one', () => {
  const { rows, childrenOf } = campaignTree({ ...source, deepReport: { campaigns: ['other'], rows: [] } });
  expect(facts(childrenOf(rows[0]!))).toEqual([['adset', 'Europe', 'loading']]);
});

test('creatives beyond the maximum are counted in a last row', () => {
  const banner_creatives = Array.from({ length: 75 }, (_, n) => ({
    uuid: `k${n}`,
    internal_creative: { name: `Banner ${n}` },
  }));
  const groups = [{ ...group, banner_creatives } as unknown as CreativeGroup];
  const { rows, childrenOf } = campaignTree({ ...source, groups, deepReport: emptyDeep });
  const creatives = childrenOf(childrenOf(rows[0]!)![0]!)!;
  expect(creatives).toHaveLength(31);
  expect(creatives.at(-1)).toMatchObject({ kind: 'more', name: 'and 45 more' });
});

test('a total is computed from the counts, so that its rates agree with it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { maxLength: 20 }), (cents) => {
      const report = cents.map((spend, n) => counted('campaign', String(n), spend / 100));
      const campaigns = cents.map((_, n) => ({ ...campaign, uuid: String(n) }));
      const total = totalOf(campaignTree({ ...source, campaigns, report }).rows);
      if (isUnknown(total)) throw new Error('The total is unknown');
      expect(total.spends).toBeCloseTo(cents.reduce((sum, n) => sum + n, 0) / 100, 6);
      expect(total.cpi).toBe(cents.length === 0 ? null : total.spends / cents.length);
    }),
  );
});

test('a total has every metric that follows from the counts of its rows', () => {
  const figures = { invalid_clicks: 2, invalid_installs: 1, app_events: 4, payers: 1, revenue: 5 };
  const report = ['1', '2'].map((uuid) => ({ ...counted('campaign', uuid, 10), ...figures }));
  const campaigns = report.map(({ value }) => ({ ...campaign, uuid: value }));
  expect(totalOf(campaignTree({ ...source, campaigns, report }).rows)).toMatchObject({
    install_rate: 100,
    ipm: 10,
    invalid_clicks: 4,
    invalid_installs: 2,
    payer_rate: 100,
    arpu: 5,
    arppu: 5,
    roas: 50,
    // Rows have no counts of wins and losses.
    win_rate: null,
  });
});

test('a total has the in-app events of all rows, and no revenue where none is known', () => {
  const rowOf = (uuid: string, figures: object) => ({ ...counted('campaign', uuid, 10), ...figures });
  const totalFor = (report: DefaultRow[]) =>
    totalOf(
      campaignTree({
        ...source,
        campaigns: [...report.map(({ value }) => value), 'never shown'].map((uuid) => ({
          ...campaign,
          uuid,
        })),
        report,
      }).rows,
    );
  const paid = rowOf('a', { app_events: 3, payers: 2, revenue: 30 });
  const unknown = rowOf('b', { app_events: 1, payers: null, revenue: null });
  expect(totalFor([paid, unknown])).toMatchObject({
    app_events: 4,
    cost_per_app_event: 5,
    payers: 2,
    revenue: 30,
    roas: 150,
  });
  expect(totalFor([unknown])).toMatchObject({ app_events: 1, payers: null, revenue: null, roas: null });
  expect(totalFor([])).toMatchObject({ app_events: 0, payers: 0, revenue: 0, roas: null });
});
