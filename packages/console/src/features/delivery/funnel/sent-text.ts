import { formatNumber } from '../../../lib/format/format.ts';

/** Share of the bids with a notice that may lack in the bids sent, which are stored up to a minute later. */
const LAGGING_SHARE = 0.05;

/** The number of bids sent; '-' for ranges in which releases counted only the outcomes of bids. */
export function sentText(sent: number, decided: number): string {
  return sent < decided * (1 - LAGGING_SHARE) ? '-' : formatNumber(Math.max(sent, decided));
}

/** The number of bids won: exchanges that charge by the impression send no notices of wins. */
export const wonOf = ({ wins, impressions }: { wins: number; impressions: number }): number =>
  Math.max(wins, impressions);
