import { expect, test } from 'vitest';
import { comparisonWords } from './comparison-text.ts';

const of = (start: string, end: string) => comparisonWords({ start, end }, '2026-05-04');

test('figures say what they are compared with, and up to when while their range has not ended', () => {
  expect(of('2026-05-04', '2026-05-04')).toEqual({
    when: 'by this time yesterday',
    about: 'Today so far, compared with yesterday up to the same time of day',
  });
  expect(of('2026-04-28', '2026-05-04')).toEqual({
    when: 'in the 7 days before, by this time',
    about: 'Compared with the 7 days before, up to the same day and time of day',
  });
  expect(of('2026-04-20', '2026-05-03').when).toBe('in the 14 days before');
  expect(of('2026-05-03', '2026-05-03')).toEqual({
    when: 'the day before',
    about: 'Compared with the day before',
  });
});
