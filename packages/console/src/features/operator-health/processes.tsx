import type { OperatorHealth } from '@bidwell/contract/operator-health';
import { Badge, Group, Paper, Table, Text, Title } from '@mantine/core';
import { formatMoment } from '../../lib/format.ts';
import { bytesText } from './bytes-text.ts';

type Process = OperatorHealth['processes'][number];

/** The running processes with their roles, and what is wrong with each. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  const versions = new Set(processes.map(({ version }) => version));
  return (
    <Paper withBorder>
      <Group p="sm" justify="space-between">
        <Title order={2} size="h5">
          Processes
        </Title>
        {versions.size > 1 && (
          <Badge color="yellow" variant="light">
            {versions.size} versions
          </Badge>
        )}
      </Group>
      <Table.ScrollContainer minWidth={720} type="native">
        <Table verticalSpacing="xs" aria-label="Processes">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Process</Table.Th>
              <Table.Th>Roles</Table.Th>
              <Table.Th>Version</Table.Th>
              <Table.Th>Started</Table.Th>
              <Table.Th ta="right">Memory</Table.Th>
              <Table.Th>State</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {processes.map((process) => (
              <Row key={process.process} process={process} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Row({ process: { process, roles, version, started_at, state } }: { process: Process }) {
  const faults = [
    ...Object.entries(state.faults).map(([role, text]) => `${role}: ${text}`),
    ...state.degraded,
  ];
  return (
    <Table.Tr>
      <Table.Td>{process}</Table.Td>
      <Table.Td>{roles.join(', ')}</Table.Td>
      <Table.Td>{version}</Table.Td>
      <Table.Td>{formatMoment(started_at)}</Table.Td>
      <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {bytesText(state.memory_bytes)}
      </Table.Td>
      <Table.Td maw={360}>
        {faults.length === 0 ? (
          <Text size="sm">Works</Text>
        ) : (
          faults.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))
        )}
      </Table.Td>
    </Table.Tr>
  );
}
