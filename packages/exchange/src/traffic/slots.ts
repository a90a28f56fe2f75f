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
}

const slot = (
  on: Slot['on'],
  name: string,
  weight: number,
  typicalCpmDollars: number,
  position: Slot['position'],
  ...sizes: Slot['sizes']
): Slot => ({ on, name, weight, typicalCpmDollars, position, sizes, interstitial: position === 7 });

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
