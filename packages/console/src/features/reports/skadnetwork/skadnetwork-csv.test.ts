import type { ComparisonRow } from '@bidwell/contract/skadnetwork/report';
import { expect, test } from 'vitest';
import { comparisonGroup, groupComparison } from './comparison-groups.ts';
import { postbackCsv } from './skadnetwork-csv.ts';

test('a row of a later window states no people, who are counted in the first one, and the total is the last row', () => {
  const counts = { postbacks: 5, won: 4, lost: 1, downloads: 0, redownloads: 0, re_engagements: 0 };
  const ofWindow = (key: string) => ({ groups: [{ key, name: `Window ${key}` }], ...counts });
  const rows = [{ ...ofWindow('0'), downloads: 3, redownloads: 1 }, ofWindow('1'), ofWindow('2')];
  const total = { postbacks: 15, won: 12, lost: 3, downloads: 3, redownloads: 1, re_engagements: 0 };
  const report = { rows, total, apps: { ios: 1, signed: 1 }, problems: [] };
  expect(postbackCsv(['window'], report).data).toEqual([
    ['Window 0', 5, 4, 1, 3, 1, 0],
    ['Window 1', 5, 4, 1, '', '', ''],
    ['Window 2', 5, 4, 1, '', '', ''],
    ['Total', 15, 12, 3, 3, 1, 0],
  ]);
  const days = [{ groups: [{ key: '2026-06-02', name: '2026-06-02' }], ...counts }];
  expect(postbackCsv(['day'], { ...report, rows: days }).data[0]).toEqual(['2026-06-02', 5, 4, 1, 0, 0, 0]);
});

test('rows of a week are added up by ad set, and unknown installs of partners stay unknown', () => {
  const adset = { uuid: 'a', name: 'Germany' };
  const row = (day: string, partner: number | null, postbacks: number): ComparisonRow => ({
    day,
    adset: partner === null ? null : adset,
    partner_installs: partner,
    postback_installs: postbacks,
  });
  // The first is a Monday, the last the Sunday before.
  const rows = [
    row('2026-06-09', null, 1),
    row('2026-06-08', 2, 3),
    row('2026-06-08', null, 4),
    row('2026-06-07', 5, 0),
  ];
  expect(groupComparison(rows, 'week')).toEqual([
    row('2026-06-08', null, 5),
    row('2026-06-08', 2, 3),
    row('2026-06-01', 5, 0),
  ]);
  expect(groupComparison(rows, 'day')).toEqual(rows);
});

test('ranges over 14 days are compared by week unless the group is chosen', () => {
  const days = (end: string) => ({ start: '2026-06-01', end });
  expect(comparisonGroup(days('2026-06-14'), undefined)).toBe('day');
  expect(comparisonGroup(days('2026-06-15'), undefined)).toBe('week');
  expect(comparisonGroup(days('2026-06-15'), 'day')).toBe('day');
  expect(comparisonGroup(days('2026-06-02'), 'week')).toBe('week');
});
