import type { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import {
  type BidMultiplier,
  type HighestBids,
  combinations,
  highestProduct,
} from '@bidwell/contract/adsets/multipliers';

/** What decides how much an ad set bids for a thousand impressions at most. Prices are in dollars. */
export interface PriceSettings {
  countries: readonly Pick<CountrySettings, 'country' | 'bet_cpm'>[];
  bid_multipliers: readonly BidMultiplier[];
  /** Absent where they are not known: the highest price is then the one of the other bundles. */
  bundle_bids?: Readonly<Record<string, number>>;
}

/** Bundles with bids of their own that the table of prices names; of more it has the ones with multipliers alone. */
const BUNDLES_MAX = 12;

/** The bids that the multipliers apply to, and whether they are all there are. Pure. */
export function bidsOf(
  { countries, bundle_bids: bundles = {}, bid_multipliers: multipliers }: PriceSettings,
  cpm: number,
): { bids: HighestBids; areAll: boolean } {
  const all = Object.entries(bundles);
  const areAll = all.length <= BUNDLES_MAX;
  const multiplied = new Set(multipliers.map(({ value }) => value));
  return {
    bids: {
      own: cpm,
      byCountry: new Map(
        countries.flatMap(({ country, bet_cpm: own }) =>
          own === null || country === '' ? [] : [[country.toUpperCase(), own] as const],
        ),
      ),
      byBundle: new Map(areAll ? all : all.filter(([bundle]) => multiplied.has(bundle))),
    },
    areAll,
  };
}

/**
 * The highest bid of an ad set for a thousand impressions, in dollars: its own of `cpm`, of a country or of a bundle, with the multipliers.
 * Where the combinations are too many, what no bid is above. Pure.
 */
export function highestPrice(settings: PriceSettings, cpm: number): number {
  const { bids, areAll } = bidsOf(settings, cpm);
  // A multiplier whose value is being typed applies to nothing.
  const multipliers = settings.bid_multipliers.filter(({ value }) => value !== '');
  const [highest] = combinations(multipliers, bids, 1).shown;
  if (areAll && highest) return highest.cpm;
  const highestBid = Math.max(
    cpm,
    ...settings.countries.map((one) => one.bet_cpm ?? 0),
    ...Object.values(settings.bundle_bids ?? {}),
  );
  return highestBid * highestProduct(multipliers);
}
