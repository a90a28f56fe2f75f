import { Table, Text } from '@mantine/core';
import classes from './data-table.module.css';
import { TableHead } from './data-table-head.tsx';
import { ScrollFrame } from './scroll-frame.tsx';
import { BodyRows, type BodyRowsProps, TotalsRow } from './data-table-rows.tsx';

/** The rows and columns of a table, and how they are shown. */
export interface TableGridProps<Row> extends BodyRowsProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  sort?: string | undefined;
  /** Without it no column can be sorted. */
  onSort?: ((sort: string | undefined) => void) | undefined;
  /** The rows that the totals are of; `rows` by default. */
  matching?: readonly Row[] | undefined;
  /** Shown in place of the rows where there are none. */
  noRows?: string | undefined;
  /** Below this width, in pixels, the table scrolls sideways. */
  minWidth?: number | undefined;
  /** Whether the first column stays in sight while the others scroll. */
  hasFixedNames?: boolean;
  /** Above this height, in pixels, the rows scroll below the head. */
  maxHeight?: number | undefined;
  /** Vertical padding of the cells. */
  verticalSpacing?: number | 'xs';
  /** Whether each row is a card on a phone; true by default. */
  cards?: boolean;
  className?: string | undefined;
}

/** The head, the rows and the totals of any table of columns, which scrolls sideways where it is narrow. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { columns, rows, rowId, sort, onSort, selected = [], onSelect, isSelectable = () => true } = props;
  const { minWidth = 640, maxHeight, cards = true, className = '' } = props;
  return (
    <ScrollFrame minWidth={minWidth} maxHeight={maxHeight} className={cards ? classes['scroll'] : ''}>
      <Table
        verticalSpacing={props.verticalSpacing ?? 6}
        aria-label={props.label}
        className={`${classes['table']} ${cards ? classes['cards'] : ''} ${className}`}
        data-sticky={maxHeight !== undefined || undefined}
        data-fixed-names={props.hasFixedNames ? (onSelect ? 'after-choice' : 'first') : undefined}
        data-lines={columns.some(({ line }) => line !== undefined) || undefined}
      >
        <TableHead
          columns={columns}
          sort={sort}
          onSort={onSort}
          ids={(rows ?? []).filter(isSelectable).map(rowId)}
          selected={selected}
          onSelect={onSelect}
        />
        <tbody>
          <BodyRows {...props} />
          {props.noRows !== undefined && rows?.length === 0 && (
            <tr>
              <td colSpan={columns.length + (onSelect ? 1 : 0)}>
                <Text c="dimmed" ta="center" py="lg">
                  {props.noRows}
                </Text>
              </td>
            </tr>
          )}
        </tbody>
        {columns.some(({ footer }) => footer !== undefined) && (
          <TotalsRow
            columns={columns}
            matching={rows && (props.matching ?? rows)}
            isFailed={props.isFailed === true}
            hasCheckboxes={onSelect !== undefined}
          />
        )}
      </Table>
    </ScrollFrame>
  );
}
