import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { expect, test } from 'vitest';
import {
  type AmountChange,
  type BulkEdit,
  type BulkField,
  editErrors,
  noEdit,
  planRows,
} from './bulk-edit.ts';
import type { TreeRow } from '../table/tree-rows.ts';
import { zeroMetrics } from '../../../entities/reports/row-metrics.ts';

const adset = (name: string, values: Partial<AdsetSummary> = {}) =>
  ({
    uuid: name,
    name,
    status: 'Active',
    archived_at: null,
    bet_cpm: 2,
    bet_cpi: null,
    daily_budget_const: null,
    all_budget_const: 100,
    ...values,
  }) as AdsetSummary;
const adsetRow = (item: AdsetSummary): TreeRow => ({
  kind: 'adset',
  id: item.uuid,
  uuid: item.uuid,
  name: item.name,
  metrics: zeroMetrics,
  campaign: undefined,
  adset: item,
});
const campaignRow = (name: string, adsets: AdsetSummary[]): TreeRow => ({
  kind: 'campaign',
  id: name,
  name,
  metrics: zeroMetrics,
  campaign: { uuid: name, name, status: 'Paused' } as Campaign,
  adsets,
});
const edit = (
  amounts: Partial<Record<BulkField, AmountChange>>,
  status: BulkEdit['status'] = 'keep',
): BulkEdit => ({ ...noEdit, status, amounts: { ...noEdit.amounts, ...amounts } });

test('bids of the ad sets of a campaign are raised by percent, and rounded to cents', () => {
  const rows = planRows(
    [campaignRow('Launch', [adset('A', { bet_cpm: 1.11 }), adset('Old', { archived_at: '2026-01-01' })])],
    edit({ bet_cpm: { how: 'raise', amount: 15 } }),
  );
  expect(rows).toMatchObject([
    {
      name: 'A',
      update: { bet_cpm: 1.28 },
      changes: [{ label: 'CPM bid', before: '$1.11', after: '$1.28' }],
    },
  ]);
});

test('an unlimited budget is a choice by name, and stays unlimited when budgets are raised', () => {
  const change = edit({
    daily_budget_const: { how: 'raise', amount: 50 },
    all_budget_const: { how: 'clear', amount: null },
  });
  expect(planRows([adsetRow(adset('A'))], change)).toMatchObject([
    { update: { all_budget_const: null }, changes: [{ before: '$100.00', after: 'Unlimited' }] },
  ]);
});

test('a status is changed in the selected rows that do not have it already', () => {
  const rows = [
    campaignRow('Launch', [adset('A')]),
    adsetRow(adset('A')),
    adsetRow(adset('B', { status: 'Paused' })),
  ];
  expect(planRows(rows, edit({}, 'Active')).map(({ name, status }) => [name, status])).toEqual([
    ['Launch', 'Active'],
    ['B', 'Active'],
  ]);
});

test('a row whose new bid would be too low or too high says so', () => {
  const rows = planRows(
    [adsetRow(adset('A', { bet_cpm: 0.01 }))],
    edit({ bet_cpm: { how: 'lower', amount: 90 } }),
  );
  expect(rows).toMatchObject([{ error: expect.stringContaining('CPM bid: ') }]);
});

test('an edit names at least one change, and amounts above 0', () => {
  expect(editErrors(noEdit)).toEqual({ form: 'Choose at least one change' });
  expect(editErrors(edit({ daily_budget_const: { how: 'set', amount: 0 } }))).toEqual({
    daily_budget_const: expect.any(String),
  });
  expect(editErrors(edit({ bet_cpm: { how: 'set', amount: -5 } }))).toEqual({ bet_cpm: expect.any(String) });
  expect(editErrors(edit({ bet_cpm: { how: 'lower', amount: 100 } }))).toEqual({
    bet_cpm: 'Enter a percentage between 0 and 100',
  });
  expect(editErrors(edit({ bet_cpm: { how: 'raise', amount: 250 } }))).toEqual({});
});

test('settings of an ad set are copied with what belongs to them, and said in words', () => {
  const settings = {
    hours: null,
    hours_zone: 'company',
    bid_multipliers: [],
    audience_include: [],
    audience_exclude: [],
    audience_without_id: 'bid',
    exclude_installed: true,
  } as const satisfies Partial<AdsetSummary>;
  const from = adset('From', {
    ...settings,
    hours: { mon: [[8, 22]], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    hours_zone: 'device',
    bid_multipliers: [{ dimension: 'audience', value: 'p', factor: 2 }],
    audience_include: [['p', 'q']],
    audience_exclude: ['r'],
  });
  const copied: BulkEdit = { ...noEdit, copied: { from, settings: ['hours', 'multipliers', 'audiences'] } };
  const names = new Map([
    ['p', 'Payers'],
    ['q', 'Readers'],
    ['r', 'Lapsed'],
  ]);
  const rows = planRows([adsetRow(adset('A', settings)), adsetRow(from)], copied, names);
  expect(rows.map(({ name }) => name)).toEqual(['A']);
  expect(rows[0]!.changes.map(({ label, before, after }) => [label, before, after])).toEqual([
    ['Hours', 'always', 'Mon 8–22'],
    ['Time zone of the hours', 'company', 'device'],
    ['Bid multipliers', 'none', 'Audience Payers ×2'],
    ['Audiences include', 'none', 'Payers or Readers'],
    ['Audiences exclude', 'none', 'Lapsed'],
  ]);
  const { hours, hours_zone, bid_multipliers, audience_include, audience_exclude } = from;
  expect(rows[0]!.update).toEqual({ hours, hours_zone, bid_multipliers, audience_include, audience_exclude });
  expect(rows[0]!.restore).toMatchObject({ hours: null, audience_include: [] });
});

test('copied settings need an ad set, and at least one setting', () => {
  const of = (copied: BulkEdit['copied']) => editErrors({ ...noEdit, copied });
  expect(of({ from: null, settings: ['hours'] })).toEqual({ from: 'Choose an ad set' });
  expect(of({ from: adset('A'), settings: [] })).toEqual({ settings: 'Choose what to copy' });
  expect(of({ from: adset('A'), settings: ['hours'] })).toEqual({});
});
