import type { Banner } from './bid-request.ts';

/** A kind of ad placement. */
export interface Slot {
  name: string;
  /** All sizes that fit, the most common one first. */
  sizes: readonly (readonly [width: number, height: number])[];
  interstitial: boolean;
  position: Banner['pos'];
  on: 'phone' | 'tablet';
  /** Frequency, relative to the device's other slots. */
  weight: number;
  /** Median price in the United States, in dollars per thousand impressions. */
  typicalCpmDollars: number;
  /** Share of its impressions of banners that are clicked, before the factors of app, country and creative. */
  clickRate: number;
  /** Installs per click, before the same factors. */
  installRate: number;
  /** Share of the installs that come after a view without a click. */
  viewThroughShare: number;
  /** How much creatives differ in both: the exponent of their factors. */
  creativeSpread: number;
}

/** The behaviour of people who see a kind of placement. */
type Rates = Pick<Slot, 'clickRate' | 'installRate' | 'viewThroughShare' | 'creativeSpread'>;

const slot = (
  on: Slot['on'],
  name: string,
  weight: number,
  typicalCpmDollars: number,
  position: Slot['position'],
  ...sizes: Slot['sizes']
): Slot => ({
  on,
  name,
  weight,
  typicalCpmDollars,
  position,
  sizes,
  interstitial: position === 7,
  clickRate: position === 7 ? 0.06 : name.includes('rectangle') ? 0.028 : 0.014,
  installRate: 0.14,
  viewThroughShare: 0,
  creativeSpread: 1,
});

export const SLOTS: readonly Slot[] = [
  slot('phone', 'banner', 46, 1.4, 5, [320, 50]),
  slot('phone', 'tall-banner', 6, 1.7, 5, [320, 100], [320, 50]),
  slot('phone', 'rectangle', 22, 3.2, 1, [300, 250]),
  slot('phone', 'interstitial', 22, 7.5, 7, [320, 480], [300, 250]),
  slot('phone', 'wide-interstitial', 4, 6.8, 7, [480, 320]),
  slot('tablet', 'leaderboard', 40, 1.8, 5, [728, 90]),
  slot('tablet', 'tablet-rectangle', 25, 3, 1, [300, 250], [336, 280]),
  slot('tablet', 'tablet-interstitial', 25, 8.5, 7, [768, 1024], [320, 480]),
  slot('tablet', 'tablet-wide-interstitial', 10, 7.5, 7, [1024, 768], [480, 320]),
];

const premium = (one: Slot, rates: Rates): Slot => ({ ...one, ...rates });

const shared = { viewThroughShare: 0.6, creativeSpread: 0.4 };
/** As a small banner is clicked and installed from. */
const banner: Rates = { clickRate: 0.004, installRate: 0.2, ...shared };
/** As a rectangle is. */
const rectangle: Rates = { clickRate: 0.006, installRate: 0.22, ...shared };
/** As an interstitial is. */
const interstitial: Rates = { clickRate: 0.0076, installRate: 0.44, ...shared };
/** An ad for whose viewing the app gives a reward: people watch it to its end. */
const rewarded: Rates = { clickRate: 0.0082, installRate: 0.5, ...shared };

/** Placements of games that sell full screens, most of them for a reward, at the prices and rates of that market. */
export const PREMIUM_SLOTS: readonly Slot[] = [
  premium(slot('phone', 'banner', 4, 2.4, 5, [320, 50]), banner),
  premium(slot('tablet', 'leaderboard', 6, 3, 5, [728, 90]), banner),
  premium(slot('phone', 'rectangle', 8, 16, 1, [300, 250]), rectangle),
  premium(slot('phone', 'interstitial', 36, 36, 7, [320, 480], [300, 250]), interstitial),
  premium(slot('phone', 'rewarded', 46, 54, 7, [320, 480]), rewarded),
  premium(slot('phone', 'wide-rewarded', 10, 52, 7, [480, 320]), rewarded),
  premium(slot('tablet', 'tablet-rectangle', 10, 16, 1, [300, 250], [336, 280]), rectangle),
  premium(slot('tablet', 'tablet-interstitial', 45, 40, 7, [768, 1024], [320, 480]), interstitial),
  premium(slot('tablet', 'tablet-wide-rewarded', 45, 54, 7, [1024, 768], [480, 320]), rewarded),
];
