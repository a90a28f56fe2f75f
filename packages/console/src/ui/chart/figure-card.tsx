import { Card, Skeleton, Text } from '@mantine/core';
import { type Unknown, isUnknown } from '../../lib/loadable.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { Muted } from '../layout/text.tsx';

/** A card with one amount of dollars: a placeholder while it loads, a dash where it could not be loaded. */
export function FigureCard({ label, dollars }: { label: string; dollars: number | Unknown }) {
  return (
    <Card withBorder p={{ base: 'sm', sm: 'md' }} role="group" aria-label={label}>
      <Muted>{label}</Muted>
      {dollars === 'loading' ? (
        <Skeleton height={30} width={120} />
      ) : (
        <Text fz={{ base: 20, sm: 24 }} fw={600} lh="30px" data-figure>
          {isUnknown(dollars) ? '–' : formatMoney(dollars)}
        </Text>
      )}
    </Card>
  );
}
