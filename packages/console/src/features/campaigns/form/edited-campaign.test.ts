import type { Adset } from '@bidwell/contract/adsets/schema';
import { type Campaign, campaignVersion } from '@bidwell/contract/campaigns/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { expect, test } from 'vitest';
import { mergeFields } from '../../../ui/form/edited/changed-elsewhere.tsx';
import { type CampaignFormValues, campaignFormValues } from './campaign-form-values.ts';
import {
  type EditedCampaign,
  draftBase,
  formFields,
  rebased,
  savedFields,
  savedForm,
  versionWith,
  withField,
} from './edited-campaign.ts';

const adset = (uuid: string, name: string) =>
  ({
    uuid,
    name,
    description: '',
    status: 'Active',
    target: { uuid: 't' },
    tracking_link: { uuid: 'l' },
    creative_groups: [{ uuid: 'g' }],
    bet_cpm: 2,
    algo: 'Manual CPM',
  }) as Adset;

const campaignOf = (...adsets: Adset[]): EditedCampaign => ({
  campaign: {
    uuid: 'c',
    name: 'Launch',
    description: '',
    app_uuid: 'a',
    start_date: null,
    end_date: null,
    start_time: null,
    end_time: null,
    start_when_approved: false,
    adsets: adsets.map(({ uuid, name, status }) => ({ uuid, name, status })),
  } as unknown as Campaign,
  adsets,
});

/** The fields that a form takes over from the save of someone else, and the fields that both changed. */
function follow(before: EditedCampaign, after: EditedCampaign, form: CampaignFormValues) {
  const first = campaignFormValues(before.campaign, before.adsets);
  const [base, saved] = [savedFields(before, form), savedFields(after, form)];
  const { taken, conflicts } = mergeFields(base, saved, formFields(form, first));
  const present = savedForm(saved, form);
  const merged = Object.entries(taken).reduce(
    (values, [field, value]) => withField(values, present, field, value),
    rebased(form, present),
  );
  return { merged, conflicts: conflicts.map(({ field }) => field) };
}

const before = campaignOf(adset('1', 'Europe'), adset('2', 'Asia'));
const shown = campaignFormValues(before.campaign, before.adsets);
const names = ({ adsets }: CampaignFormValues) => adsets.map(({ values }) => values.name);

test('an untouched form takes over all changes: fields, added ad sets and removed ones', () => {
  const after = campaignOf({ ...adset('1', 'Europe'), bet_cpm: 3 }, adset('3', 'Africa'));
  const { merged, conflicts } = follow(before, after, shown);
  expect(merged).toEqual(campaignFormValues(after.campaign, after.adsets));
  expect(conflicts).toEqual([]);
});

test('only the person’s changes differ from the saved values; a field that both changed is asked about', () => {
  const mine = withField(withField(shown, shown, 'adset:1:name', 'EU'), shown, 'adset:1:bet_cpm', 5);
  const after = campaignOf({ ...adset('1', 'Europe'), bet_cpm: 3, description: 'West' }, adset('2', 'Asia'));
  const { merged, conflicts } = follow(before, after, mine);
  expect(conflicts).toEqual(['adset:1:bet_cpm']);
  expect(merged.adsets[0]).toMatchObject({
    values: { name: 'EU', bet_cpm: 5, description: 'West' },
    saved: { name: 'Europe', bet_cpm: 3, description: 'West' },
  });
});

test('an ad set that someone removed while it was being changed is asked about; one that the person removed stays away', () => {
  const changed = withField(shown, shown, 'adset:2:name', 'Japan');
  const removed = follow(before, campaignOf(adset('1', 'Europe')), changed);
  expect(removed.conflicts).toEqual(['adset:2']);
  expect(names(removed.merged)).toEqual(['Europe', 'Japan']);
  expect(names(withField(removed.merged, shown, 'adset:2', 'left'))).toEqual(['Europe']);

  const without = { ...shown, adsets: shown.adsets.slice(0, 1) };
  const own = follow(before, campaignOf(adset('1', 'Europe'), adset('2', 'Far East')), without);
  expect([names(own.merged), own.conflicts]).toEqual([['Europe'], []]);
});

/** The draft of a form after it is restored, when someone else has saved; `base` is the base that it stored. */
function restored(
  base: ReturnType<typeof savedFields> | null,
  draft: CampaignFormValues,
  after: EditedCampaign,
) {
  const known = base ? savedForm(base, draft) : campaignFormValues(after.campaign, after.adsets);
  const [saved, mine] = [savedFields(after, draft), formFields(draft, known)];
  const { taken, conflicts } = mergeFields(draftBase(base, saved, mine), saved, mine);
  const present = savedForm(saved, draft);
  const merged = Object.entries(taken).reduce(
    (values, [field, value]) => withField(values, present, field, value),
    rebased(draft, present),
  );
  return { names: names(merged), conflicts: conflicts.map(({ field }) => field) };
}

test('a draft takes over changes, additions and removals of someone else, and asks about fields that both changed', () => {
  const draft = withField(shown, shown, 'adset:1:name', 'EU');
  const base = savedFields(before, draft);
  const grown = campaignOf({ ...adset('1', 'Europe'), bet_cpm: 3 }, adset('3', 'Africa'));
  expect(restored(base, draft, grown)).toEqual({ names: ['EU', 'Africa'], conflicts: [] });
  const renamed = campaignOf(adset('1', 'West'), adset('2', 'Asia'));
  expect(restored(base, draft, renamed).conflicts).toEqual(['adset:1:name']);
  const without = { ...draft, adsets: draft.adsets.slice(0, 1) };
  expect(restored(savedFields(before, without), without, before)).toEqual({ names: ['EU'], conflicts: [] });
});

test('a draft of an earlier release is asked about where it differs, ad set by ad set', () => {
  const draft = withField(shown, shown, 'adset:1:name', 'EU');
  const after = campaignOf({ ...adset('1', 'Europe'), bet_cpm: 3 }, adset('2', 'Asia'), adset('3', 'Africa'));
  expect(restored(null, draft, after)).toEqual({
    names: ['EU', 'Asia'],
    conflicts: ['adset:1:name', 'adset:1:bet_cpm', 'adset:3'],
  });
});

test('the version is the one of the campaign with the ad sets of the form, in any order of reading', () => {
  const renamed = { uuid: '1', name: 'EU', status: 'Active' as const };
  const server = { ...before.campaign, adsets: [renamed, ...before.campaign.adsets.slice(1)] };
  expect(versionWith(before, new Map([['1', renamed]]))).toBe(versionOf(campaignVersion, server));
  const grown = campaignOf(...before.adsets, adset('3', 'Africa')).campaign;
  expect(versionWith({ ...before, campaign: grown }, new Map())).not.toBe(versionOf(campaignVersion, grown));
});
