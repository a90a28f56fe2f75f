import type { Target } from '@bidwell/contract/targets/schema';
import { expect, test } from 'vitest';
import { adsetSummary } from '../adset-form/adset-card.tsx';
import { adsetChanges, adsetValues } from '../adset-form/adset-values.ts';
import { campaignSummary } from './campaign-summary.ts';
import {
  type AdsetFormItem,
  type CampaignFormValues,
  CampaignFormValues as ValuesSchema,
  campaignFormErrors,
  emptyCampaign,
  newAdsetItem,
  withApp,
  withKind,
} from './campaign-form-values.ts';

const uuid = (n: number) => `01890000-0000-7000-8000-00000000000${n}`;

const completeItem: AdsetFormItem = {
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
const campaign: CampaignFormValues = {
  ...emptyCampaign,
  name: 'Launch',
  app_uuid: uuid(1),
  adsets: [completeItem],
};
const withValues = (values: Partial<AdsetFormItem['values']>): CampaignFormValues => ({
  ...campaign,
  adsets: [{ ...completeItem, values: { ...completeItem.values, ...values } }],
});

test('a complete form has no messages, an empty one the message of each required field', () => {
  expect(campaignFormErrors(campaign)).toEqual({});
  expect(campaignFormErrors({ ...emptyCampaign, adsets: [newAdsetItem('acquisition')] })).toEqual({
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
  expect(campaignFormErrors(withValues({ algo: 'Target CPI' }))).toEqual({});
  expect(campaignFormErrors(withValues({ algo: 'Target CPI', bet_cpi: 0 }))).toEqual({
    'adsets.0.bet_cpi': 'Enter at least $0.01',
  });
  expect(campaignFormErrors(withValues({ daily_budget_const: 0, all_budget_const: -5 }))).toEqual({
    'adsets.0.daily_budget_const': 'Enter at least $0.01, or choose Unlimited',
    'adsets.0.all_budget_const': 'Enter at least $0.01, or choose Unlimited',
  });
  expect(campaignFormErrors(withValues({ bet_cpm: 0.001 }))).toEqual({ 'adsets.0.bet_cpm': 'Required' });
  expect(
    campaignFormErrors({ ...campaign, start_date: '2026-05-02', end_date: '2026-05-01' }),
  ).toHaveProperty('end_date');
  const day = { start_date: '2026-05-02', end_date: '2026-05-02' };
  expect(campaignFormErrors({ ...campaign, ...day, start_time: '18:00', end_time: '18:00' })).toHaveProperty(
    'end_time',
    'The end time is not after the start time',
  );
});

test('Target CPI needs a price in a running campaign, unless the ad set is paused', () => {
  const lacking = withValues({ algo: 'Target CPI', bet_cpi: null });
  expect(campaignFormErrors(lacking, true)).toEqual({
    'adsets.0.bet_cpi': 'Enter the target cost per install (CPI)',
  });
  expect(campaignFormErrors(withValues({ algo: 'Target CPI', bet_cpi: 2 }), true)).toEqual({});
  expect(campaignFormErrors(withValues({ algo: 'Target CPI', status: 'Paused' }), true)).toEqual({});
});

test('another app removes what belongs to the previous one', () => {
  const existing = { ...completeItem, key: 'two', uuid: uuid(5), saved: completeItem.values };
  const changed = withApp({ ...campaign, adsets: [completeItem, existing] }, uuid(9));
  expect(changed.adsets.map(({ key }) => key)).toEqual(['one']);
  expect(changed.adsets[0]!.values).toMatchObject({ name: 'Europe', target_id: '', creative_group_ids: [] });
  expect(withApp(campaign, campaign.app_uuid)).toBe(campaign);
});

test('an update contains only the changed fields', () => {
  expect(adsetChanges(completeItem.values, completeItem.values)).toEqual({});
  expect(
    adsetChanges({ ...completeItem.values, bet_cpm: 3, white_list_bundles: ['a.b'] }, completeItem.values),
  ).toEqual({
    bet_cpm: 3,
    white_list_bundles: ['a.b'],
  });
});

test('new ad sets of a re-engagement campaign have its only bid strategy', () => {
  const added = { ...campaign, adsets: [newAdsetItem('acquisition')] };
  expect(added.adsets[0]!.values.algo).toBeNull();
  const returning = withKind(added, 're_engagement');
  expect(returning.adsets[0]!.values.algo).toBe('Manual CPM');
  expect(newAdsetItem(returning.kind).values.algo).toBe('Manual CPM');
  expect(withKind(campaign, 're_engagement').adsets.map(({ values }) => values.algo)).toEqual(
    campaign.adsets.map(({ values }) => values.algo),
  );
});

test('a stored draft is read back unchanged', () => {
  expect(ValuesSchema.parse(JSON.parse(JSON.stringify(campaign)))).toEqual(campaign);
});

test('the summary lists what will happen', () => {
  const app = { name: 'Game', os: 'ios' as const };
  const context = { app, targets: [], groups: [], status: undefined, approvalLimits: undefined };
  expect(campaignSummary(campaign, { ...context, now: '2026-05-06 12:00' })).toEqual([
    'Buys installs of Game (iOS) from its start until you pause it.',
    'One ad set spends at most $100.00 a day.',
    'It stays paused until you start it.',
  ]);
  const returning = { ...campaign, kind: 're_engagement' as const };
  const [what] = campaignSummary(returning, { ...context, now: '2026-05-06 12:00' });
  expect(what).toBe('Brings people back to Game (iOS) from its start until you pause it.');
});

test.each<[string, Partial<AdsetFormItem['values']>, string]>([
  ['a bid alone', {}, 'bids $50.00 per 1000 impressions, to “Europe”.'],
  [
    'a multiplier that raises it',
    { bid_multipliers: [{ dimension: 'country', value: 'US', factor: 3 }] },
    'bids $50.00 per 1000 impressions, at most $150.00, to “Europe”. It has bid multipliers by country.',
  ],
  [
    'the highest price of Max installs',
    { algo: 'Max installs', countries: [{ country: 'DE', bet_cpm: 60, bet_cpi: null, daily_budget: 9 }] },
    'spreads its budget over the day, at most $60.00 per 1000 impressions, to “Europe”. It has bids of its own for DE and a daily budget for DE.',
  ],
  [
    'caps and audiences',
    {
      frequency_caps: [{ impressions: 3, minutes: 1440 }],
      audience_include: [[uuid(6), uuid(7)]],
      audience_exclude: [uuid(8)],
    },
    'bids $50.00 per 1000 impressions, to “Europe”. It has a frequency cap (at most 3 in any 24 hours), 2 audiences to include and an audience to leave out.',
  ],
])('the summary of an ad set names %s', (_what, changes, text) => {
  const values = { ...completeItem.values, algo: 'Manual CPM' as const, bet_cpm: 50, ...changes };
  const summary = campaignSummary(
    { ...campaign, adsets: [{ ...completeItem, values }] },
    {
      app: undefined,
      targets: [{ uuid: values.target_id, name: 'Europe' } as Target],
      groups: [],
      status: undefined,
      approvalLimits: undefined,
      now: '2026-05-06 12:00',
    },
  );
  expect(summary).toContain(`“${values.name}” ${text}`);
  if (text.includes('at most $'))
    expect(adsetSummary(values)).toContain(`CPM up to ${/at most (\S+\d)/.exec(text)![1]}`);
});

test.each([
  [{ daily_budget_above: 99, total_budget_above: null }, 'the budgets are above $99.00 a day'],
  [{ daily_budget_above: null, total_budget_above: 500 }, 'the budgets are above $500.00 in total'],
  [{ daily_budget_above: 100, total_budget_above: null }, null],
])('the summary says that budgets above %j need an approval', (approvalLimits, text) => {
  const context = { app: undefined, targets: [], groups: [], status: undefined, now: '2026-05-06 12:00' };
  const summary = campaignSummary(campaign, { ...context, approvalLimits }).join(' ');
  if (text === null) expect(summary).not.toContain('approve');
  else expect(summary).toContain(`A second person has to approve it: ${text}.`);
});
