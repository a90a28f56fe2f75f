import { expect, test } from 'vitest';
import { comparisonWords } from './comparison-text.ts';

test('a card says that today is compared with yesterday up to the same time', () => {
  const of = (start: string, end: string) => comparisonWords({ start, end }, '2026-05-04');
  expect(of('2026-05-04', '2026-05-04')).toMatchObject({
    until: 'by this time yesterday',
    about: 'Today so far, compared with yesterday up to the same time of day',
  });
  expect(of('2026-04-28', '2026-05-04').about).toMatch(/up to the same day and time of day$/);
  expect(of('2026-05-03', '2026-05-03').about).toBe('Compared with the previous period of the same length');
});
