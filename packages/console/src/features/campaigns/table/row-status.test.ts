import { expect, test } from 'vitest';
import { statusOf } from './row-status.ts';
import type { TreeRow } from './tree-rows.ts';

const rowOf = (adset: string, campaign?: string) =>
  ({
    kind: 'adset',
    adset: { status: adset },
    campaign: campaign && { status: campaign },
  }) as unknown as TreeRow;

test.each([
  ['Active', 'Active', 'Active'],
  ['Active', 'Paused', 'Campaign paused'],
  ['Paused', 'Paused', 'Paused'],
  ['Active', undefined, 'Active'],
])('an ad set that is %s in a campaign that is %s is shown as %s', (adset, campaign, shown) => {
  expect(statusOf(rowOf(adset, campaign))).toBe(shown);
});
