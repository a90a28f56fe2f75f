import type { LevelRow } from '@bidwell/contract/analytics';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelTree } from './tree.ts';

const row = (values: string[], spendMicros: number, installs = 0) => ({
  values,
  clicks: 1,
  installs,
  impressions: 10,
  spendMicros,
});

test('rows become a tree in the order of the levels, what spent most first', () => {
  const tree = levelTree(
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

test('no rows are no tree', () => {
  expect(levelTree([], ['adset'], (_level, value) => value)).toEqual([]);
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
    expect(nodes.reduce((sum, node) => sum + node.clicks, 0)).toBe(clicks);
    expect(nodes.reduce((sum, node) => sum + micros(node.spends), 0)).toBe(spendMicros);
    for (const node of nodes)
      if (node.children.length > 0) check(node.children, node.clicks, micros(node.spends));
  };
  fc.assert(
    fc.property(fc.array(Row), (rows) => {
      const tree = levelTree(rows, ['adset', 'creative_type', 'creative_width'], (_level, value) => value);
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
