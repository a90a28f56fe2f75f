import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { Uuid } from '../lib/wire.ts';
import { messages } from '../text/messages.ts';
import { DEVICE_TYPES } from '../reference/schema.ts';
import { COUNTRY_CODES } from '../reference/country-codes.ts';
import { normaliseBundle, withoutIdPrefix } from './bundles.ts';

/** What a bid can depend on. */
export const MULTIPLIER_DIMENSIONS = [
  'country',
  'exchange',
  'bundle',
  'format',
  'hour',
  'device_type',
  'audience',
] as const;
export const MultiplierDimension = z.enum(MULTIPLIER_DIMENSIONS);
export type MultiplierDimension = z.infer<typeof MultiplierDimension>;

/** Formats by which bids can differ: the types of creatives. */
export const MULTIPLIER_FORMATS = ['Banner', 'Video', 'Native', 'Playable'] as const;

/** Bounds of a factor, and of the product of all factors of a bid. */
export const FACTOR_MIN = 0.1;
export const FACTOR_MAX = 10;

const VALUE_CHARS_MAX = limits.bundleMax;
const factor = z
  .number('Enter a number')
  .min(FACTOR_MIN, `Enter at least ${FACTOR_MIN}`)
  .max(FACTOR_MAX, `At most ${FACTOR_MAX}`);

/** A factor on the bids on one value of a dimension. */
export const BidMultiplier = z.object({
  dimension: MultiplierDimension,
  value: z.string(),
  factor: z.number(),
});
export type BidMultiplier = z.infer<typeof BidMultiplier>;

const MultiplierInput = z
  .object({
    dimension: MultiplierDimension,
    value: z.string().trim().min(1, messages.required).max(VALUE_CHARS_MAX),
    // To hundredths, as forms show it.
    factor: factor.transform((value) => Math.round(value * 100) / 100),
  })
  .transform((one) => ({ ...one, value: normalised(one) }))
  .check(({ value, issues }) => {
    const message = valueError(value);
    if (message) issues.push({ code: 'custom', path: ['value'], message, input: value });
  });

/** {@link BidMultiplier}s in an input. */
export const BidMultipliersInput = z
  .array(MultiplierInput)
  .max(limits.multipliersMax, `At most ${limits.multipliersMax} multipliers`)
  .refine(
    (all) => new Set(all.map(({ dimension, value }) => `${dimension} ${value}`)).size === all.length,
    'Enter each value once',
  )
  .refine(
    (all) => audiencesOfMultipliers(all).length <= limits.audienceMultipliersMax,
    `At most ${limits.audienceMultipliersMax} multipliers by audience`,
  )
  .nullish()
  .transform((all) => all ?? []);

function normalised({ dimension, value }: Pick<BidMultiplier, 'dimension' | 'value'>): string {
  if (dimension === 'country') return value.toUpperCase();
  if (dimension === 'bundle') return withoutIdPrefix(normaliseBundle(value));
  if (dimension === 'exchange' || dimension === 'audience') return value.toLowerCase();
  return value;
}

function valueError({ dimension, value }: BidMultiplier): string | null {
  if (dimension === 'country')
    return COUNTRY_CODES.includes(value) ? null : 'Countries are two letters (ISO 3166-1)';
  if (dimension === 'hour') return /^(1?\d|2[0-3])$/.test(value) ? null : 'Hours are numbers from 0 to 23';
  if (dimension === 'format')
    return MULTIPLIER_FORMATS.some((one) => one === value)
      ? null
      : `Formats are ${MULTIPLIER_FORMATS.join(', ')}`;
  if (dimension === 'device_type')
    return DEVICE_TYPES.some((one) => one === value) ? null : 'This type of device is not known';
  if (dimension === 'audience') return Uuid.safeParse(value).success ? null : 'Choose an audience';
  return null;
}

/** The audiences of which multipliers are. */
export const audiencesOfMultipliers = (
  multipliers: readonly Pick<BidMultiplier, 'dimension' | 'value'>[],
): string[] => multipliers.filter(({ dimension }) => dimension === 'audience').map(({ value }) => value);

/** The product of the factors of a bid, within the bounds of one. */
export function boundedProduct(factors: Iterable<number>): number {
  let product = 1;
  for (const one of factors) product *= one;
  return Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, product));
}

