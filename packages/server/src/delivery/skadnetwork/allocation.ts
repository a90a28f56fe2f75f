import {
  AD_SET_DIGITS_MAX,
  AD_SET_DIGITS_MIN,
  SOURCE_IDENTIFIER_DAYS,
  UNSPLIT_HUNDREDS,
} from '@bidwell/contract/skadnetwork/source-identifiers';

const DAY_MS = 86_400_000;
/** Bidders store the times of their last bids a few minutes late at most. */
const LATENESS_MS = DAY_MS;

/** A number that is in use. */
export interface NumberInUse {
  uuid: string;
  number: number;
  allocatedAt: Date;
  lastBidAt: Date | null;
  /** Whether its ad set can be bid for: a number of such is never taken away. */
  mayBid: boolean;
}

/** A number for an ad set, and the row that it is taken from; null where it was free. */
export interface ChosenNumber {
  number: number;
  takenFrom: string | null;
}

/** When a number may be given to another ad set, unless its own bids again before, Unix ms. */
export function releasableAtMs({
  allocatedAt,
  lastBidAt,
}: Pick<NumberInUse, 'allocatedAt' | 'lastBidAt'>): number {
  return (lastBidAt ?? allocatedAt).getTime() + SOURCE_IDENTIFIER_DAYS * DAY_MS + LATENESS_MS;
}

/**
 * The number for one more ad set of an app in the store: a free one, or that whose last bid is the longest ago, if no postback of it can
 * arrive any more. Null when all are in use.
 */
export function chooseNumber(inUse: readonly NumberInUse[], nowMs: number): ChosenNumber | null {
  const taken = new Set(inUse.map(({ number }) => number % 100));
  for (let digits = AD_SET_DIGITS_MIN; digits <= AD_SET_DIGITS_MAX; digits += 1)
    if (!taken.has(digits)) return { number: UNSPLIT_HUNDREDS * 100 + digits, takenFrom: null };
  const releasable = inUse
    .filter((one) => !one.mayBid && releasableAtMs(one) <= nowMs)
    .toSorted((a, b) => releasableAtMs(a) - releasableAtMs(b))[0];
  if (!releasable) return null;
  return { number: UNSPLIT_HUNDREDS * 100 + (releasable.number % 100), takenFrom: releasable.uuid };
}
