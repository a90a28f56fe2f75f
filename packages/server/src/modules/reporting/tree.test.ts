import type { LevelRow } from '@bidwell/contract/reports/schema';
import { REPORT_METRICS } from '@bidwell/contract/reports/metrics';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { sumOf } from './figures.ts';
import { type TreeCounts, levelRows, reportJson, treeOfDepths, treeOfLeaves } from './tree.ts';

const treeOf = (
  rows: readonly TreeCounts[],
  levels: LevelRow['level'][],
  nameOf: (level: string, value: string) => string = (_level, value) => value,
) =>
  runToCompletion(
    levelRows(runToCompletion(treeOfLeaves(rows)), { levels, metrics: REPORT_METRICS, nameOf }),
  );

const row = (values: string[], spendMicros: number, installs = 0) => ({
  values,
  clicks: 1,
  installs,
  impressions: 10,
  spendMicros,
});

test('rows become a tree in the order of the levels, highest spend first', () => {
  const tree = treeOf(
    [row(['a', 'Video'], 1_000_000, 1), row(['b', 'Banner'], 3_000_000), row(['a', 'Banner'], 1_500_000)],
    ['adset', 'creative_type'],
    (level, value) => `${level} ${value}`,
  );
  expect(tree.map(({ value, spends }) => [value, spends])).toEqual([
    ['b', 3],
    ['a', 2.5],
  ]);
  expect(tree[1]).toMatchObject({
    level: 'adset',
    name: 'adset a',
    clicks: 2,
    impressions: 20,
    ctr: 10,
    cpm: 125,
    cpi: 2.5,
    children: [
      { level: 'creative_type', value: 'Banner', spends: 1.5, cpi: null, children: [] },
      { level: 'creative_type', value: 'Video', spends: 1, cpi: 1, children: [] },
    ],
  });
});

test('without rows there is no tree', () => {
  expect(treeOf([], ['adset'])).toEqual([]);
});

test('every node is the sum of its children, and the roots of all rows', () => {
  const Row = fc.record({
    values: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')),
    clicks: fc.nat(1000),
    installs: fc.nat(1000),
    impressions: fc.nat(1000),
    spendMicros: fc.nat(1_000_000_000),
  });
  const micros = (spends: number) => Math.round(spends * 1_000_000);
  const check = (nodes: readonly LevelRow[], clicks: number, spendMicros: number): void => {
    expect(nodes.reduce((sum, node) => sum + node.clicks!, 0)).toBe(clicks);
    expect(nodes.reduce((sum, node) => sum + micros(node.spends!), 0)).toBe(spendMicros);
    for (const node of nodes)
      if (node.children.length > 0) check(node.children, node.clicks!, micros(node.spends!));
  };
  fc.assert(
    fc.property(fc.uniqueArray(Row, { selector: ({ values }) => values.join() }), (rows) => {
      const tree = treeOf(rows, ['adset', 'creative_type', 'creative_width']);
      const sum = (of: (each: (typeof rows)[number]) => number) =>
        rows.reduce((total, each) => total + of(each), 0);
      check(
        tree,
        sum((each) => each.clicks),
        sum((each) => each.spendMicros),
      );
    }),
  );
});

test('rows that are not listed are summed as Other, so that rows add up', () => {
  const all = [row(['a', 'x'], 5_000_000), row(['a', 'y'], 3_000_000), row(['b', 'x'], 1_000_000, 2)];
  const depths = [[{ ...sumOf(all.slice(0, 2)), values: ['a'] }], all.slice(0, 1)];
  const tree = runToCompletion(
    levelRows(runToCompletion(treeOfDepths(depths, sumOf(all))), {
      levels: ['adset', 'os'],
      metrics: REPORT_METRICS,
      nameOf: (_level, value) => value,
    }),
  );
  expect(tree).toMatchObject([
    {
      value: 'a',
      spends: 8,
      children: [
        { value: 'x', spends: 5 },
        { value: 'Other', name: 'Other', spends: 3, clicks: 1, impressions: 10, children: [] },
      ],
    },
    { value: 'Other', spends: 1, installs: 2, children: [] },
  ]);
});

test('a report is written as JSON with only the requested metrics', () => {
  const tree = runToCompletion(
    treeOfLeaves([row(['a', '"x"'], 5_000_000), row(['a', 'y'], 1), row(['b', 'x'], 2)]),
  );
  const rows = runToCompletion(
    levelRows(tree, {
      levels: ['adset', 'os'],
      metrics: ['ipm', 'spends'],
      nameOf: (_level, value) => value,
    }),
  );
  expect(rows[1]).toEqual({
    level: 'adset',
    value: 'b',
    name: 'b',
    ipm: 0,
    spends: 0.000_002,
    children: [expect.objectContaining({ level: 'os', value: 'x', children: [] })],
  });
  for (const report of [
    { rows, total: { spends: 5 } },
    { rows: [], total: {}, rows_total: 0 },
  ])
    expect(runToCompletion(reportJson(report))).toBe(JSON.stringify({ data: report }));
});
