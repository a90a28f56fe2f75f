import { SimpleGrid, type SimpleGridProps, Text } from '@mantine/core';
import { formatMoney } from '../../lib/format/format.ts';
import { Caption } from '../layout/text.tsx';
import { SkeletonBar } from './skeleton-bar.tsx';

interface SumTilesProps extends Omit<SimpleGridProps, 'children'> {
  /** Labels with dollars; undefined while they load. */
  sums: readonly (readonly [label: string, dollars: number | undefined])[];
}

/** Amounts of money side by side, each under its label. */
export function SumTiles({ sums, ...grid }: SumTilesProps) {
  return (
    <SimpleGrid spacing="sm" {...grid}>
      {sums.map(([label, dollars]) => (
        <div key={label} role="group" aria-label={label}>
          <Caption>{label}</Caption>
          <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {dollars === undefined ? <SkeletonBar width={72} /> : formatMoney(dollars)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
