import { expect, test } from 'vitest';
import { learningText } from './learning-text.ts';

test.each([
  [0, null, 'Learning: 0 of about 50 people with “purchase” in 7 days, of all ad sets of the app.'],
  [31, 18, 'Learning: 31 of about 50 people with “purchase” in 7 days, of all ad sets of the app, ± 18%.'],
  [120, 9, 'Learned from 120 people with “purchase” in 7 days, of all ad sets of the app, ± 9%.'],
])('%d conversions', (conversions, expected_error_percent, text) => {
  const learning = {
    event: 'purchase',
    revenue_sources: [],
    conversions,
    needed: 50,
    expected_error_percent,
  };
  expect(learningText(learning)).toBe(text);
});

test('a goal of revenue says which people it counts', () => {
  const learning = { event: null, conversions: 31, needed: 50, expected_error_percent: 18 };
  expect(learningText({ ...learning, revenue_sources: ['purchases', 'ad_revenue'] })).toBe(
    'Learning: 31 of about 50 people with revenue from purchases or ads in 7 days, of all ad sets of the app, ± 18%.',
  );
  expect(learningText({ ...learning, revenue_sources: ['purchases'] })).toBe(
    'Learning: 31 of about 50 people with revenue from purchases in 7 days, of all ad sets of the app, ± 18%.',
  );
});
