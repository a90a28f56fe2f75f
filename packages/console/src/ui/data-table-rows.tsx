import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { RowCheckbox } from './row-checkbox.tsx';
import { useIsChanged } from '../lib/changed-rows.ts';

import type { Column } from './table-state.ts';
import { sortRows } from './table-state.ts';
import classes from './data-table.module.css';

/** Nesting of rows. */
export interface TableTree<Row> {
  /** Undefined for a row that cannot have children; empty for one that has none now. */
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

/** Table rows, with the children of expanded rows. */
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
  // Plain elements instead of components: a page has hundreds of cells, and components would slow the render.
  return (
    <tr
      data-row={id}
      data-depth={depth}
      data-changed={isChanged || undefined}
      data-chosen={chosen || undefined}
    >
      {onSelect && (
        <td>
          {isSelectable(row) && (
            <RowCheckbox
              label={`Select ${name}`}
              checked={chosen}
              onChange={() => onSelect(chosen ? selected.filter((other) => other !== id) : [...selected, id])}
            />
          )}
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.id} data-numeric={column.numeric || undefined} style={{ width: column.width }}>
          {tree && place === 0 ? (
            <div className={classes['opener']} style={{ paddingInlineStart: depth * 20 }}>
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
                <span className={classes['leaf']} />
              )}
              <div>{column.cell(row)}</div>
            </div>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Placeholder rows while the data loads. */
export function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_cell, cell) => (
        <td key={cell}>
          <div className={classes['pending']} />
        </td>
      ))}
    </tr>
  ));
}
