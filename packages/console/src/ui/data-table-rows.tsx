import { ActionIcon, Box, Checkbox, Group, Skeleton, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useIsChanged } from '../lib/changed-rows.ts';
import type { Column } from './table-state.ts';
import { sortRows } from './table-state.ts';

/** Light enough for links to be read on it. */
const CHOSEN = 'light-dark(var(--mantine-color-accent-0), var(--mantine-primary-color-light))';

/** How rows hold other rows. */
export interface TableTree<Row> {
  /** Undefined where a row never holds any; empty where it holds none now. */
  childrenOf: (row: Row) => readonly Row[] | undefined;
  isOpen: (row: Row) => boolean;
  onToggle: (row: Row) => void;
}

export interface TableRowsProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowName: ((row: Row) => string) | undefined;
  sort: string | undefined;
  tree: TableTree<Row> | undefined;
  selected: readonly string[];
  onSelect: ((ids: string[]) => void) | undefined;
  isSelectable: (row: Row) => boolean;
  depth?: number;
}

/** The rows of a table and, where they are open, the rows that these hold. */
export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { rows, rowId, tree, depth = 0, columns, sort } = props;
  return rows.map((row) => {
    const children = tree?.childrenOf(row);
    const open = children !== undefined && tree!.isOpen(row);
    return [
      <OneRow
        key={rowId(row)}
        {...props}
        row={row}
        depth={depth}
        open={open}
        holds={children !== undefined}
      />,
      open && (
        <TableRows
          key={`${rowId(row)} holds`}
          {...props}
          rows={sortRows(children, columns, sort)}
          depth={depth + 1}
        />
      ),
    ];
  });
}

function OneRow<Row>({
  row,
  open,
  holds,
  ...props
}: TableRowsProps<Row> & { row: Row; open: boolean; holds: boolean; depth: number }) {
  const { columns, rowId, rowName, tree, selected, onSelect, isSelectable, depth } = props;
  const id = rowId(row);
  const name = rowName?.(row) ?? 'row';
  const chosen = selected.includes(id);
  const isChanged = useIsChanged(id);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <Table.Tr
      data-row={id}
      data-depth={depth}
      data-changed={isChanged || undefined}
      bg={chosen ? CHOSEN : undefined}
    >
      {onSelect && (
        <Table.Td>
          {isSelectable(row) && (
            <Checkbox
              size="xs"
              aria-label={`Select ${name}`}
              checked={chosen}
              onChange={() => onSelect(chosen ? selected.filter((other) => other !== id) : [...selected, id])}
            />
          )}
        </Table.Td>
      )}
      {columns.map((column, place) => (
        <Table.Td key={column.id} ta={column.numeric ? 'right' : undefined} w={column.width}>
          {tree && place === 0 ? (
            <Group gap={4} wrap="nowrap" align="flex-start" pl={depth * 20}>
              {holds ? (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  onClick={() => tree.onToggle(row)}
                  aria-expanded={open}
                  aria-label={`${open ? 'Close' : 'Open'} ${name}`}
                >
                  <Chevron size={15} />
                </ActionIcon>
              ) : (
                <Box w={22} style={{ flexShrink: 0 }} />
              )}
              <Box style={{ flexGrow: 1, minWidth: 0 }}>{column.cell(row)}</Box>
            </Group>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** The shape of rows while they load. */
export function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_cell, cell) => (
        <Table.Td key={cell}>
          <Skeleton height={14} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
