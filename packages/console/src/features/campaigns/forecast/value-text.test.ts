import type { Forecast } from '@bidwell/contract/insight/forecast';
import { expect, test } from 'vitest';
import { valueText } from './forecast-text.ts';

const learned: NonNullable<Forecast['value']> = {
  install_price: 1.4,
  per_install: 0.07,
  source: 'learned',
  conversions: 31,
  needed: 50,
  expected_error_percent: 18,
};
const assumed = { ...learned, source: 'assumed', conversions: 0, expected_error_percent: null } as const;
const cpa = { algo: 'Target CPA', goal_event: 'purchase', bet_cpi: null } as const;
const roas = { algo: 'Target ROAS', goal_event: null, bet_cpi: null } as const;

test.each([
  [
    learned,
    cpa,
    'Made from a value of $1.40 ± 18 % per install: 7.0 people with “purchase” per 100 installs, learned from 31 people of the last 30 days. Below about 50 in 7 days it is uncertain, and the ranges do not include this error.',
  ],
  [
    { ...learned, conversions: 200, expected_error_percent: 14, per_install: 1.26 },
    roas,
    'Made from a value of $1.40 ± 14 % per install: a revenue of $1.26 per install, learned from 200 people of the last 30 days. The ranges do not include this error.',
  ],
  [
    assumed,
    cpa,
    'Made from an assumed value of $1.40 per install (by 7.0 people with “purchase” per 100 installs), since no “purchase” is known yet. It is a rough guess until about 50 conversions came in 7 days.',
  ],
  [
    assumed,
    { ...roas, bet_cpi: 1.4 },
    'Made from an assumed value of $1.40 per install (as entered), since no revenue is known yet. It is a rough guess until about 50 conversions came in 7 days.',
  ],
])('a forecast of a goal says what it is made from: %#', (value, values, text) => {
  expect(valueText(value, values)).toBe(text);
});
