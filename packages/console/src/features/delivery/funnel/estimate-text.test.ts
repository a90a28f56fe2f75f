import { expect, test } from 'vitest';
import { estimateText } from './estimate-text.ts';

test.each([
  [{ value: 1_087_941, error: 38_236 }, '', 'about 1 090 000 ± 40 000'],
  [{ value: 700_019, error: 31_000 }, '−', 'about −700 000 ± 30 000'],
  [{ value: 3104, error: 196 }, '', 'about 3 100 ± 200'],
  [{ value: 12, error: 3.4 }, '', 'about 12 ± 3'],
  [{ value: 12, error: 0.2 }, '', 'about 12 ± 1'],
  [{ value: 60, error: 81 }, '', 'about 60 ± 80'],
  [{ value: 1_087_941, error: 0 }, '−', '−1 087 941'],
])('an estimate %o has the digits that its error leaves', (estimate, sign, text) => {
  expect(estimateText(estimate, sign).replaceAll('\u00a0', ' ')).toBe(text);
});
