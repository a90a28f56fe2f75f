import { type DefaultReport, type DefaultRow, OTHER } from '@bidwell/contract/reports/schema';
import { ALL_METRICS, type Metrics, type ReportLevel } from '@bidwell/contract/reports/metrics';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Paper, Text } from '@mantine/core';
import { useMemo } from 'react';
import { formatChangeFrom } from '../../lib/format/format.ts';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { TableGrid } from '../../ui/table/table-grid.tsx';
import { type Column, sortRows } from '../../ui/table/table-state.ts';
import { type ReportColumn, levelLabels, reportColumns } from './report-columns.ts';
import { largestOf, pathsOf } from './report-rows.ts';
import classes from './report-tree.module.css';

/** Siblings shown before a click on more: a browser renders thousands of rows slowly. */
const ROWS_PER_CLICK = 100;

/** Most metrics whose columns have their full width; with more, a dozen fit a screen of 1440 px. */
const WIDE_METRICS = 8;
/** Most metrics that fit a screen of 1440 px. */
const FITTING_METRICS = 12;
/** Least widths of the columns, in px. */
const NAME_WIDTH = 180;
/** Width of the names, next to which figures scroll, if there is room for them. */
const WIDE_NAME_WIDTH = 300;
const FIGURE_WIDTH = 96;
const NARROW_WIDTH = 72;
/** Height of a usual row, in px. */
const ROW_HEIGHT = 37;

interface ReportTreeProps {
  /** Undefined while it loads. */
  report: DefaultReport | undefined;
  /** Of the report. */
  levels: readonly ReportLevel[];
  /** The rows that match the search. */
  rows: readonly DefaultRow[];
  columns: readonly ReportColumn[];
  /** Names of the in-app events among the columns. */
  events?: readonly string[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  open: ReadonlySet<string>;
  onToggle: (path: string) => void;
  /** Renders every row, expanded, for printing. */
  whole?: boolean;
  /** Shown where no row matches the search. */
  empty?: string;
}

/** A report as a tree of rows that expand to the next level, with bars to compare siblings. */
export function ReportTree(props: ReportTreeProps) {
  const { report, levels, rows, columns, events = none, sort, open, whole = false } = props;
  const paths = useMemo(() => pathsOf(report?.rows ?? []), [report]);
  // A report stays sorted by a metric whose column is not shown any more.
  const every = useMemo(() => reportColumns(ALL_METRICS, events), [events]);
  const largest = useMemo(() => largestOf(report?.rows ?? [], every), [report, every]);
  const isNarrow = columns.length > WIDE_METRICS;
  const scrolls = columns.length > FITTING_METRICS;
  const isFlat = report ? report.rows.every((row) => row.children.length === 0) : levels.length === 1;
  if (report?.rows.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title={screenMessages.reportEmpty} text={screenMessages.reportEmptyText} />
      </Paper>
    );
  }
  const pathOf = (row: DefaultRow) => paths.get(row)!;
  const topRows = new Set(rows);
  const nameColumn: Column<DefaultRow> = {
    id: 'name',
    header: isFlat ? levelLabels[report?.rows[0]!.level ?? levels[0]!] : 'Breakdown',
    cell: (row) => <Name row={row} isFlat={isFlat} isTop={topRows.has(row)} />,
    sortBy: ({ name }) => name,
    footer: 'Total',
  };
  const figureColumn = (column: ReportColumn): Column<DefaultRow> => ({
    id: column.id,
    header: column.label,
    about: column.about,
    cell: (row) => <Figure row={row} column={column} largest={largest[column.id]} />,
    sortBy: column.valueOf,
    descendsFirst: true,
    numeric: true,
    footer: () => report && <Figure row={report.total} column={column} />,
  });
  const sortable = [nameColumn, ...every.map(figureColumn)];
  const sorted = (siblings: readonly DefaultRow[]) => sortRows(siblings, sortable, sort);
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <TableGrid
        label="Report"
        columns={[nameColumn, ...columns.map(figureColumn)]}
        rows={report && sorted(rows)}
        rowHeight={ROW_HEIGHT}
        rowId={pathOf}
        rowName={nameOf}
        sort={sort}
        onSort={props.onSort}
        sorted={sorted}
        siblingsMax={whole ? undefined : ROWS_PER_CLICK}
        tree={
          isFlat
            ? undefined
            : {
                childrenOf: ({ children }) => (children.length > 0 ? children : undefined),
                isOpen: (row) => whole || open.has(pathOf(row)),
                onToggle: (row) => props.onToggle(pathOf(row)),
              }
        }
        noRows={props.empty}
        minWidth={
          (scrolls ? WIDE_NAME_WIDTH : NAME_WIDTH) + columns.length * (isNarrow ? NARROW_WIDTH : FIGURE_WIDTH)
        }
        hasFixedNames
        cards={false}
        className={`${classes['report']} ${isNarrow ? classes['narrow'] : ''} ${scrolls ? classes['scrolls'] : ''}`}
      />
    </Paper>
  );
}

const none: never[] = [];
const nameOf = (row: DefaultRow) => row.name || 'Unknown';

function Name({ row, isFlat, isTop }: { row: DefaultRow; isFlat: boolean; isTop: boolean }) {
  const name = nameOf(row);
  const hasBundle = row.level === 'bundle' && row.value !== '' && row.value !== OTHER;
  return (
    <Group gap={4} wrap="nowrap" className={classes['name']!}>
      <Text size="sm" fw={isTop && !isFlat ? 600 : 400} component="div">
        {hasBundle && name === row.value ? <CopyText value={row.value} label="bundle" full /> : name}
        {hasBundle && name !== row.value && (
          <Caption fw={400} component="div">
            <CopyText value={row.value} label="bundle" full />
          </Caption>
        )}
      </Text>
      {!isFlat && (
        <Caption visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
          {levelLabels[row.level]}
        </Caption>
      )}
    </Group>
  );
}

interface FigureProps {
  row: Metrics & { previous?: Metrics | undefined };
  column: ReportColumn;
  /** The largest value of the column in the whole report, for a bar next to it. */
  largest?: number | undefined;
}

/** A figure with its change against the previous period, if that is known. */
function Figure({ row, column: { format, valueOf }, largest }: FigureProps) {
  const [value, before] = [valueOf(row), row.previous ? valueOf(row.previous) : null];
  const share = (value ?? 0) / (largest || 1);
  return (
    <>
      {largest !== undefined && (
        <span className={classes['bar']} style={{ width: `${(share * 100).toFixed(1)}%` }} />
      )}
      <span className={classes['value']}>{format(value)}</span>
      {row.previous && (value !== null || before !== null) && (
        <Caption fw={400} className={classes['value']!} title={`Before: ${format(before)}`}>
          {formatChangeFrom(before, value)}
        </Caption>
      )}
    </>
  );
}
