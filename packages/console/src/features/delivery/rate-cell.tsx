import type { Rate } from '@bidwell/contract/lib/rate';
import { Text } from '@mantine/core';
import { formatNumber } from '../../lib/format/format.ts';

/** A rate with its interval beneath; '-' where it is not known. */
export function RateCell({ rate }: { rate: Rate | null }) {
  if (!rate) return '-';
  const { value, low, high } = rate;
  return (
    <>
      <div>{formatNumber(value, 2)}</div>
      <Text size="xs" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
        {formatNumber(low, 2)}–{formatNumber(high, 2)}
      </Text>
    </>
  );
}
