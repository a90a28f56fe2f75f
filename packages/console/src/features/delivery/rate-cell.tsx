import type { Rate } from '@bidwell/contract/rate';
import { Text } from '@mantine/core';
import { formatNumber } from '../../lib/format.ts';

/** A rate with its interval beneath; '-' where it is not known. */
export function RateCell({ rate, decimals = 2 }: { rate: Rate | null; decimals?: number }) {
  if (!rate) return '-';
  const { value, low, high } = rate;
  return (
    <>
      <div>{formatNumber(value, decimals)}</div>
      <Text size="xs" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
        {formatNumber(low, decimals)}–{formatNumber(high, decimals)}
      </Text>
    </>
  );
}
