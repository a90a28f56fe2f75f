import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { type Random, logNormal } from './random.ts';

/** A sealed-bid auction for one imp; prices in micros per thousand impressions. */
export interface AuctionInput {
  /** 1: the winner pays its bid. 2: the winner pays a cent more than the second price. */
  type: 1 | 2;
  floorCpmMicros: Micros;
  bidCpmMicros: Micros;
  rivalsCpmMicros: readonly Micros[];
}

/**
 * Result for the given bid. `lossReason` is a code of OpenRTB or of the exchange, `minToWinCpmMicros` the lowest price that
 * would have won (OpenRTB, AUCTION_MIN_TO_WIN).
 */
export type AuctionResult =
  | { won: true; clearingCpmMicros: Micros; minToWinCpmMicros: Micros }
  | { won: false; lossReason: number; clearingCpmMicros: Micros; minToWinCpmMicros: Micros };

/** Price increment: one cent per thousand impressions. */
export const PRICE_STEP_MICROS: Micros = toMicros(0.01);

/**
 * Runs the auction. The bid wins if it reaches the floor and is an increment above every rival bid that does; it pays at
 * most the bid and at least the floor. Rival bids below the floor are ignored.
 */
export function holdAuction({
  type,
  floorCpmMicros,
  bidCpmMicros,
  rivalsCpmMicros,
}: AuctionInput): AuctionResult {
  const highestRival = Math.max(0, ...rivalsCpmMicros.filter((rival) => rival >= floorCpmMicros));
  const minToWinCpmMicros = Math.max(floorCpmMicros, highestRival > 0 ? highestRival + PRICE_STEP_MICROS : 0);
  if (bidCpmMicros < floorCpmMicros) {
    return { won: false, lossReason: 100, clearingCpmMicros: highestRival, minToWinCpmMicros };
  }
  if (bidCpmMicros < minToWinCpmMicros) {
    return { won: false, lossReason: 102, clearingCpmMicros: highestRival, minToWinCpmMicros };
  }
  return { won: true, clearingCpmMicros: type === 1 ? bidCpmMicros : minToWinCpmMicros, minToWinCpmMicros };
}

/**
 * Generates the bids of up to six other buyers, in micros, whose highest is around the slot's typical price (dollars per
 * thousand impressions).
 */
export function rivalBids(random: Random, typicalCpmDollars: number): Micros[] {
  const buyers = Math.floor(random() * 7);
  // The median bid is below the typical price: the highest of several bids is close to it.
  return Array.from({ length: buyers }, () =>
    toMicros(Math.round(logNormal(random, 0.75 * typicalCpmDollars, 0.6) * 100) / 100),
  );
}
