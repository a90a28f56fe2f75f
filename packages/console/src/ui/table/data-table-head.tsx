import { Checkbox, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import classes from './data-table.module.css';
import { LazyTooltip } from '../layout/lazy-tooltip.tsx';
import { type Column, nextSort, sortOrder } from './table-state.ts';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  /** Without it no column can be sorted. */
  onSort: ((sort: string | undefined) => void) | undefined;
  /** Ids of the selectable rows of this page. */
  ids: readonly string[];
  selected: readonly string[];
  onSelect: ((ids: string[]) => void) | undefined;
}

/** Column headers, and the checkbox that selects the whole page. */
export function TableHead<Row>({ columns, sort, onSort, ids, selected, onSelect }: TableHeadProps<Row>) {
  const selectedHere = ids.filter((id) => selected.includes(id));
  const all = ids.length > 0 && selectedHere.length === ids.length;
  return (
    <thead>
      <tr>
        {onSelect && (
          <th className={classes['checkbox']}>
            <Checkbox
              size="xs"
              aria-label="Select all rows of this page"
              disabled={ids.length === 0}
              checked={all}
              indeterminate={selectedHere.length > 0 && !all}
              onChange={() =>
                onSelect(
                  all ? selected.filter((id) => !ids.includes(id)) : [...new Set([...selected, ...ids])],
                )
              }
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellProps<Row> extends Pick<TableHeadProps<Row>, 'sort' | 'onSort'> {
  column: Column<Row>;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const order = sortOrder(sort, column.id);
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[order];
  if (!column.sortBy || !onSort) {
    return (
      <th data-numeric={column.numeric || undefined} data-actions={column.actions || undefined}>
        {column.actions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </th>
    );
  }
  const button = (
    <button type="button" onClick={() => onSort(nextSort(sort, column))}>
      {column.header}
      <Icon size={13} opacity={order === 'none' ? 0.35 : 1} aria-hidden />
    </button>
  );
  return (
    <th aria-sort={order} data-numeric={column.numeric || undefined}>
      {column.about === undefined ? (
        button
      ) : (
        <LazyTooltip label={column.about} multiline maw={300}>
          {button}
        </LazyTooltip>
      )}
    </th>
  );
}
