import {
  AD_SET_DIGITS_MAX,
  AD_SET_DIGITS_MIN,
  RESERVED_NUMBERS,
  SOURCE_IDENTIFIER_DAYS,
  UNSPLIT_HUNDREDS,
} from '@bidwell/contract/skadnetwork/source-identifiers';

const DAY_MS = 86_400_000;
/** Bidders store the times of their last bids a few minutes late at most. */
const LATENESS_MS = DAY_MS;

/** A number that is in use. */
export interface NumberInUse {
  uuid: string;
  companyId: string;
  number: number;
  allocatedAt: Date;
  lastBidAt: Date | null;
  /** Whether its ad set can be bid for: a number of such is never taken away. */
  mayBid: boolean;
}

/** A number for an ad set, and the row that it is taken from; null where it was free. */
export interface ChosenNumber {
  number: number;
  takenFrom: NumberInUse | null;
}

/**
 * When a number may be given to another ad set, unless its own bids again before, Unix ms. One that was never bid with is in no
 * postback.
 */
export function releasableAtMs({
  allocatedAt,
  lastBidAt,
}: Pick<NumberInUse, 'allocatedAt' | 'lastBidAt'>): number {
  if (lastBidAt === null) return allocatedAt.getTime() + LATENESS_MS;
  return lastBidAt.getTime() + SOURCE_IDENTIFIER_DAYS * DAY_MS + LATENESS_MS;
}

/**
 * The number for one more ad set of an app in the store: a free one, or that whose last bid is the longest ago, if no postback of it can
 * arrive any more. Null when all are in use, and for a company with {@link RESERVED_NUMBERS} or more when no more than those are left.
 */
export function chooseNumber(
  companyId: string,
  inUse: readonly NumberInUse[],
  nowMs: number,
): ChosenNumber | null {
  const taken = new Set(inUse.map(({ number }) => number % 100));
  const free: number[] = [];
  for (let digits = AD_SET_DIGITS_MIN; digits <= AD_SET_DIGITS_MAX; digits += 1)
    if (!taken.has(digits)) free.push(digits);
  const releasable = inUse
    .filter((one) => !one.mayBid && releasableAtMs(one) <= nowMs)
    .toSorted((a, b) => releasableAtMs(a) - releasableAtMs(b));
  const held = inUse.filter((one) => one.companyId === companyId && !releasable.includes(one)).length;
  const left = free.length + releasable.length;
  if (held >= RESERVED_NUMBERS && left <= RESERVED_NUMBERS) return null;
  const takenFrom = free.length > 0 ? null : (releasable[0] ?? null);
  const digits = free[0] ?? takenFrom?.number;
  return digits === undefined ? null : { number: UNSPLIT_HUNDREDS * 100 + (digits % 100), takenFrom };
}
