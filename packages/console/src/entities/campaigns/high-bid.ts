import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { highestProduct } from '@bidwell/contract/adsets/multipliers';
import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { median } from '@bidwell/contract/lib/statistics';
import { formatMoney } from '../../lib/format/format.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { adsetsQuery } from './adset-queries.ts';
import { highestPrice } from './highest-price.ts';
import { highlightsQuery } from '../reports/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** Prices that ad sets name: per thousand impressions and per install. */
export type BidKind = 'bet_cpm' | 'bet_cpi';
const KINDS: readonly BidKind[] = ['bet_cpm', 'bet_cpi'];

/** What decides how high an ad set bids: its own bids, in dollars, and what takes their place or multiplies them. */
export type BidSettings = Partial<
  Record<BidKind, number | null> & Pick<AdsetSummary, 'countries' | 'bid_multipliers'>
>;

/** Bids that are about to be saved. */
export interface NewBids {
  /** Name of the ad set. */
  of: string;
  /** The settings that change. */
  bids: BidSettings;
  /** The saved settings; null for a new ad set. */
  before: BidSettings | null;
}

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

const higher = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** A bid that is about to be saved, in dollars. */
interface NewBid {
  kind: BidKind;
  of: string;
  before: number | null;
  after: number;
  /** Whether it is the highest that countries and multipliers allow, not the ad set's own. */
  isHighest: boolean;
}

/**
 * Says which bids are more than 50 % above those before, and which are far above what the account usually pays: the ad sets' own
 * bids, and where countries or multipliers change the highest bids that these allow. A few raises are named, and the highest bid. Pure.
 */
export function highBidTexts(all: readonly NewBids[], usual: UsualBids): string[] {
  return KINDS.flatMap((kind) => {
    const bids = all.flatMap((one) => newBidsOf(one, kind));
    return [...raiseTexts(bids), ...farAboveTexts(bids, usual[kind])];
  });
}

/** Whether any bid could be asked about, for which the usual prices are needed. Pure. */
export const hasNewBids = (all: readonly NewBids[]): boolean =>
  all.some((one) => KINDS.some((kind) => newBidsOf(one, kind).length > 0));

function newBidsOf({ of, bids, before }: NewBids, kind: BidKind): NewBid[] {
  const own = bids[kind];
  const found: NewBid[] = own
    ? [{ kind, of, before: before?.[kind] ?? null, after: own, isHighest: false }]
    : [];
  if (!bids.countries && !bids.bid_multipliers) return found;
  const after = highestBid({ ...before, ...bids }, kind);
  const highestBefore = before && highestBid(before, kind);
  if (after === null || after === own || after <= (highestBefore ?? 0)) return found;
  return [...found, { kind, of, before: highestBefore, after, isHighest: true }];
}

/** The most that an ad set can bid by its own bid, its bids by country and its multipliers; null without a bid. */
function highestBid(
  { countries = [], bid_multipliers: multipliers = [], ...own }: BidSettings,
  kind: BidKind,
) {
  if (kind === 'bet_cpm' && own.bet_cpm)
    return highestPrice({ countries, bid_multipliers: multipliers }, own.bet_cpm);
  const bids = [own[kind], ...countries.map((country) => country[kind])].flatMap((dollars) => dollars ?? []);
  return bids.length > 0 ? Math.max(...bids) * highestProduct(multipliers) : null;
}

/** A bid that is more than this many times the one before is asked about. */
const RAISE = 1.5;

/** Raises that are named one by one. */
const RAISES_NAMED = 3;

function raiseTexts(bids: readonly NewBid[]): string[] {
  const raises = bids.flatMap((bid) => {
    const { before, after } = bid;
    // A cent may be lost to binary fractions.
    return before && after > before * RAISE + 0.001 ? [{ ...bid, before, times: after / before }] : [];
  });
  const largest = raises.toSorted((a, b) => b.times - a.times);
  const others = raises.length - RAISES_NAMED;
  return [
    ...largest
      .slice(0, RAISES_NAMED)
      .map(
        ({ before, after, times, ...bid }) =>
          `${bidName(bid)} rises by ${Math.round((times - 1) * 100)}%, from ${formatMoney(before)} to ${formatMoney(after)}.`,
      ),
    ...(others > 0 ? [`${others} more rise by more than 50%.`] : []),
  ];
}

function farAboveTexts(bids: readonly NewBid[], usual: number | null): string[] {
  const [highest] = bids.toSorted((a, b) => b.after - a.after);
  if (!highest || !usual || highest.after <= usual * FACTOR) return [];
  const { kind, after, isHighest } = highest;
  const subject = isHighest
    ? `${bidName(highest)} is ${formatMoney(after)},`
    : `A ${names[kind]} of ${formatMoney(after)} is`;
  return [`${subject} more than ${FACTOR} times what this account usually pays, ${formatMoney(usual)}.`];
}

/** Names of the prices in a sentence. */
const names = { bet_cpm: 'CPM bid', bet_cpi: 'target CPI' } as const;

const bidName = ({ kind, of, isHighest }: Pick<NewBid, 'kind' | 'of' | 'isHighest'>): string =>
  isHighest
    ? `With its bids by country and multipliers, the highest ${names[kind]} of “${of}”`
    : `The ${names[kind]} of “${of}”`;
