import type { ConversionRule } from '@bidwell/contract/skadnetwork/conversion-values';
import type { Coarse } from '../../skadnetwork/scheduled-postbacks.ts';

const DAY_MS = 86_400_000;
/** Ends of the conversion windows, after the first launch. */
const WINDOW_ENDS_MS = [2 * DAY_MS, 7 * DAY_MS, 35 * DAY_MS] as const;

/** What a person did in the app. */
export interface Deed {
  name: string;
  /** Since the first launch. */
  afterMs: number;
  /** Negative for a refund; 0 without money. */
  dollars: number;
}

interface Range {
  value: number;
  fromDollars: number;
  toDollars: number;
}
const range = (value: number, fromDollars: number, toDollars: number): Range => ({
  value,
  fromDollars,
  toDollars,
});

const TUTORIAL = 'tutorial_complete';
const PURCHASE = 'purchase';
const ADS = 'ad_revenue';
/** The value of a person who did no more than end the tutorial. */
const TUTORIAL_VALUE = 1;
/** The values of people who bought nothing, by the revenue of the ads that they saw. */
const AD_RANGES = [range(10, 0.01, 0.2), range(11, 0.21, 0.5), range(12, 0.51, 1), range(13, 1.01, 5)];
/** The values of people who bought something, by what they paid. */
const PAID_RANGES = [range(40, 0.99, 4.99), range(41, 5, 14.99), range(42, 15, 49.99), range(43, 50, 250)];
/** Coarse values of each window, by the revenue in it. */
const COARSE_DOLLARS: readonly (readonly [Coarse, number, number])[] = [
  ['low', 0, 0.49],
  ['medium', 0.5, 2.99],
  ['high', 3, 250],
];

/** What the conversion values of the demo's game mean, as its developer has entered it. */
export const GAME_RULES: readonly ConversionRule[] = [
  fineRule(TUTORIAL_VALUE, TUTORIAL, null),
  ...AD_RANGES.map((one) => fineRule(one.value, ADS, one)),
  ...PAID_RANGES.map((one) => fineRule(one.value, PURCHASE, one)),
  ...WINDOW_ENDS_MS.flatMap((_, window) =>
    COARSE_DOLLARS.map(([coarse, from, to]): ConversionRule => ({
      window,
      fine_from: null,
      fine_to: null,
      coarse,
      event: null,
      revenue_from: from,
      revenue_to: to,
    })),
  ),
];

function fineRule(value: number, event: string, dollars: Range | null): ConversionRule {
  return {
    window: 0,
    fine_from: value,
    fine_to: value,
    coarse: null,
    event,
    revenue_from: dollars?.fromDollars ?? null,
    revenue_to: dollars?.toDollars ?? null,
  };
}

/** The values that the game has set on a device by the end of each window. Pure. */
export function valuesOf(deeds: readonly Deed[]): {
  fineValue: number;
  coarseValues: readonly [Coarse, Coarse, Coarse];
} {
  const first = deeds.filter(({ afterMs }) => afterMs < WINDOW_ENDS_MS[0]);
  return {
    fineValue: fineValueOf(first),
    coarseValues: [coarseOf(deeds, 0), coarseOf(deeds, 1), coarseOf(deeds, 2)],
  };
}

function fineValueOf(deeds: readonly Deed[]): number {
  const paid = sumOf(deeds.filter(({ name }) => name === PURCHASE));
  if (paid > 0) return within(PAID_RANGES, paid);
  const ads = sumOf(deeds.filter(({ name }) => name === ADS));
  if (ads >= AD_RANGES[0]!.fromDollars) return within(AD_RANGES, ads);
  return deeds.some(({ name }) => name === TUTORIAL) ? TUTORIAL_VALUE : 0;
}

/** The last range that begins at or below an amount. */
function within(ranges: readonly Range[], dollars: number): number {
  return (ranges.findLast(({ fromDollars }) => fromDollars <= dollars) ?? ranges[0]!).value;
}

function coarseOf(deeds: readonly Deed[], window: 0 | 1 | 2): Coarse {
  const fromMs = window === 0 ? -Infinity : WINDOW_ENDS_MS[window === 1 ? 0 : 1];
  const dollars = sumOf(deeds.filter(({ afterMs }) => afterMs >= fromMs && afterMs < WINDOW_ENDS_MS[window]));
  return COARSE_DOLLARS.findLast(([, from]) => from <= dollars)?.[0] ?? 'low';
}

const sumOf = (deeds: readonly Deed[]): number => deeds.reduce((sum, { dollars }) => sum + dollars, 0);
