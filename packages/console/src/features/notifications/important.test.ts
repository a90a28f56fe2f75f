import type { Notification } from '@bidwell/contract/notifications/schema';
import { expect, test } from 'vitest';
import { alike, newestImportant } from './important.ts';

const notification = (title: string, minute: number, more: Partial<Notification> = {}): Notification => ({
  uuid: `01a1fd91-0000-7000-8000-0000000000${10 + minute}`,
  kind: 'moderation',
  title,
  text: '',
  severity: 'info',
  entity_type: 'app',
  entity_uuid: null,
  is_own: false,
  read: false,
  created_at: `2026-05-04T10:${10 + minute}:00.000Z`,
  ...more,
});

test('the newest unread rejection is found in any order of the list', () => {
  const list = [
    notification('App rejected', 1, { severity: 'warning' }),
    notification('Creative rejected', 3, { severity: 'warning' }),
    notification('Top-up declined', 4, { severity: 'warning', read: true }),
    notification('Creative approved', 5),
  ];
  expect(newestImportant(list)?.title).toBe('Creative rejected');
  expect(newestImportant([...list].reverse())?.title).toBe('Creative rejected');
});

test('events of the company are always important, approvals and a person’s own never', () => {
  const own = notification('Approval requested', 2, { kind: 'approval', severity: 'warning', is_own: true });
  expect(newestImportant([own])).toBeUndefined();
  expect(newestImportant([notification('Company resumed', 1, { kind: 'company' })])?.title).toBe(
    'Company resumed',
  );
  expect(newestImportant([notification('App approved', 1)])).toBeUndefined();
  expect(newestImportant([])).toBeUndefined();
});

test('what says the same as a notification is dismissed with it, and other unread ones are not', () => {
  const [high, again, low, seen] = [
    notification('Spend is higher than usual', 1, { kind: 'anomaly', severity: 'warning' }),
    notification('Spend is higher than usual', 5, { kind: 'anomaly', severity: 'warning' }),
    notification('Spend is lower than usual', 3, { kind: 'anomaly', severity: 'warning' }),
    notification('Spend is higher than usual', 2, { kind: 'anomaly', severity: 'warning', read: true }),
  ];
  const list = [high, again, low, seen];
  expect(newestImportant(list)).toBe(again);
  const empty = notification('Balance used up', 0, { kind: 'balance', severity: 'critical' });
  expect(newestImportant([...list, empty])).toBe(empty);
  expect(alike(list, again)).toEqual([high, again]);
});
