import type { CohortCell, CohortRow } from '@bidwell/contract/reports/cohorts';
import { expect, test } from 'vitest';
import { fullColourByDay } from './cohort-metrics.ts';

const rowOf = (revenue: number | null, matureShare = 1): CohortRow =>
  ({ cells: [{ day: 7, mature_share: matureShare, revenue } as CohortCell] }) as CohortRow;
const fullColourOf = (...rows: CohortRow[]) => fullColourByDay(rows, 'revenue').get(7);

test('the highest value of a day has the full colour', () => {
  expect(fullColourOf(rowOf(4), rowOf(9), rowOf(6))).toBe(9);
  expect(fullColourOf(rowOf(4), rowOf(4), rowOf(4))).toBe(4);
  expect(fullColourOf(rowOf(4))).toBe(4);
});

test('one outlier does not take the colour of the others', () => {
  expect(fullColourOf(rowOf(10), rowOf(12), rowOf(11), rowOf(13), rowOf(900))).toBe(24);
  expect(fullColourOf(rowOf(1), rowOf(2), rowOf(3), rowOf(100))).toBe(4);
  const many = Array.from({ length: 40 }, (_, index) => rowOf(index + 1));
  expect(fullColourOf(...many, rowOf(9000))).toBe(42);
});

test('zeros, unknown values and cohorts that are too young do not count', () => {
  expect(fullColourOf(rowOf(0), rowOf(0), rowOf(0), rowOf(0), rowOf(8), rowOf(9))).toBe(9);
  expect(fullColourOf(rowOf(5), rowOf(null), rowOf(40, 0.5))).toBe(5);
  expect(fullColourOf(rowOf(0))).toBeUndefined();
});
