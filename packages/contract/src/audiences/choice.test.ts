import { expect, test } from 'vitest';
import { contradictedGroup, knownSize, unreachableGroup } from './choice.ts';

const sizes = new Map<string, number | null>([
  ['payers', 120],
  ['readers', 40],
  ['empty', 0],
  ['new', null],
]);
const unreachable = (include: string[][], exclude: string[] = []) =>
  unreachableGroup({ include, exclude }, (uuid) => sizes.get(uuid) ?? null);

test('a group all of whose audiences are excluded fits no person', () => {
  expect(contradictedGroup({ include: [['payers', 'readers']], exclude: ['readers'] })).toBeUndefined();
  expect(contradictedGroup({ include: [['payers'], ['readers']], exclude: ['readers'] })).toEqual([
    'readers',
  ]);
  expect(unreachable([['payers'], ['readers']], ['readers'])?.because).toBe('contradiction');
});

test('a group without people is named, and one whose size is not known is not taken for empty', () => {
  expect(unreachable([['payers'], ['empty']])).toEqual({ because: 'empty', group: ['empty'] });
  expect(unreachable([['empty', 'readers']])).toBeNull();
  expect(unreachable([['empty', 'readers']], ['readers'])?.because).toBe('empty');
  expect(unreachable([['empty', 'new']])).toEqual({ because: 'unknown', group: ['empty', 'new'] });
  expect(unreachable([['new'], ['empty']])).toEqual({ because: 'empty', group: ['empty'] });
  expect(unreachable([])).toBeNull();
});

test('the size of an audience is not known before its first import is done', () => {
  const at = '2026-11-01T00:00:00.000Z';
  expect(knownSize({ kind: 'list', size: 0, state: 'empty', refreshed_at: null })).toBe(0);
  expect(knownSize({ kind: 'list', size: 0, state: 'importing', refreshed_at: null })).toBeNull();
  expect(knownSize({ kind: 'list', size: 9, state: 'importing', refreshed_at: at })).toBe(9);
  expect(knownSize({ kind: 'live', size: 0, state: 'empty', refreshed_at: null })).toBeNull();
  expect(knownSize({ kind: 'live', size: 0, state: 'importing', refreshed_at: at })).toBe(0);
  expect(knownSize({ kind: 'url', size: 0, state: 'failed', refreshed_at: null })).toBe(0);
  expect(knownSize({ kind: 'partner', size: 0, state: 'empty', refreshed_at: null })).toBeNull();
});
