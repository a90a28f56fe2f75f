import { z } from 'zod';
import { COUNTRY_CODES } from '../reference/country-codes.ts';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { optionalDollars } from '../lib/wire.ts';
import { messages } from '../text/messages.ts';

const amount = (min: number, max: number) =>
  z
    .number('Enter a number')
    .min(min, messages.belowCent)
    .max(max, `At most $${numberText(max)}`)
    .nullish()
    .transform((dollars) => dollars ?? null);

/** The bids of an ad set in one country, in dollars, in place of its own; null is its own. And the most that it spends there in a day. */
export const CountrySettings = z.object({
  /** ISO 3166-1, two letters. */
  country: z.string(),
  bet_cpm: z.number().nullable(),
  bet_cpi: z.number().nullable(),
  /** Dollars; the budgets of the ad set hold too. Absent for none. */
  daily_budget: z.number().optional(),
});
export type CountrySettings = z.infer<typeof CountrySettings>;

const CountrySettingsInput = z
  .object({
    country: z
      .string()
      .trim()
      .toUpperCase()
      .refine((code) => COUNTRY_CODES.includes(code), 'Countries are two letters (ISO 3166-1)'),
    bet_cpm: amount(limits.cpmMinDollars, limits.cpmMaxDollars),
    bet_cpi: amount(limits.amountMinDollars, limits.cpiMaxDollars),
    daily_budget: optionalDollars.describe(
      'The most that the ad set spends in the country in a day, in dollars; null or 0 is unlimited.',
    ),
  })
  .refine(
    ({ bet_cpm, bet_cpi, daily_budget }) => bet_cpm !== null || bet_cpi !== null || Boolean(daily_budget),
    'Enter a bid or a daily budget for each country',
  )
  .transform(({ daily_budget, ...bids }) => (daily_budget ? { ...bids, daily_budget } : bids));

/** {@link CountrySettings} in an input. */
export const CountriesInput = z
  .array(CountrySettingsInput)
  .max(limits.countryGoalsMax, `At most ${limits.countryGoalsMax} countries`)
  .refine((all) => new Set(all.map(({ country }) => country)).size === all.length, 'Enter each country once')
  .nullish()
  .transform((all) => all ?? []);

/** The settings of a country as people read them: `DE: CPM $4.50, CPI $2.00, daily budget $100.00`. */
export function loggedCountryText(value: unknown): string | undefined {
  const parsed = CountrySettings.safeParse(value);
  if (!parsed.success) return undefined;
  const { country, bet_cpm: cpm, bet_cpi: cpi, daily_budget: budget } = parsed.data;
  const settings = [
    ...(cpm === null ? [] : [`CPM $${cpm.toFixed(2)}`]),
    ...(cpi === null ? [] : [`CPI $${cpi.toFixed(2)}`]),
    ...(budget === undefined ? [] : [`daily budget $${budget.toFixed(2)}`]),
  ];
  return `${country}: ${settings.join(', ')}`;
}
