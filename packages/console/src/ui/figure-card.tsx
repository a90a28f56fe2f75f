import { Card, Skeleton, Text } from '@mantine/core';
import { formatMoney } from '../lib/format.ts';

/** A card with one amount of dollars; a placeholder while it is undefined. */
export function FigureCard({ label, dollars }: { label: string; dollars: number | undefined }) {
  return (
    <Card withBorder p="md" role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {dollars === undefined ? (
        <Skeleton height={30} width={120} />
      ) : (
        <Text fz={24} fw={600} lh={1.3}>
          {formatMoney(dollars)}
        </Text>
      )}
    </Card>
  );
}
