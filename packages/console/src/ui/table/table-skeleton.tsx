import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RecordColumn, RecordHead } from './record-table.tsx';
import { SkeletonBar } from '../chart/skeleton-bar.tsx';

interface TableSkeletonProps {
  columns: readonly RecordColumn[];
  rows?: number;
  /** Vertical padding of the cells, as that of the table. */
  verticalSpacing?: number | 'xs';
  /** First cell of a row of sums at the end; without it there is none. */
  foot?: ReactNode;
}

/** In place of a plain table while it loads: its head, and rows of its height. */
export function TableSkeleton({ columns, rows = 6, verticalSpacing = 7, foot }: TableSkeletonProps) {
  const cells = columns.map(({ heading, right = false }, index) => (
    <Table.Td key={heading} {...(right && { ta: 'right' })}>
      <SkeletonBar width={right ? 56 : index === 0 ? 120 : 200} />
    </Table.Td>
  ));
  return (
    <Table fz="sm" verticalSpacing={verticalSpacing} data-skeleton="table" aria-hidden>
      <RecordHead columns={columns} />
      <Table.Tbody>
        {Array.from({ length: rows }, (_, row) => (
          <Table.Tr key={row}>{cells}</Table.Tr>
        ))}
      </Table.Tbody>
      {foot !== undefined && (
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{foot}</Table.Th>
            {cells.slice(1)}
          </Table.Tr>
        </Table.Tfoot>
      )}
    </Table>
  );
}
