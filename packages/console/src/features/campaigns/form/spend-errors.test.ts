import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { expect, test } from 'vitest';
import { type SpendInputs, spendErrors } from './spend-errors.ts';

const groupOf = (
  status: CreativeGroup['status'],
  creativeStatus: string,
  appUuid = 'app',
  approved_version: object | null = null,
) =>
  ({
    uuid: 'g',
    status,
    banner_creatives: [{ uuid: 'k', status: creativeStatus, approved_version, app: { uuid: appUuid } }],
    video_creatives: [],
    native_creatives: [],
    playable_creatives: [],
  }) as unknown as CreativeGroup;

const ready: SpendInputs = {
  app: {
    uuid: 'app',
    name: 'Farm',
    status: 'Approved',
    approved_version: null,
    advertiser_domain: 'farm.example',
  },
  adsets: [{ status: 'Active', creative_groups: [{ uuid: 'g', name: 'Group' }] }],
  groups: [groupOf('Active', 'Approved')],
  balance: 10,
  now: '2026-05-06 12:00',
};
const open = { start_date: null, start_time: null, end_date: null, end_time: null };
const errorsOf = (facts: Partial<SpendInputs>, dates = {}) =>
  spendErrors({ ...open, ...dates }, { ...ready, ...facts }).map(({ text }) => text);

test('no error when everything is in place, or not loaded yet', () => {
  expect(errorsOf({})).toEqual([]);
  expect(errorsOf({ app: undefined, groups: undefined, balance: undefined })).toEqual([]);
  expect(errorsOf({}, { start_date: '2026-05-06', end_date: '2026-05-06' })).toEqual([]);
});

test('each error has its sentence', () => {
  const app = (status: 'Moderation' | 'Rejected') => ({ ...ready.app!, status });
  expect(errorsOf({ app: app('Moderation') })).toEqual([consoleMessages.appInReview]);
  expect(errorsOf({ app: { ...ready.app!, advertiser_domain: null } })).toEqual([startErrors.domain('Farm')]);
  expect(errorsOf({ app: app('Rejected') })).toEqual(['The app was rejected: see why, and change it']);
  expect(errorsOf({ adsets: [] })).toEqual(['It has no ad set: add one']);
  expect(errorsOf({ adsets: [{ ...ready.adsets[0]!, status: 'Paused' }] })).toEqual([
    'All its ad sets are paused',
  ]);
  const unapproved = ['No creative group of its active ad sets has an approved creative'];
  expect(errorsOf({ groups: [groupOf('Moderation', 'Rejected')] })).toEqual(unapproved);
  expect(errorsOf({ groups: [groupOf('Moderation', 'Moderation')] })).toEqual(['In moderation: 1 creative']);
  expect(errorsOf({ groups: [groupOf('Active', 'Approved', 'another app')] })).toEqual(unapproved);
  expect(errorsOf({ groups: [groupOf('Paused', 'Approved')] })).toEqual(['Its creative groups are paused']);
  expect(errorsOf({ groups: [groupOf('Paused', 'Approved'), groupOf('Active', 'Approved')] })).toEqual([]);
  expect(errorsOf({}, { start_date: '2026-05-07' })).toEqual(['It starts on May 07 / 2026']);
  expect(errorsOf({}, { end_date: '2026-05-05' })).toEqual([startErrors.ended]);
  expect(errorsOf({}, { end_date: '2026-05-06', end_time: '12:00' })).toEqual([startErrors.ended]);
  expect(errorsOf({}, { start_date: '2026-05-06', start_time: '18:30' })).toEqual([
    'It starts on May 06 / 2026, 18:30',
  ]);
  expect(errorsOf({ balance: 0 })).toEqual([startErrors.balance]);
});

test.each(['Moderation', 'Rejected'] as const)(
  'an approved version counts while a newer one is in %s',
  (status) => {
    const approved_version = {
      name: 'App',
      os: 'android' as const,
      store_link: 'https://play.google.com/store/apps/details?id=com.example.app',
      bundle_id: 'com.example.app',
      icon_link: null,
    };
    const groups = [groupOf('Active', status, 'app', {})];
    expect(errorsOf({ app: { ...ready.app!, status, approved_version }, groups })).toEqual([]);
  },
);
