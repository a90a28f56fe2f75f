import type { OperatorHealth } from '@bidwell/contract/operator-health';
import { Badge, Paper, Table, Text, Title } from '@mantine/core';
import { formatMoment } from '../../lib/format.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

const SHOWN = 50;
const colors = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

/** The last warnings and errors of all processes, newest first; failed jobs are named. */
export function Warnings({ processes }: { processes: OperatorHealth['processes'] }) {
  const warnings = processes
    .flatMap(({ process, state }) => state.warnings.map((warning) => ({ ...warning, process })))
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, SHOWN);
  return (
    <Paper withBorder>
      <Title order={2} size="h5" p="sm">
        Warnings and failed jobs
      </Title>
      {warnings.length === 0 ? (
        <EmptyState
          title="No warnings"
          text="No process has logged a warning or an error since it started."
        />
      ) : (
        <Table.ScrollContainer minWidth={640} type="native">
          <Table verticalSpacing="xs" aria-label="Warnings and failed jobs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                <Table.Th>Process</Table.Th>
                <Table.Th>Level</Table.Th>
                <Table.Th>What</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {warnings.map(({ process, at, level, job, message }, index) => (
                <Table.Tr key={`${process} ${at} ${index}`}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatMoment(at)}</Table.Td>
                  <Table.Td>{process}</Table.Td>
                  <Table.Td>
                    <Badge color={colors[level]} variant="light">
                      {level}
                    </Badge>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {job && <b>{job}: </b>}
                      {message}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
