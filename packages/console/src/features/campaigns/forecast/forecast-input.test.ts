import { expect, test } from 'vitest';
import { adsetValues } from '../adset-form/adset-values.ts';
import { forecastRequest } from './forecast-input.ts';

test('the forecast asks only for missing values', () => {
  const empty = adsetValues();
  expect(forecastRequest(empty)).toBe(
    'Choose a target, creative groups and a bid strategy, and enter a CPM bid to see what to expect.',
  );
  const chosen = { ...empty, target_id: 'a', creative_group_ids: ['b'], bet_cpm: 2 };
  expect(forecastRequest({ ...chosen, algo: 'Target CPI' })).toBe(
    'Enter a target CPI to see what to expect.',
  );
  expect(forecastRequest({ ...chosen, algo: null })).toBe('Choose a bid strategy to see what to expect.');
});
