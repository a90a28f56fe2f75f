import { Group, Text } from '@mantine/core';
import { summaryNames } from './group-values.ts';

type Lists = Record<(typeof summaryNames)[number][1], readonly unknown[]>;

/** Number of creatives of each type in a group. */
export function CountsSummary({ group }: { group: Lists }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {summaryNames.map(([label, list]) => {
        const count = group[list].length;
        return (
          <Text key={list} size="sm" c={count === 0 ? 'dimmed' : undefined} style={{ whiteSpace: 'nowrap' }}>
            {label} <b>{count}</b>
          </Text>
        );
      })}
    </Group>
  );
}
