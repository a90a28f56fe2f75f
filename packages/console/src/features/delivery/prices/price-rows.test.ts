import { expect, test } from 'vitest';
import { priceTree } from './price-rows.ts';

const row = (exchange: string, country: string, impressions: number, paid: number) => ({
  exchange,
  exchange_name: exchange.toUpperCase(),
  country,
  impressions,
  value: paid * 3,
  bid: paid * 2,
  paid,
  saved_by_shading: paid,
  saved_by_auction: paid,
  bid_cpm: (paid * 2000) / impressions,
  paid_cpm: (paid * 1000) / impressions,
});

test('exchanges sum their countries, and their averages are over all impressions', () => {
  const tree = priceTree({
    rows: [row('adx', 'DE', 1000, 4), row('other', '', 10, 1), row('adx', 'FR', 3000, 2)],
  });
  expect(tree.map(({ name, paid }) => [name, paid])).toEqual([
    ['ADX', 6],
    ['OTHER', 1],
  ]);
  expect(tree[0]).toMatchObject({ impressions: 4000, bid: 12, bid_cpm: 3, paid_cpm: 1.5, value: 18 });
  expect(tree[0]!.countries!.map(({ name }) => name)).toEqual(['Germany', 'France']);
  expect(tree[1]!.countries!.map(({ name }) => name)).toEqual(['Unknown']);
});
