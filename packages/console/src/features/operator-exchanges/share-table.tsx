import { Box, Progress, Table } from '@mantine/core';
import { formatNumber, formatPercent } from '../../lib/format/format.ts';
import { Muted } from '../../ui/layout/muted.tsx';

interface ShareTableProps {
  label: string;
  /** Heads of the columns with the names and with the counts. */
  heads: { name: string; count: string };
  rows: readonly { key: string; name: string; count: number }[];
  /** Shown in place of an empty table. */
  empty: string;
}

/** Counts with their share of all, as a bar too. */
export function ShareTable({ label, heads, rows, empty }: ShareTableProps) {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.length === 0)
    return (
      <Muted p="md" pt={0}>
        {empty}
      </Muted>
    );
  return (
    <Table verticalSpacing={6} horizontalSpacing="md" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{heads.name}</Table.Th>
          <Table.Th ta="right">{heads.count}</Table.Th>
          <Table.Th ta="right" w="30%">
            Share
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, name, count }) => (
          <Table.Tr key={key}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            <Table.Td ta="right">
              {formatPercent((count / total) * 100)}
              <Box aria-hidden mt={2}>
                <Progress value={(count / total) * 100} size={4} />
              </Box>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
