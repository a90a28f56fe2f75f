import type { Notification } from '@bidwell/contract/notifications/schema';
import { expect, test } from 'vitest';
import { grouped } from './grouped.ts';

let count = 0;
const notification = (title: string, time: string, read = false): Notification => ({
  uuid: `n${(count += 1)}`,
  kind: 'moderation',
  title,
  text: '',
  severity: 'info',
  entity_type: 'creative',
  entity_uuid: null,
  is_own: false,
  read,
  created_at: `2026-05-04T${time}:00.000Z`,
});

const titles = (notifications: Notification[]) => grouped(notifications).map(({ title }) => title);

test('decisions of one kind within an hour are one line, also with others between them', () => {
  const approved = Array.from({ length: 24 }, (_, index) =>
    notification('Creative approved', `10:${String(index).padStart(2, '0')}`),
  );
  expect(
    titles([
      notification('Top-up confirmed', '10:30'),
      ...approved.reverse(),
      notification('Creative rejected', '10:12'),
      notification('Creative approved', '09:10'),
    ]),
  ).toEqual(['Top-up confirmed', '24 creatives approved', 'Creative rejected', 'Creative approved']);
});

test('a title that is no decision gets its count, and a line is read once all of it is', () => {
  const line = grouped([
    notification('Spend is higher than usual', '10:30'),
    notification('Spend is higher than usual', '09:30', true),
  ]);
  expect(line).toMatchObject([{ title: 'Spend is higher than usual (2 times)', read: false }]);
});
