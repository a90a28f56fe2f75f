import type { BidOutcome, LoggedAppEvent, LoggedBid } from '@bidwell/contract/bid-log/schema';
import { formatMoment, formatMoney, formatNumber } from '../../../lib/format/format.ts';

/** Outcomes of bids as they are named on the screen. */
export const OUTCOME_NAMES: Readonly<Record<BidOutcome, string>> = {
  won: 'Won',
  lost: 'Lost',
  no_notice: 'No notice',
};

/** An instant to the second in the reader's time zone. */
export function formatSecond(iso: string): string {
  return `${formatMoment(iso)}:${String(new Date(iso).getSeconds()).padStart(2, '0')}`;
}

/**
 * A detail of the outcome of a bid: why it was lost, the lowest price that would have won, or how many bids it represents; null if there is
 * none.
 */
export function outcomeDetail({
  outcome,
  loss_code: code,
  loss_reason: reason,
  min_to_win_cpm: price,
  weight,
}: LoggedBid): string | null {
  if (code !== null && reason !== null)
    return [
      code === 0 ? reason : `${reason} (${code})`,
      price !== null && `${formatMoney(price)} would have won`,
    ]
      .filter(Boolean)
      .join(', ');
  if (outcome === 'won' && price !== null) return `${formatMoney(price)} would have won`;
  return outcome === 'no_notice' && weight > 1 ? `Stands for ${formatNumber(weight)} bids` : null;
}

/** The charge of one impression, in dollars, as the price of a thousand, like the bids next to it. */
export const chargedCpm = (dollars: number): string => formatMoney(dollars * 1000);

/** Events in the app of one name with their revenue, where it is known. */
function appEventText({ name, count, revenue }: LoggedAppEvent): string {
  const times = count > 1 ? ` ×${formatNumber(count)}` : '';
  return `${name}${times}${revenue === null ? '' : ` ${formatMoney(revenue)}`}`;
}

/** The events that followed a bid, in their order. */
export function eventsText(bid: LoggedBid): string {
  const events = [
    bid.impression_at !== null && 'Shown',
    bid.clicks > 0 && 'Click',
    bid.installs > 0 && 'Install',
    bid.installs < 0 && 'Install rejected',
    bid.invalid === 'bot' && 'Click of a bot',
    bid.invalid === 'datacenter' && 'Click from a data center',
    bid.test && 'Test',
    ...bid.app_events.map(appEventText),
  ].filter((event) => event !== false);
  return events.length > 0 ? events.join(', ') : '-';
}

/** The format of a creative, with its size where it has one. */
export function formatText({ creative_type: type, width, height }: LoggedBid): string {
  return width > 0 && height > 0 ? `${type} ${width}×${height}` : type;
}
