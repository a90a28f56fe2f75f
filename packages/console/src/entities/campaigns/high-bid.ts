import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { median } from '@bidwell/contract/lib/statistics';
import { formatMoney } from '../../lib/format/format.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { adsetsQuery } from './adset-queries.ts';
import { highlightsQuery } from '../reports/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** Prices that ad sets name: per thousand impressions and per install. */
export type BidKind = 'bet_cpm' | 'bet_cpi';

/** Dollars that the account usually pays; null if nothing is known yet. */
export type UsualBids = Readonly<Record<BidKind, number | null>>;

/** A bid that is more than this many times the usual price is probably a slip of the comma. */
const FACTOR = 3;
const DAYS = 30;

/**
 * The usual price of each kind: the average price of the last 30 days, or the median of the account's bids if
 * that is higher. Nulls if the figures cannot be loaded, since they are only for a question.
 */
export async function loadUsualBids(): Promise<UsualBids> {
  try {
    const user = await queryClient.fetchQuery(accountQuery);
    const end = dateAt(Date.now(), user.company.time_zone);
    const [paid, adsets] = await Promise.all([
      queryClient.fetchQuery(highlightsQuery({ start: addDays(end, 1 - DAYS), end }, 'month')),
      queryClient.fetchQuery(adsetsQuery),
    ]);
    const current = adsets.filter(({ archived_at: archivedAt }) => archivedAt === null);
    return {
      bet_cpm: higher(paid.cpm.total, median(current.map(({ bet_cpm: dollars }) => dollars))),
      bet_cpi: higher(paid.cpi.total, median(current.flatMap(({ bet_cpi: dollars }) => dollars ?? []))),
    };
  } catch {
    return { bet_cpm: null, bet_cpi: null };
  }
}

/** A bid that is more than this many times the one before is asked about. */
const RAISE = 1.5;

/** Whether a new bid, in dollars, is more than 50 % above the one before. Pure. */
export function isLargeRaise(after: number | null | undefined, before: number | null | undefined): boolean {
  // A cent may be lost to binary fractions.
  return Boolean(before) && (after ?? 0) > before! * RAISE + 0.001;
}

/** Says how much a bid of an ad set rises; dollars. Pure. */
export function raiseText(
  kind: BidKind,
  of: string,
  { before, after }: { before: number; after: number },
): string {
  const percent = Math.round((after / before - 1) * 100);
  return `The ${names[kind]} of “${of}” rises by ${percent}%, from ${formatMoney(before)} to ${formatMoney(after)}.`;
}

/** Whether a bid, in dollars, is far above the usual price. Pure. */
export function isFarAbove(dollars: number | null | undefined, usual: number | null): boolean {
  return usual !== null && usual > 0 && (dollars ?? 0) > usual * FACTOR;
}

/** Names of the prices in a sentence. */
const names = { bet_cpm: 'CPM bid', bet_cpi: 'target CPI' } as const;

/** Says that a bid is far above the usual price; dollars. Pure. */
export const farAboveText = (kind: BidKind, dollars: number, usual: number): string =>
  `A ${names[kind]} of ${formatMoney(dollars)} is more than ${FACTOR} times what this account usually pays, ${formatMoney(usual)}.`;

const higher = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
