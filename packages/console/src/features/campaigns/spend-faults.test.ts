import { startFaults } from '@bidwell/contract/messages';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { expect, test } from 'vitest';
import type { SpendFacts } from './spend-faults.ts';
import { spendFaults } from './spend-faults.ts';

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

const ready: SpendFacts = {
  app: { uuid: 'app', status: 'Approved', approved_version: null },
  adsets: [{ status: 'Active', creative_groups: [{ uuid: 'g', name: 'Group' }] }],
  groups: [groupOf('Active', 'Approved')],
  balance: 10,
  today: '2026-05-06',
};
const open = { start_date: null, end_date: null };
const faults = (facts: Partial<SpendFacts>, dates = {}) =>
  spendFaults({ ...open, ...dates }, { ...ready, ...facts });

test('nothing is at fault where all is in place, or not known yet', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ app: undefined, groups: undefined, balance: undefined })).toEqual([]);
  expect(faults({}, { start_date: '2026-05-06', end_date: '2026-05-06' })).toEqual([]);
});

test('each fault has its sentence', () => {
  const app = (status: 'Moderation' | 'Rejected') => ({ uuid: 'app', status, approved_version: null });
  expect(faults({ app: app('Moderation') })).toEqual([startFaults.app]);
  expect(faults({ app: app('Rejected') })).toEqual(['The app was rejected: see why, and change it']);
  expect(faults({ adsets: [] })).toEqual(['It has no ad set: add one']);
  expect(faults({ adsets: [{ ...ready.adsets[0]!, status: 'Paused' }] })).toEqual([
    'All its ad sets are paused',
  ]);
  const unapproved = ['No creative group of its active ad sets holds an approved creative'];
  expect(faults({ groups: [groupOf('Moderation', 'Moderation')] })).toEqual(unapproved);
  expect(faults({ groups: [groupOf('Active', 'Approved', 'another app')] })).toEqual(unapproved);
  expect(faults({ groups: [groupOf('Paused', 'Approved')] })).toEqual(['Its creative groups are paused']);
  expect(faults({}, { start_date: '2026-05-07' })).toEqual(['It starts on May 07 / 2026']);
  expect(faults({}, { end_date: '2026-05-05' })).toEqual([startFaults.ended]);
  expect(faults({ balance: 0 })).toEqual([startFaults.balance]);
});

test.each(['Moderation', 'Rejected'] as const)(
  'what was approved before runs beside a version in %s',
  (status) => {
    const approved_version = {
      name: 'App',
      os: 'android' as const,
      store_link: 'https://play.google.com/store/apps/details?id=com.example.app',
      bundle_id: 'com.example.app',
      icon_link: null,
    };
    const groups = [groupOf('Active', status, 'app', {})];
    expect(faults({ app: { uuid: 'app', status, approved_version }, groups })).toEqual([]);
  },
);
