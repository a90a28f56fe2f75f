import { expect, test } from 'vitest';
import { learningText } from './learning-text.ts';

test.each([
  [0, null, 'Learning: 0 of about 50 conversions in 7 days.'],
  [31, 18, 'Learning: 31 of about 50 conversions in 7 days, ± 18%.'],
  [120, 9, 'Learned from 120 conversions in 7 days, ± 9%.'],
])('%d conversions', (conversions, expected_error_percent, text) => {
  expect(learningText({ conversions, needed: 50, expected_error_percent })).toBe(text);
});