/** The highest product that the multipliers of an ad set can have: values without one have the factor 1. */
export function highestProduct(multipliers: readonly BidMultiplier[]): number {
  const highest = new Map<string, number>();
  for (const { dimension, factor: own } of multipliers)
    highest.set(dimension, Math.max(highest.get(dimension) ?? 1, own));
  return boundedProduct(highest.values());
}

const NAMES: Readonly<Record<MultiplierDimension, string>> = {
  country: 'Country',
  exchange: 'Exchange',
  bundle: 'Bundle',
  format: 'Format',
  hour: 'Hour',
  device_type: 'Device type',
  audience: 'Audience',
};

/** A dimension on screen. */
export const dimensionName = (dimension: MultiplierDimension): string => NAMES[dimension];

/** The value of a multiplier as people read it, but for audiences, which have names: `DE`, `8–9`. */
export const multiplierValueText = ({
  dimension,
  value,
}: Pick<BidMultiplier, 'dimension' | 'value'>): string =>
  dimension === 'hour' ? `${value}–${Number(value) + 1}` : value;

/** A multiplier of the change log, which has the name of an audience. */
const LoggedMultiplier = BidMultiplier.extend({ name: z.string().optional() });

/** A multiplier as people read it: `Country DE ×1.2`. */
export const multiplierText = ({ name, ...multiplier }: z.infer<typeof LoggedMultiplier>): string =>
  `${dimensionName(multiplier.dimension)} ${name ?? multiplierValueText(multiplier)} ×${multiplier.factor}`;

/** {@link multiplierText} of a logged value; undefined for another one. */
export function loggedMultiplierText(value: unknown): string | undefined {
  const multiplier = LoggedMultiplier.safeParse(value);
  return multiplier.success ? multiplierText(multiplier.data) : undefined;
}

/** A combination of values with the price that it has. */
export interface PriceCombination {
  /** A value of each dimension that has multipliers or bids of its own; null for any other value. */
  values: readonly { dimension: MultiplierDimension; value: string | null }[];
  factor: number;
  /** The highest bid with the factor on it, in dollars per thousand impressions. */
  cpm: number;
}

/** The highest bids of an ad set, in dollars per thousand impressions: its own, and the ones of bundles and of countries in its place. */
export interface HighestBids {
  own: number;
  byCountry: ReadonlyMap<string, number>;
  byBundle: ReadonlyMap<string, number>;
}

/**
 * The prices of all combinations of values that have multipliers, and of the countries and bundles with bids of their own, the highest first, at
 * most `max`; and how many there are.
 */
export function combinations(
  multipliers: readonly BidMultiplier[],
  { own: ownBid, byCountry, byBundle }: HighestBids,
  max: number,
): { shown: PriceCombination[]; count: number } {
  const bids: Partial<Record<MultiplierDimension, ReadonlyMap<string, number>>> = {
    country: byCountry,
    bundle: byBundle,
  };
  const dimensions = MULTIPLIER_DIMENSIONS.map((dimension) => {
    const own = multipliers.filter((one) => one.dimension === dimension);
    const others = [...(bids[dimension]?.keys() ?? [])].filter((value) =>
      own.every((one) => one.value !== value),
    );
    return { dimension, own: [...own, ...others.map((value) => ({ dimension, value, factor: 1 }))] };
  }).filter(({ own }) => own.length > 0);
  const count = dimensions.reduce((product, { own }) => product * (own.length + 1), 1);
  if (count > COMBINATIONS_MAX) return { shown: [], count };
  let all: { values: PriceCombination['values']; product: number }[] = [{ values: [], product: 1 }];
  for (const { dimension, own } of dimensions)
    all = all.flatMap(({ values, product }) =>
      [...own, { value: null, factor: 1 }].map((one) => ({
        values: [...values, { dimension, value: one.value }],
        product: product * one.factor,
      })),
    );
  const shown = all
    .map(({ values, product }) => {
      const valueOf = (of: MultiplierDimension) =>
        values.find(({ dimension }) => dimension === of)?.value ?? '';
      // As bidders choose: the bid of the bundle comes before the one of the country.
      const bid = byBundle.get(valueOf('bundle')) ?? byCountry.get(valueOf('country')) ?? ownBid;
      const bounded = boundedProduct([product]);
      return { values, factor: bounded, cpm: bid * bounded };
    })
    .toSorted((a, b) => b.cpm - a.cpm)
    .slice(0, max);
  return { shown, count };
}

/** Combinations above which none is computed. */
const COMBINATIONS_MAX = 20_000;
