import { expect, test } from 'vitest';
import { forecastText } from './forecast-text.ts';

const textOf = (cohorts: number, inside: number, error: number | null = 9.1) =>
  forecastText({ message: null, record: [{ day: 7, cohorts, inside, mean_error_percent: error }] });

test.each([
  [1, 1, 'The prediction made for one past week at day 7 held; it was 9% off.'],
  [1, 0, 'The prediction made for one past week at day 7 did not hold; it was 9% off.'],
  [12, 0, 'None of the predictions made for 12 past weeks at day 7 held; on average they were 9% off.'],
  [12, 1, 'Of the predictions made for 12 past weeks at day 7, one held; on average they were 9% off.'],
  [12, 10, 'Of the predictions made for 12 past weeks at day 7, 10 held; on average they were 9% off.'],
  [12, 12, 'All predictions made for 12 past weeks at day 7 held; on average they were 9% off.'],
])('of %i compared weeks %i held', (cohorts, inside, sentence) => {
  expect(textOf(cohorts, inside)).toContain(` ${sentence} A prediction held if`);
});

test('without a week to compare the record says so', () => {
  expect(textOf(0, 0, null)).toMatch(/ No past week can be compared with its prediction yet\.$/);
});

test('where nothing is predicted the reason is all that is said', () => {
  expect(forecastText({ message: 'Too few installs.', record: [] })).toBe('Too few installs.');
});
