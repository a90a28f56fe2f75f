import { startFaults } from '@bidwell/contract/messages';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { expect, test } from 'vitest';
import type { SpendFacts } from './spend-faults.ts';
import { spendFaults } from './spend-faults.ts';

const groupOf = (status: CreativeGroup['status'], creativeStatus: string, appUuid = 'app') =>
  ({
    uuid: 'g',
    status,
    banner_creatives: [{ uuid: 'k', status: creativeStatus, app: { uuid: appUuid } }],
    video_creatives: [],
    native_creatives: [],
    playable_creatives: [],
  }) as unknown as CreativeGroup;

const ready: SpendFacts = {
  app: { uuid: 'app', status: 'Approved' },
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
  expect(faults({ app: { uuid: 'app', status: 'Moderation' } })).toEqual([startFaults.app]);
  expect(faults({ app: { uuid: 'app', status: 'Rejected' } })[0]).toMatch(/rejected/);
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
