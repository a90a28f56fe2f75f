import { Button } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { RowCheckbox } from './row-checkbox.tsx';
import { useIsChanged } from '../../lib/live/changed-rows.ts';
import { ExpandButton } from './expand-button.tsx';
import { SkeletonBar } from '../chart/skeleton-bar.tsx';
import { UnknownFigure } from '../chart/unknown-figure.tsx';
import type { Column } from './table-state.ts';
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
  /** Name of a row in the labels of its checkbox and its expand button. */
  rowName?: ((row: Row) => string) | undefined;
  tree?: TableTree<Row> | undefined;
  /** Sorts the children of a row; they stay in their order without it. */
  sorted?: ((children: readonly Row[]) => readonly Row[]) | undefined;
  /** Siblings shown before a click on more; all without it. */
  siblingsMax?: number | undefined;
  /** Ids of selected rows; with `onSelect` every selectable row gets a checkbox. */
  selected?: readonly string[] | undefined;
  onSelect?: ((ids: string[]) => void) | undefined;
  /** Which rows can be selected; all by default. */
  isSelectable?: ((row: Row) => boolean) | undefined;
  depth?: number;
}

/** Table rows, with the children of expanded rows. */
function TableRows<Row>(props: TableRowsProps<Row>) {
  const { columns, rows, rowId, tree, sorted, siblingsMax = Infinity, onSelect, depth = 0 } = props;
  const [more, setMore] = useState(0);
  const shown = siblingsMax + more;
  const rest = rows.length - shown;
  return (
    <>
      {rows.slice(0, shown).map((row) => {
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
              rows={sorted ? sorted(children) : children}
              depth={depth + 1}
            />
          ),
        ];
      })}
      {rest > 0 && (
        <tr>
          <td colSpan={columns.length + (onSelect ? 1 : 0)}>
            <div className={classes['tree-cell']} style={depthStyle(depth)}>
              {tree && <span className={classes['leaf']} />}
              <Button variant="subtle" size="compact-sm" onClick={() => setMore(more + siblingsMax)}>
                Show {Math.min(rest, siblingsMax)} more of {rows.length}
              </Button>
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** What the style sheet knows of a cell. */
const cellData = <Row,>({ header, numeric, actions, figure, line }: Column<Row>, index: number) => ({
  'data-numeric': numeric || undefined,
  'data-figure': figure || undefined,
  'data-line': line,
  'data-label': index === 0 || actions ? undefined : header,
});

const depthStyle = (depth: number) => ({ '--depth': depth }) as CSSProperties;

function OneRow<Row>({
  row,
  open,
  hasChildren,
  ...props
}: TableRowsProps<Row> & { row: Row; open: boolean; hasChildren: boolean; depth: number }) {
  const { columns, rowId, rowName, tree, selected = [], onSelect, isSelectable, depth } = props;
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
          {(isSelectable?.(row) ?? true) && (
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
          {...cellData(column, index)}
          data-actions={column.actions || undefined}
          data-wrap={column.wrap}
          data-wide={column.width === undefined ? undefined : true}
          style={{ width: column.width }}
        >
          {tree && index === 0 ? (
            <div className={classes['tree-cell']} style={depthStyle(depth)}>
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

export interface BodyRowsProps<Row> extends Omit<TableRowsProps<Row>, 'rows' | 'depth'> {
  /** The rows of this page, sorted; undefined while they load and after a failure. */
  rows: readonly Row[] | undefined;
  isFailed?: boolean | undefined;
  /** Height of a usual row, in pixels, for placeholders. */
  rowHeight?: number | undefined;
}

/** The rows of a table, or their placeholder while they load, or the error after a failure. */
export function BodyRows<Row>({ rows, isFailed, rowHeight, ...props }: BodyRowsProps<Row>) {
  const { columns, onSelect } = props;
  const hasCheckboxes = onSelect !== undefined;
  if (rows) return <TableRows {...props} rows={rows} />;
  if (isFailed) return <UnknownRow columns={columns} hasCheckboxes={hasCheckboxes} />;
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
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...cellData(column, index)}
          data-wide={column.width === undefined ? undefined : true}
          style={{ width: column.width }}
        >
          {!column.actions && <SkeletonBar width={column.numeric ? 48 : index === 0 ? 140 : 88} />}
        </td>
      ))}
    </tr>
  ));
}

/** In place of the rows that could not be loaded. */
function UnknownRow<Row>({
  columns,
  hasCheckboxes,
}: Pick<SkeletonRowsProps<Row>, 'columns' | 'hasCheckboxes'>) {
  return (
    <tr>
      {hasCheckboxes && <td className={classes['choice']} />}
      {columns.map((column, index) => (
        <td key={column.id} {...cellData(column, index)} data-actions={column.actions || undefined}>
          {column.actions ? null : '–'}
        </td>
      ))}
    </tr>
  );
}

interface TotalsRowProps<Row> {
  columns: readonly Column<Row>[];
  /** The rows on all pages; undefined while they are not known. */
  matching: readonly Row[] | undefined;
  isFailed: boolean;
  hasCheckboxes: boolean;
}

/** The totals below the rows. */
export function TotalsRow<Row>({ columns, matching, isFailed, hasCheckboxes }: TotalsRowProps<Row>) {
  return (
    <tfoot>
      <tr>
        {hasCheckboxes && <td />}
        {columns.map((column, index) => {
          const { footer } = column;
          // A header without a text would say nothing.
          const isKnown = typeof footer !== 'function' || matching !== undefined;
          const Cell = footer !== undefined && isKnown ? 'th' : 'td';
          return (
            <Cell
              key={column.id}
              {...cellData(column, index)}
              data-actions={column.actions || undefined}
              data-label={index === 0 || footer === undefined ? undefined : column.header}
            >
              {typeof footer !== 'function' ? (
                footer
              ) : matching ? (
                footer(matching)
              ) : (
                <UnknownFigure why={isFailed ? 'failed' : 'loading'} />
              )}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}
