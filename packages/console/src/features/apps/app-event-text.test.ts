import { expect, test } from 'vitest';
import { matchingEvents } from './app-event-text.ts';

test('events are found by the partner’s name and by the name on screen', () => {
  const events = [
    { name: 'af_purchase', label: 'Bought something' },
    { name: 'af_level', label: null },
  ];
  const found = (search: string) => matchingEvents(events, search).map(({ name }) => name);
  expect(found(' BOUGHT')).toEqual(['af_purchase']);
  expect(found('af_')).toEqual(['af_purchase', 'af_level']);
  expect(found('null')).toEqual([]);
});
