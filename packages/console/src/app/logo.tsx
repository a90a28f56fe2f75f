import { Group, Text } from '@mantine/core';

/** The logo, with the name beside it unless `compact`. */
export function Logo({ compact = false }: { compact?: boolean }) {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/logo.svg" width={26} height={26} alt={compact ? 'Bidwell' : ''} />
      {!compact && (
        <Text fw={700} size="lg" lh={1}>
          Bidwell
        </Text>
      )}
    </Group>
  );
}
