import { z } from 'zod';
import { COUNTRY_CODES } from '../reference/country-codes.ts';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { messages } from '../text/messages.ts';

/** Bidding algorithms of an ad set, described in docs/delivery.md. */
export const ALGORITHMS = ['Manual CPM', 'Target CPI', 'Max installs', 'Target CPA', 'Target ROAS'] as const;
export const Algorithm = z.enum(ALGORITHMS, messages.required);
export type Algorithm = z.infer<typeof Algorithm>;

/** Whether an algorithm buys what people do after the install, rather than installs. */
export const isOfValue = (algorithm: Algorithm | null): boolean =>
  algorithm === 'Target CPA' || algorithm === 'Target ROAS';

/** Windows in which events and revenue of an install count: day 0 (24 hours), or the days 0 to 7 (192 hours). */
export const GoalWindow = z.union([z.literal(0), z.literal(7)], { error: 'Choose 0 or 7 days' });
export type GoalWindow = z.infer<typeof GoalWindow>;

/** A goal of one country: dollars per person with the event for Target CPA, percent for Target ROAS. */
export const CountryGoal = z.object({
  /** ISO 3166-1, two letters. */
  country: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => COUNTRY_CODES.includes(code), 'Countries are two letters (ISO 3166-1)'),
  value: z
    .number('Enter a number')
    .min(limits.amountMinDollars, messages.belowCent)
    .max(limits.cpiMaxDollars, `At most ${numberText(limits.cpiMaxDollars)}`),
});
export type CountryGoal = z.infer<typeof CountryGoal>;
