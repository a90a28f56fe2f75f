import type { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { formatNumber } from '../../lib/format/format.ts';

/** Bids that were charged without a win notice, as a figure with its note; of an exchange that sends none it says nothing. */
export function withoutWin({
  total,
  charged_without_win: silent,
}: Pick<ExchangeHealth, 'total' | 'charged_without_win'>): { value: string; note: string } {
  if (total.wins === 0 && total.charged > 0)
    return {
      value: '-',
      note: 'No win notice came at all: an exchange that charges by the impression may send none.',
    };
  if (silent === null) return { value: '-', note: 'The event database does not answer.' };
  return { value: formatNumber(silent), note: 'Bids whose win notice never came' };
}
