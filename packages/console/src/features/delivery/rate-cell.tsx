import type { Rate } from '@bidwell/contract/lib/rate';
import { formatNumber } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';

/** A rate with its interval beneath; '-' where it is not known. */
export function RateCell({ rate }: { rate: Rate | null }) {
  if (!rate) return '-';
  const { value, low, high } = rate;
  return (
    <>
      <div>{formatNumber(value, 2)}</div>
      <Caption component="div" style={{ whiteSpace: 'nowrap' }}>
        {formatNumber(low, 2)}–{formatNumber(high, 2)}
      </Caption>
    </>
  );
}
