import type { LoggedBid } from '@bidwell/contract/bid-log/schema';
import { formatMoney } from '../../../lib/format/format.ts';
import { Caption, LongText } from '../../../ui/layout/text.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import {
  OUTCOME_NAMES,
  chargedCpm,
  eventsText,
  formatSecond,
  formatText,
  outcomeDetail,
} from './bid-text.ts';

/** Columns of the log of bids. */
export const bidColumns: readonly Column<LoggedBid>[] = [
  { id: 'time', header: 'Time', fixed: true, cell: ({ bid_at: at }) => formatSecond(at) },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: (bid) => <TwoLines first={OUTCOME_NAMES[bid.outcome]} second={outcomeDetail(bid)} />,
  },
  {
    id: 'creative',
    header: 'Creative',
    cell: (bid) => (
      <TwoLines first={bid.creative || bid.creative_uuid} second={`${bid.adset} · ${formatText(bid)}`} />
    ),
  },
  {
    id: 'place',
    header: 'Where',
    cell: ({ exchange, exchange_name: name, bundle, country }) => (
      <TwoLines first={bundle || '-'} second={[name || exchange, country].filter(Boolean).join(' · ')} />
    ),
  },
  numberColumn('bid', 'Bid CPM, $', ({ bid_cpm: cpm }) => cpm, formatMoney),
  {
    id: 'charge',
    header: 'Charged CPM, $',
    numeric: true,
    // Most exchanges charge for the impression, which may still come.
    cell: (bid) => (isCharged(bid) ? chargedCpm(bid.charge) : '-'),
  },
  { id: 'events', header: 'Events', cell: eventsText },
];

function isCharged({ charge, outcome, impression_at: shownAt }: LoggedBid): boolean {
  return outcome === 'won' && (charge > 0 || shownAt !== null);
}

function TwoLines({ first, second }: { first: string; second: string | null }) {
  return (
    <>
      <LongText>{first}</LongText>
      {second && <Caption style={{ overflowWrap: 'anywhere' }}>{second}</Caption>}
    </>
  );
}
