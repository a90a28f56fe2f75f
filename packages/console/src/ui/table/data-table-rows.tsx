import { consoleMessages } from '@bidwell/contract/text/messages';
import { Text } from '@mantine/core';
import { RowCheckbox } from './row-checkbox.tsx';
import { useIsChanged } from '../../lib/live/changed-rows.ts';
import { ExpandButton } from './expand-button.tsx';
import { SkeletonBar } from '../chart/skeleton-bar.tsx';
import { type Column, type TableState, sortRows } from './table-state.ts';
import classes from './data-table.module.css';

const SKELETON_ROWS = 6;

/** Nesting of rows. */
export interface TableTree<Row> {
  /** Undefined for a row that cannot have children; empty for one that has none now. */
  childrenOf: (row: Row) => readonly Row[] | undefined;
  isOpen: (row: Row) => boolean;
  onToggle: (row: Row) => void;
}

interface TableRowsProps<Row> {
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
function TableRows<Row>(props: TableRowsProps<Row>) {
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
        hasChildren={children !== undefined}
      />,
      open && (
        <TableRows
          key={`${rowId(row)} children`}
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
  hasChildren,
  ...props
}: TableRowsProps<Row> & { row: Row; open: boolean; hasChildren: boolean; depth: number }) {
  const { columns, rowId, rowName, tree, selected, onSelect, isSelectable, depth } = props;
  const id = rowId(row);
  const name = rowName?.(row) ?? 'row';
  const isSelected = selected.includes(id);
  const isChanged = useIsChanged(id);
  // Plain elements instead of components: a page has hundreds of cells, and components would slow the render.
  return (
    <tr
      data-row={id}
      data-depth={depth}
      data-changed={isChanged || undefined}
      data-selected={isSelected || undefined}
    >
      {onSelect && (
        <td className={classes['choice']}>
          {isSelectable(row) && (
            <RowCheckbox
              label={`Select ${name}`}
              checked={isSelected}
              onChange={() =>
                onSelect(isSelected ? selected.filter((other) => other !== id) : [...selected, id])
              }
            />
          )}
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          data-numeric={column.numeric || undefined}
          data-actions={column.actions || undefined}
          data-figure={column.figure || undefined}
          data-line={column.line}
          data-label={index === 0 || column.actions ? undefined : column.header}
          data-wide={column.width === undefined ? undefined : true}
          style={{ width: column.width }}
        >
          {tree && index === 0 ? (
            <div className={classes['tree-cell']} style={{ paddingInlineStart: depth * 20 }}>
              {hasChildren ? (
                <ExpandButton name={name} open={open} onClick={() => tree.onToggle(row)} />
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

interface BodyRowsProps<Row> extends Omit<TableRowsProps<Row>, 'rows'> {
  /** Undefined while they load and after a failure. */
  rows: readonly Row[] | undefined;
  isFailed: boolean;
  /** Height of a usual row, in pixels, for those that stand in. */
  rowHeight: number | undefined;
}

/** The rows of a table, or their placeholder while they load, or the error after a failure. */
export function BodyRows<Row>({ rows, isFailed, rowHeight, ...props }: BodyRowsProps<Row>) {
  const { columns, onSelect } = props;
  const hasCheckboxes = onSelect !== undefined;
  if (rows) return <TableRows {...props} rows={rows} />;
  if (isFailed) return <UnknownRow columns={columns.length + (hasCheckboxes ? 1 : 0)} />;
  return <SkeletonRows columns={columns} hasCheckboxes={hasCheckboxes} height={rowHeight} />;
}

interface SkeletonRowsProps<Row> {
  columns: readonly Column<Row>[];
  hasCheckboxes: boolean;
  /** Height of a usual row, in pixels. */
  height: number | undefined;
}

/** Rows of a table whose data loads, of the usual height. */
function SkeletonRows<Row>({ columns, hasCheckboxes, height }: SkeletonRowsProps<Row>) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <tr key={row} style={{ height }} data-skeleton="row">
      {hasCheckboxes && <td className={classes['choice']} />}
      {columns.map(({ id, header, numeric, actions, figure, line, width }, index) => (
        <td
          key={id}
          data-numeric={numeric || undefined}
          data-figure={figure || undefined}
          data-line={line}
          data-label={index === 0 || actions ? undefined : header}
          data-wide={width === undefined ? undefined : true}
          style={{ width }}
        >
          {!actions && <SkeletonBar width={numeric ? 48 : index === 0 ? 140 : 88} />}
        </td>
      ))}
    </tr>
  ));
}

/** In place of the rows that could not be loaded. */
function UnknownRow({ columns }: { columns: number }) {
  return (
    <tr>
      {Array.from({ length: columns }, (_cell, cell) => (
        <td key={cell}>–</td>
      ))}
    </tr>
  );
}

/** The row of a table without matches: says whether the search, a filter or the archive hides all rows. */
export function NoRowsMatch({ state, columns }: { state: TableState; columns: number }) {
  return (
    <tr>
      <td colSpan={columns}>
        <Text c="dimmed" ta="center" py="lg">
          {noMatchText(state)}
        </Text>
      </td>
    </tr>
  );
}

function noMatchText({ q, archived, status, app }: TableState): string {
  if (q) return consoleMessages.nothingMatches(q);
  if (status !== undefined || app !== undefined) return consoleMessages.filtersMatchNothing;
  return archived ? 'No archived items.' : 'All items are archived.';
}

interface TotalsRowProps<Row> {
  columns: readonly Column<Row>[];
  /** The rows on all pages; undefined while they are not known. */
  matching: readonly Row[] | undefined;
  hasCheckboxes: boolean;
}

/** The totals below the rows. */
export function TotalsRow<Row>({ columns, matching, hasCheckboxes }: TotalsRowProps<Row>) {
  return (
    <tfoot>
      <tr>
        {hasCheckboxes && <td />}
        {columns.map(({ id, header, numeric, figure, actions, line, footer }, index) => (
          <th
            key={id}
            data-numeric={numeric || undefined}
            data-actions={actions || undefined}
            data-figure={figure || undefined}
            data-line={line}
            data-label={index === 0 || footer === undefined ? undefined : header}
          >
            {typeof footer !== 'function' ? footer : matching ? footer(matching) : <SkeletonBar width={48} />}
          </th>
        ))}
      </tr>
    </tfoot>
  );
}
