import { expect, test } from 'vitest';
import { fineAxisSteps } from './chart-scale.ts';

const rounded = (max: number) => fineAxisSteps(max).map((step) => Number(step.toFixed(6)));

test('fine steps reach the maximum in at most five round steps', () => {
  expect(rounded(0.17)).toEqual([0, 0.05, 0.1, 0.15, 0.2]);
  expect(rounded(0.02)).toEqual([0, 0.005, 0.01, 0.015, 0.02]);
  expect(rounded(100)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(rounded(4200)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  expect(rounded(0)).toEqual([0, 1]);
});
