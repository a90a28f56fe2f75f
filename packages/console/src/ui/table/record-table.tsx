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
  /** Below this width it scrolls sideways, px; without it, never. */
  minWidth?: number;
  /** Above this height it scrolls, with its head in place, px; for tables with `minWidth`. */
  maxHeight?: number;
  /** Vertical padding of the cells, px. */
  verticalSpacing?: number;
  /** The row of sums at the end. */
  foot?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** A plain table of records with tabular figures, without sorting and paging. */
export function RecordTable(props: RecordTableProps) {
  const { label, columns, minWidth, maxHeight, verticalSpacing, foot, children } = props;
  const table = (
    <Table
      fz="sm"
      aria-label={label}
      stickyHeader={maxHeight !== undefined}
      style={{ fontVariantNumeric: 'tabular-nums' }}
      {...(verticalSpacing !== undefined && { verticalSpacing })}
    >
      <RecordHead columns={columns} />
      <Table.Tbody>{children}</Table.Tbody>
      {foot !== undefined && <Table.Tfoot>{foot}</Table.Tfoot>}
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      {...(maxHeight !== undefined && { maxHeight, tabIndex: 0 })}
    >
      {table}
    </Table.ScrollContainer>
  );
}

/** The headings of a plain table. */
export function RecordHead({ columns }: { columns: readonly RecordColumn[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ heading, right = false }) => (
          <Table.Th key={heading} {...(right && { ta: 'right' })}>
            {heading}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
