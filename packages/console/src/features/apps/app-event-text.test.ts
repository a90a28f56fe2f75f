import type { AppEventSettings } from '@bidwell/contract/apps/event-settings';
import { expect, test } from 'vitest';
import { changedSettings, matchingEvents } from './app-event-text.ts';

const saved: AppEventSettings = {
  click_window_days: 180,
  view_window_days: 180,
  revenue_sources: ['purchases', 'ad_revenue'],
};

test('only the settings that were changed are sent', () => {
  expect(changedSettings(saved, saved)).toEqual({});
  expect(changedSettings(saved, { ...saved, view_window_days: 1 })).toEqual({ view_window_days: 1 });
  expect(changedSettings(saved, { ...saved, revenue_sources: ['purchases'] })).toEqual({
    revenue_sources: ['purchases'],
  });
});

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
