import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A column: its heading, and whether it is aligned to the right as numbers are. */
export interface RecordColumn {
  heading: string;
  right?: boolean;
}

interface RecordTableProps {
  /** Accessible name. */
  label: string;
  columns: readonly RecordColumn[];
  /** Below this width it scrolls sideways, px. */
  minWidth: number;
  /** Above this height it scrolls, with its head in place, px. */
  maxHeight?: number;
  /** The rows. */
  children: ReactNode;
}

/** A plain table of records with tabular figures, without sorting and paging. */
export function RecordTable({ label, columns, minWidth, maxHeight, children }: RecordTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      {...(maxHeight !== undefined && { maxHeight, tabIndex: 0 })}
    >
      <Table
        fz="sm"
        aria-label={label}
        stickyHeader={maxHeight !== undefined}
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ heading, right = false }) => (
              <Table.Th key={heading} {...(right && { ta: 'right' })}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
