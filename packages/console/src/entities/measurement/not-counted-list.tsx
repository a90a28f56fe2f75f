import { Group, Stack, Text } from '@mantine/core';
import { formatNumber } from '../../lib/format/format.ts';
import { Muted } from '../../ui/layout/text.tsx';
import type { NotCounted } from './measurement-text.ts';

/** Why postbacks were not counted: the number, a sentence and the remedy of each reason. */
export function NotCountedList({ reasons }: { reasons: readonly NotCounted[] }) {
  return (
    <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {reasons.map(({ count, text, remedy }) => (
        <Group key={text} component="li" wrap="nowrap" align="flex-start" gap="md">
          <Text
            size="sm"
            fw={600}
            ta="right"
            miw={44}
            style={{ fontVariantNumeric: 'tabular-nums', flexShrink: 0 }}
          >
            {formatNumber(count)}
          </Text>
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm">{text}</Text>
            <Muted>{remedy}</Muted>
          </div>
        </Group>
      ))}
    </Stack>
  );
}
