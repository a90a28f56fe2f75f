import type { Micros } from '@bidwell/contract/money';
import type { Candidate } from '../snapshot/types.ts';

/** Installs expected of one impression, for an ad set in an app. */
export type InstallRate = (candidate: Candidate, bundle: string) => number;

/**
 * One install in a thousand impressions: what is believed of an ad set before its own events say more. In the middle of
 * what in-app banners bring (0.03 % to 0.3 %).
 */
export const PRIOR_INSTALL_RATE = 0.001;

/**
 * The price of a bid, micros per thousand impressions. Manual CPM and Max installs bid the ad set's CPM; Target CPI bids
 * what the installs to be expected are worth. A bundle's own price takes the CPM's place, and no bid is above it.
 */
export function bidCpmMicros(candidate: Candidate, bundle: string, installRate: InstallRate): Micros {
  const ceiling = candidate.bundleCpmMicros.get(bundle) ?? candidate.cpmMicros;
  if (candidate.algorithm !== 'Target CPI' || !candidate.cpiMicros) return ceiling;
  const worth = Math.floor(installRate(candidate, bundle) * candidate.cpiMicros * 1000);
  return Math.min(worth, ceiling);
}

/** The most that one impression of a bid may cost: its price for a thousand, divided and rounded up. */
export function impressionMicros(cpmMicros: Micros): Micros {
  return Math.ceil(cpmMicros / 1000);
}
