import type { Notification } from '@bidwell/contract/notification';
import { expect, test } from 'vitest';
import { newestImportant } from './important.ts';

const news = (title: string, minute: number, more: Partial<Notification> = {}): Notification => ({
  uuid: `01a1fd91-0000-7000-8000-0000000000${10 + minute}`,
  kind: 'moderation',
  title,
  text: '',
  entity_type: 'app',
  entity_uuid: null,
  read: false,
  created_at: `2026-05-04T10:${10 + minute}:00.000Z`,
  ...more,
});

test('the newest refusal that was not read, in whatever order the list comes', () => {
  const list = [
    news('App rejected', 1),
    news('Creative rejected', 3),
    news('Top-up declined', 4, { read: true }),
    news('Creative approved', 5),
  ];
  expect(newestImportant(list)?.title).toBe('Creative rejected');
  expect(newestImportant([...list].reverse())?.title).toBe('Creative rejected');
});

test('what concerns the company is always important, good news of an app never', () => {
  expect(newestImportant([news('Company resumed', 1, { kind: 'company' })])?.title).toBe('Company resumed');
  expect(newestImportant([news('App approved', 1)])).toBeUndefined();
  expect(newestImportant([])).toBeUndefined();
});
