import { z } from 'zod';
import { ProductPageId, SkOverlay, SkOverlayInput } from './app-store.ts';
import { bundleError, normaliseBundle } from './bundles.ts';
import { PeopleWithoutId, capsField } from '../frequency/caps.ts';
import { BidMultiplier, BidMultipliersInput, loggedMultiplierText } from './multipliers.ts';
import { CountriesInput, CountrySettings, loggedCountryText } from './country-settings.ts';
import { audienceFields, installedFields } from '../audiences/use.ts';
import { Algorithm, CountryGoal, GoalWindow } from './goals.ts';
import { DeepLink } from './deep-link.ts';
import { Hours, HoursInput, HoursZone, loggedHoursText } from './hours.ts';
import type { Field, FormField, StoredField } from '../lib/fields.ts';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { isVisibleName } from '../lib/visible-name.ts';
import { optionalDollars } from '../lib/wire.ts';
import { adsetMessages } from './messages.ts';
import { messages } from '../text/messages.ts';

/** An app bundle as ad sets store it. */
export const BundleId = z
  .string()
  .transform(normaliseBundle)
  .pipe(
    z.string().check(({ value, issues }) => {
      const message = bundleError(value);
      if (message) issues.push({ code: 'custom', message, input: value });
    }),
  );

/** A list of bundles, stored with the size of all lists. */
const bundleList = (field: { label: string; example: readonly string[] }) =>
  ({
    ...field,
    input: z
      .array(BundleId)
      .max(limits.bundleListMax)
      .nullish()
      .transform((bundles) => [...new Set(bundles ?? [])]),
    output: z.array(z.string()),
    form: z.array(z.string()),
    initial: [],
    undo: true,
  }) satisfies FormField;

/** A CPM in dollars. */
export const Cpm = z
  .number()
  .min(limits.cpmMinDollars, messages.required)
  .max(limits.cpmMaxDollars, `At most ${limits.cpmMaxDollars}`);

/** The description of an amount that may be absent. */
interface OptionalAmount<Column extends string> {
  label: string;
  column: Column;
  /** Dollars. */
  max: number;
  none: string;
  zeroIsNone: boolean;
  example: number | null;
}

/** An amount of dollars that may be absent. */
const optionalAmount = <const Column extends string>(field: OptionalAmount<Column>) =>
  ({
    ...field,
    min: limits.amountMinDollars,
    input: optionalDollars.refine(
      (dollars) => dollars === null || dollars <= field.max,
      `At most $${numberText(field.max)}`,
    ),
    output: z.number().nullable(),
    form: z.number().nullable(),
    initial: null,
    stored: 'micros',
    unit: 'dollars',
    undo: true,
  }) as const satisfies FormField & StoredField;

/** Which publishers an ad set buys. Their lists may be long, and summaries leave them out. */
export const bundleFields = {
  black_list_bundles: bundleList({ label: 'Blocklist', example: ['com.example.badgame'] }),
  white_list_bundles: bundleList({ label: 'Allowlist', example: [] }),
  /** Highest CPM in dollars by publisher bundle, used instead of bet_cpm. */
  bundle_bids: {
    label: 'Bundle bids',
    input: z
      .record(BundleId, Cpm)
      .refine(
        (bids) => Object.keys(bids).length <= limits.bundleListMax,
        `At most ${limits.bundleListMax} bundles`,
      )
      .nullish()
      .transform((bids) => bids ?? {}),
    output: z.record(z.string(), z.number()),
    form: z.record(z.string(), z.number()),
    initial: {},
    unit: 'dollars by name',
    undo: true,
    example: { 'com.example.goodgame': 4.5 },
  },
} as const satisfies Record<string, FormField>;

