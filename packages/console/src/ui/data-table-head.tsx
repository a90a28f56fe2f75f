import { Checkbox, Group, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { Column } from './table-state.ts';
import { nextSort } from './table-state.ts';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Ids of the rows of this page that can be chosen. */
  ids: readonly string[];
  selected: readonly string[];
  onSelect: ((ids: string[]) => void) | undefined;
}

/** The heads of the columns, and the checkbox of the whole page. */
export function TableHead<Row>({ columns, sort, onSort, ids, selected, onSelect }: TableHeadProps<Row>) {
  const chosen = ids.filter((id) => selected.includes(id));
  const all = ids.length > 0 && chosen.length === ids.length;
  return (
    <Table.Thead>
      <Table.Tr>
        {onSelect && (
          <Table.Th w={36}>
            <Checkbox
              size="xs"
              aria-label="Select all rows of this page"
              checked={all}
              indeterminate={chosen.length > 0 && !all}
              onChange={() =>
                onSelect(
                  all ? selected.filter((id) => !ids.includes(id)) : [...new Set([...selected, ...ids])],
                )
              }
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const order = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[order];
  const align = column.numeric ? 'flex-end' : 'flex-start';
  if (!column.sortBy) {
    return (
      <Table.Th ta={column.numeric ? 'right' : undefined}>
        {column.headerHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </Table.Th>
    );
  }
  return (
    <Table.Th aria-sort={order}>
      <UnstyledButton w="100%" onClick={() => onSort(nextSort(sort, column.id))}>
        <Group gap={4} wrap="nowrap" justify={align}>
          <Text size="sm" fw={600}>
            {column.header}
          </Text>
          <Icon size={13} opacity={order === 'none' ? 0.35 : 1} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
