import { expect, test } from 'vitest';
import { emptyCampaign, newAdsetItem } from './campaign-form-values.ts';
import { startChecklist } from './start-checklist.ts';

const app = {
  uuid: 'app',
  name: 'Farm',
  status: 'Moderation' as const,
  approved_version: null,
  advertiser_domain: null,
};
const context = { app: undefined, hasApps: true, groups: [], balance: 0, now: '2026-05-06 12:00' };

test('an empty form asks for the name, the app, an ad set and funds, in this order', () => {
  expect(startChecklist(emptyCampaign, context)).toEqual([
    { text: 'Give the campaign a name', fix: { field: 'name' } },
    { text: 'Choose the app', fix: { field: 'app_uuid' } },
    { text: 'It has no ad set: add one', fix: { field: 'app_uuid' } },
    { text: 'The balance is empty: top up first', fix: { drawer: 'top-up' } },
  ]);
  expect(startChecklist(emptyCampaign, { ...context, hasApps: false })[1]).toEqual({
    text: 'Add your app',
    fix: { drawer: 'app' },
  });
});

test('a re-engagement campaign asks for the audience of each ad set', () => {
  const item = newAdsetItem('acquisition');
  const campaign = {
    ...emptyCampaign,
    kind: 're_engagement' as const,
    name: 'Spring',
    app_uuid: 'app',
    adsets: [item],
  };
  const asked = (adsets: (typeof item)[]) =>
    startChecklist({ ...campaign, adsets }, { ...context, app, balance: 10 }).filter(({ text }) =>
      text.includes('Choose an audience'),
    );
  expect(asked([item])).toMatchObject([{ fix: { field: 'adsets.0.audience_include' } }]);
  expect(asked([{ ...item, values: { ...item.values, audience_include: [['a']] } }])).toEqual([]);
});

test('each missing field of an ad set is named and leads to the field', () => {
  const campaign = {
    ...emptyCampaign,
    name: 'Spring',
    app_uuid: 'app',
    adsets: [newAdsetItem('acquisition')],
  };
  const items = startChecklist(campaign, { ...context, app, balance: 10 });
  expect(items.map(({ text }) => text)).toEqual([
    'In moderation: the app',
    'Enter the advertiser domain of the app “Farm” first: the developer’s own website',
    'Give “Ad set 1” a title',
    'Choose the target of “Ad set 1”',
    'Choose the tracking link of “Ad set 1”',
    'Choose or upload the creatives of “Ad set 1”',
    'Choose the bid strategy of “Ad set 1”',
    'Enter the CPM bid of “Ad set 1”',
  ]);
  expect(items[3]!.fix).toEqual({ field: 'adsets.0.target_id' });
});
