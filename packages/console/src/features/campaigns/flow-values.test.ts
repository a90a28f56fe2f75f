import { expect, test } from 'vitest';
import { adsetChanges, adsetValues } from './adset-values.ts';
import { flowSummary } from './flow-summary.ts';
import type { CampaignFlow, FlowAdset } from './flow-values.ts';
import { CampaignFlow as FlowSchema, emptyFlow, flowErrors, newAdset, withApp } from './flow-values.ts';

const uuid = (n: number) => `01890000-0000-7000-8000-00000000000${n}`;

const complete: FlowAdset = {
  key: 'one',
  uuid: null,
  saved: null,
  values: {
    ...adsetValues(),
    name: 'Europe',
    target_id: uuid(2),
    tracking_link_id: uuid(3),
    creative_group_ids: [uuid(4)],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
    daily_budget_const: 100,
  },
};
const flow: CampaignFlow = { ...emptyFlow, name: 'Launch', app_uuid: uuid(1), adsets: [complete] };
const withValues = (values: Partial<FlowAdset['values']>): CampaignFlow => ({
  ...flow,
  adsets: [{ ...complete, values: { ...complete.values, ...values } }],
});

test('a complete form has no messages, an empty one those of the specification', () => {
  expect(flowErrors(flow)).toEqual({});
  expect(flowErrors({ ...emptyFlow, adsets: [newAdset()] })).toEqual({
    name: 'Required',
    app_uuid: 'Required',
    'adsets.0.name': 'Required',
    'adsets.0.target_id': 'Required',
    'adsets.0.tracking_link_id': 'Required',
    'adsets.0.creative_group_ids': 'Required',
    'adsets.0.algo': 'Required',
    'adsets.0.bet_cpm': 'Required',
  });
});

test('Target CPI is saved without a price, an amount of 0 is no budget, and dates have their order', () => {
  expect(flowErrors(withValues({ algo: 'Target CPI' }))).toEqual({});
  expect(flowErrors(withValues({ algo: 'Target CPI', bet_cpi: 0 }))).toEqual({
    'adsets.0.bet_cpi': 'Enter at least $0.01',
  });
  expect(flowErrors(withValues({ daily_budget_const: 0, all_budget_const: -5 }))).toEqual({
    'adsets.0.daily_budget_const': 'Enter at least $0.01, or choose Unlimited',
    'adsets.0.all_budget_const': 'Enter at least $0.01, or choose Unlimited',
  });
  expect(flowErrors(withValues({ bet_cpm: 0.001 }))).toEqual({ 'adsets.0.bet_cpm': 'Required' });
  expect(flowErrors({ ...flow, start_date: '2026-05-02', end_date: '2026-05-01' })).toHaveProperty(
    'end_date',
  );
});

test('another app takes away what belongs to the one before', () => {
  const existing = { ...complete, key: 'two', uuid: uuid(5), saved: complete.values };
  const changed = withApp({ ...flow, adsets: [complete, existing] }, uuid(9));
  expect(changed.adsets.map(({ key }) => key)).toEqual(['one']);
  expect(changed.adsets[0]!.values).toMatchObject({ name: 'Europe', target_id: '', creative_group_ids: [] });
  expect(withApp(flow, flow.app_uuid)).toBe(flow);
});

test('an update names only what changed', () => {
  expect(adsetChanges(complete.values, complete.values)).toEqual({});
  expect(
    adsetChanges({ ...complete.values, bet_cpm: 3, white_list_bundles: ['a.b'] }, complete.values),
  ).toEqual({
    bet_cpm: 3,
    white_list_bundles: ['a.b'],
  });
});

test('a draft reads back as it was', () => {
  expect(FlowSchema.parse(JSON.parse(JSON.stringify(flow)))).toEqual(flow);
});

test('the summary says in words what will happen and what misses', () => {
  const known = {
    app: {
      uuid: uuid(1),
      name: 'Game',
      os: 'ios' as const,
      status: 'Approved' as const,
      approved_version: null,
    },
    parts: { targets: [], links: [], groups: [] },
    balance: 0,
    today: '2026-05-06',
    status: undefined,
  };
  const { happens, misses } = flowSummary(flow, known);
  expect(happens).toEqual([
    'Buys installs of Game (iOS) from its start until you pause it.',
    'One ad set spends at most $100.00 a day.',
    'It stays paused until you start it.',
  ]);
  expect(misses).toEqual([
    'No creative group of its active ad sets holds an approved creative',
    'The balance is empty: top up first',
  ]);
  expect(flowSummary(emptyFlow, { ...known, app: undefined }).misses.slice(0, 3)).toEqual([
    'Give the campaign a name',
    'Choose the app',
    'It has no ad set: add one',
  ]);
});