/** Bids, goals, budgets and store settings, each in a column of the ad set. */
export const settingFields = {
  algo: {
    label: 'Bid strategy',
    column: 'algo',
    stored: 'same',
    input: Algorithm,
    output: Algorithm,
    form: Algorithm.nullable(),
    initial: null,
    undo: true,
    example: 'Target CPI',
  },
  /** Highest price, in dollars per thousand impressions. */
  bet_cpm: {
    label: 'CPM bid',
    column: 'bet_cpm_micros',
    stored: 'micros',
    unit: 'dollars',
    min: limits.cpmMinDollars,
    max: limits.cpmMaxDollars,
    input: Cpm,
    output: z.number(),
    form: z.number().nullable(),
    initial: null,
    undo: true,
    example: 6,
  },
  /** Target cost per install, in dollars. */
  bet_cpi: optionalAmount({
    label: 'Target CPI',
    column: 'bet_cpi_micros',
    max: limits.cpiMaxDollars,
    none: 'None',
    zeroIsNone: false,
    example: 1.8,
  }),
  /** Name of the in-app event that Target CPA buys, as postbacks name it; null or empty for none. */
  goal_event: {
    label: 'Goal event',
    column: 'goal_event',
    stored: 'same',
    input: z
      .string()
      .trim()
      .max(limits.goalEventMax, `At most ${limits.goalEventMax} characters`)
      .refine(isVisibleName, messages.nameHidden)
      .nullish()
      .transform((name) => name || null),
    output: z.string().nullable(),
    form: z.string().nullable(),
    initial: null,
    undo: true,
    example: null,
  },
  /** Target cost per person with the goal event, in dollars. */
  cpa: optionalAmount({
    label: 'Target CPA',
    column: 'cpa_micros',
    max: limits.cpiMaxDollars,
    none: 'None',
    zeroIsNone: false,
    example: null,
  }),
  /** Target revenue in percent of the spend. */
  roas: {
    label: 'Target ROAS, %',
    column: 'roas_percent',
    stored: 'same',
    input: z
      .number('Enter a number')
      .min(limits.roasMin, adsetMessages.roasRange)
      .max(limits.roasMax, adsetMessages.roasRange)
      .nullish()
      .transform((percent) => percent ?? null),
    output: z.number().nullable(),
    form: z.number().nullable(),
    initial: null,
    undo: true,
    example: null,
  },
  /** Days after the install in which events and revenue count; 7 by default. */
  goal_window: {
    label: 'Goal window, days',
    column: 'goal_window_days',
    stored: 'same',
    input: GoalWindow.nullish().transform((days): GoalWindow => days ?? 7),
    output: GoalWindow,
    form: GoalWindow,
    initial: 7,
    undo: true,
    example: 7,
  },
  /** Goals of single countries in place of `cpa` or `roas`. */
  goals_by_country: {
    label: 'Goals by country',
    column: 'goals_by_country',
    stored: 'json',
    input: z
      .array(CountryGoal)
      .max(limits.countryGoalsMax, `At most ${limits.countryGoalsMax} countries`)
      .refine(
        (goals) => new Set(goals.map(({ country }) => country)).size === goals.length,
        'Enter each country once',
      )
      .nullish()
      .transform((goals) => goals ?? []),
    output: z.array(CountryGoal),
    form: z.array(CountryGoal),
    initial: [],
    undo: true,
    example: [],
  },
  /** Where in the app a click leads; null opens none of its screens. */
  deep_link: {
    label: 'Deep link',
    column: 'deep_link',
    stored: 'same',
    none: 'None',
    input: DeepLink.describe(
      'The screen of the app that a click opens: a universal link (https) of the advertiser domain or of a measurement partner, or a link of the app’s own scheme. It may have the macros of tracking links, which pass it on as {deep_link}.',
    ),
    output: z.string().nullable(),
    form: z.string().nullable(),
    initial: null,
    undo: true,
    example: null,
  },
  product_page_id: {
    label: 'Custom product page',
    column: 'product_page_id',
    stored: 'same',
    input: ProductPageId,
    output: z.guid().nullable(),
    form: z.string().nullable(),
    initial: null,
    undo: true,
    example: null,
  },
  /** SKOverlay of an app of the App Store; null shows none. */
  overlay: {
    label: 'SKOverlay',
    column: 'overlay',
    stored: 'json',
    input: SkOverlayInput.nullish().transform((overlay) => overlay ?? null),
    output: SkOverlay.nullable(),
    form: SkOverlay.nullable(),
    initial: null,
    undo: true,
    example: null,
  },
  /** The most impressions of the ad set to one person in any period of a length in minutes. */
  frequency_caps: { ...capsField, column: 'frequency_caps', stored: 'json' },
  /** Whether the ad set bids for people whom no id identifies while it or its campaign has caps; `bid` by default. */
  people_without_id: {
    label: 'People without an id',
    column: 'people_without_id',
    stored: 'same',
    input: PeopleWithoutId.nullish()
      .transform((choice): PeopleWithoutId => choice ?? 'bid')
      .describe(
        'What the ad set does with people whom nothing identifies while it or its campaign has frequency caps: bid without a cap, or skip them.',
      ),
    output: PeopleWithoutId,
    form: PeopleWithoutId,
    initial: 'bid',
    undo: true,
    example: 'bid',
  },
  /** The hours of a week in which it bids; null is always. */
  hours: {
    label: 'Hours',
    column: 'hours',
    stored: 'json',
    none: 'Always',
    input: HoursInput.describe(
      'Hours of the week in which it bids, from and to for each day: {"mon": [[8, 22]]}. Absent days are closed; null is always.',
    ),
    output: Hours.nullable(),
    form: Hours.nullable(),
    initial: null,
    undo: true,
    example: null,
    text: loggedHoursText,
  },
  /** Whose time the hours are in. */
  hours_zone: {
    label: 'Time zone of the hours',
    column: 'hours_zone',
    stored: 'same',
    input: HoursZone.nullish()
      .transform((zone) => zone ?? 'company')
      .describe(
        'Whether the hours are in the time zone of the company or of the device. A device whose time is not known counts as in the zone of its region or country, else in that of the company.',
      ),
    output: HoursZone,
    form: HoursZone,
    initial: 'company',
    undo: true,
    example: 'company',
  },
  /** Factors on the bids, by what a request has. */
  bid_multipliers: {
    label: 'Bid multipliers',
    column: 'bid_multipliers',
    stored: 'json',
    input: BidMultipliersInput,
    output: z.array(BidMultiplier),
    form: z.array(BidMultiplier),
    initial: [],
    undo: true,
    example: [],
    text: loggedMultiplierText,
  },
  /** Bids of single countries in place of the ad set's own, and their daily budgets. */
  countries: {
    label: 'Bids and budgets by country',
    column: 'countries',
    stored: 'json',
    input: CountriesInput,
    output: z.array(CountrySettings),
    form: z.array(CountrySettings),
    initial: [],
    undo: true,
    example: [{ country: 'AT', bet_cpm: null, bet_cpi: 1.5, daily_budget: 50 }],
    text: loggedCountryText,
  },
  /** Daily budget in dollars, by days of the company's time zone; null or 0 is unlimited. */
  daily_budget_const: optionalAmount({
    label: 'Daily budget',
    column: 'daily_budget_micros',
    max: limits.budgetMaxDollars,
    none: 'Unlimited',
    zeroIsNone: true,
    example: 200,
  }),
  /** Total budget in dollars; null or 0 is unlimited. */
  all_budget_const: optionalAmount({
    label: 'Total budget',
    column: 'all_budget_micros',
    max: limits.budgetMaxDollars,
    none: 'Unlimited',
    zeroIsNone: true,
    example: null,
  }),
  ...audienceFields,
  ...installedFields,
} as const satisfies Record<string, FormField & StoredField>;

/** The fields of an ad set that are its own: all except its name, its status and its references. */
export const adsetFields = { ...bundleFields, ...settingFields } satisfies Record<string, Field>;

const { bet_cpm, bet_cpi, cpa, daily_budget_const, all_budget_const } = settingFields;
/** The amounts of an ad set, which the API and the screens check by the same bounds in dollars. */
export const ADSET_AMOUNTS = { bet_cpm, bet_cpi, cpa, daily_budget_const, all_budget_const };
export type AdsetAmount = keyof typeof ADSET_AMOUNTS;

/** Whether a field of an ad set is an amount of dollars. */
export function isAdsetAmount(field: string): field is AdsetAmount {
  return Object.hasOwn(ADSET_AMOUNTS, field);
}
