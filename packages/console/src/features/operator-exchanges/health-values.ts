import type { ExchangeFigures, ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
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

/** Fewer shed requests in a minute than this are a short wait, unless requests are shed all the time. */
const SHED_MIN = 100;
/** A part of the requests that calls for more bidders. */
const SHED_PERCENT_MIN = 1;
/** Minutes and steps in a row with that part, after which few shed requests count too. */
const SHED_LONG_MINUTES = 5;
const SHED_LONG_STEPS = 2;

/**
 * The part of the requests of the last full minute or of the present one that was shed, in percent, where bidders are too few for the requests:
 * at least 1 % and 100 requests, or at least 1 % for the last five minutes; otherwise null.
 */
export function shedPercent({
  last_minute: last,
  series,
  step_minutes: step,
}: Pick<ExchangeHealth, 'last_minute' | 'series' | 'step_minutes'>): number | null {
  const present = step === 1 ? series.at(-1) : undefined;
  const [worst] = [last, ...(present ? [present] : [])]
    .filter((figures) => figures.shed >= SHED_MIN)
    .map(shedPercentOf)
    .sort((a, b) => b - a);
  if (worst !== undefined && worst >= SHED_PERCENT_MIN) return worst;
  const steps = Math.max(SHED_LONG_STEPS, Math.ceil(SHED_LONG_MINUTES / step));
  const recent = series.filter(({ complete }) => complete).slice(-steps);
  const isLong =
    recent.length === steps && recent.every((figures) => shedPercentOf(figures) >= SHED_PERCENT_MIN);
  const percent = shedPercentOf(last);
  return isLong && percent >= SHED_PERCENT_MIN ? percent : null;
}

function shedPercentOf({ shed, requests }: Pick<ExchangeFigures, 'shed' | 'requests'>): number {
  return requests === 0 ? 0 : (shed / requests) * 100;
}
