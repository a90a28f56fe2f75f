import { type DefaultReport, type DefaultRow, OTHER } from '@bidwell/contract/reports/schema';
import {
  type Metrics,
  type ReportLevel,
  type ReportMetric,
  changePercent,
} from '@bidwell/contract/reports/metrics';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Box, Button, Group, Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { formatChange } from '../../lib/format/format.ts';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ExpandButton } from '../../ui/table/expand-button.tsx';
import { LazyTooltip } from '../../ui/layout/lazy-tooltip.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { levelLabels, reportMetrics } from './report-columns.ts';
import { sortOrder } from '../../ui/table/table-state.ts';
import { largestOf, rowPath, sortedRows } from './report-rows.ts';
import classes from './report-tree.module.css';

/** Siblings shown before a click on more: a browser renders thousands of rows slowly. */
const ROWS_PER_CLICK = 100;

/** Most metrics whose columns have their full width; with more, all of them fit a screen of 1440 px. */
const WIDE_METRICS = 8;
/** Least widths of the columns, in px. */
const NAME_WIDTH = 180;
const FIGURE_WIDTH = 96;
const NARROW_WIDTH = 72;

interface ReportTreeProps {
  /** Undefined while it loads. */
  report: DefaultReport | undefined;
  /** Of the report. */
  levels: readonly ReportLevel[];
  /** The rows that match the search. */
  rows: readonly DefaultRow[];
  metrics: readonly ReportMetric[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  open: ReadonlySet<string>;
  onToggle: (path: string) => void;
  /** Renders every row, expanded, for printing. */
  whole?: boolean;
  empty?: string;
}

/** A report as a tree of rows that expand to the next level, with bars to compare siblings. */
export function ReportTree(props: ReportTreeProps) {
  const { report, levels, rows, metrics, sort } = props;
  const largest = useMemo(() => largestOf(report?.rows ?? [], metrics), [report, metrics]);
  const isNarrow = metrics.length > WIDE_METRICS;
  const isFlat = report ? report.rows.every((row) => row.children.length === 0) : levels.length === 1;
  if (report?.rows.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title={screenMessages.reportEmpty} text={screenMessages.reportEmptyText} />
      </Paper>
    );
  }
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <Table.ScrollContainer
        minWidth={NAME_WIDTH + metrics.length * (isNarrow ? NARROW_WIDTH : FIGURE_WIDTH)}
        type="native"
      >
        <Table
          aria-label="Report"
          fz={isNarrow ? 13 : 'sm'}
          verticalSpacing={6}
          {...(isNarrow && { horizontalSpacing: 5 })}
          highlightOnHover
          className={classes['table']!}
          mod={{ narrow: isNarrow }}
        >
          <Table.Thead>
            <Table.Tr>
              <HeadCell
                column="name"
                label={isFlat ? levelLabels[report?.rows[0]!.level ?? levels[0]!] : 'Breakdown'}
                sort={sort}
                onSort={props.onSort}
              />
              {metrics.map((metric) => (
                <HeadCell
                  key={metric}
                  column={metric}
                  label={reportMetrics[metric].label}
                  about={reportMetrics[metric].about}
                  sort={sort}
                  onSort={props.onSort}
                  numeric
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report ? (
              <Siblings {...props} rows={rows} above="" depth={0} largest={largest} isFlat={isFlat} />
            ) : (
              <LoadingRows columns={metrics.length} />
            )}
            {report && rows.length === 0 && (
              <Table.Tr>
                <Table.Td colSpan={metrics.length + 1}>
                  <Text c="dimmed" ta="center" py="lg" size="sm">
                    {props.empty}
                  </Text>
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>Total</Table.Th>
              {metrics.map((metric) => (
                <Table.Th key={metric} ta="right">
                  {report ? (
                    reportMetrics[metric].format(report.total[metric] ?? null)
                  ) : (
                    <SkeletonBar width={48} />
                  )}
                  {report && <Change now={report.total} metric={metric} />}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

const LOADING_ROWS = 6;

/** In place of the rows while they load. */
function LoadingRows({ columns }: { columns: number }) {
  return Array.from({ length: LOADING_ROWS }, (_, row) => (
    <Table.Tr key={row} data-skeleton="row">
      <Table.Td>
        <Group className={classes['name']!} mih={22}>
          <SkeletonBar width={160} />
        </Group>
      </Table.Td>
      {Array.from({ length: columns }, (_cell, cell) => (
        <Table.Td key={cell} ta="right" className={classes['figure']!}>
          <SkeletonBar width={48} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

interface HeadCellProps {
  column: ReportMetric | 'name';
  label: string;
  /** How the figures are counted; shown in a tooltip. */
  about?: string | undefined;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  numeric?: boolean;
}

function HeadCell({ column, label, about, sort, onSort, numeric = false }: HeadCellProps) {
  const order = sortOrder(sort, column);
  // Numeric columns sort descending first, names ascending.
  const turns = numeric ? [`-${column}`, column, undefined] : [column, `-${column}`, undefined];
  const next = turns[(turns.indexOf(sort) + 1) % turns.length];
  const Icon = order === 'ascending' ? IconArrowUp : IconArrowDown;
  const button = (
    <UnstyledButton w="100%" onClick={() => onSort(next)}>
      <Group gap={4} wrap="nowrap" justify={numeric ? 'flex-end' : 'flex-start'}>
        {order !== 'none' && <Icon size={13} aria-hidden />}
        <Text fz="inherit" fw={600} className={classes['label']!}>
          {label}
        </Text>
      </Group>
    </UnstyledButton>
  );
  return (
    <Table.Th aria-sort={order}>
      {about === undefined ? (
        button
      ) : (
        <LazyTooltip label={about} multiline maw={300}>
          {button}
        </LazyTooltip>
      )}
    </Table.Th>
  );
}

interface SiblingsProps extends Omit<ReportTreeProps, 'report' | 'levels' | 'onSort' | 'empty'> {
  above: string;
  depth: number;
  /** The largest value of each metric in the whole report, for scaling bars. */
  largest: Readonly<Record<string, number>>;
  /** Whether the report has one level, so that no row can be expanded. */
  isFlat: boolean;
}

function Siblings({ rows, above, depth, ...shared }: SiblingsProps) {
  const { metrics, sort, open, onToggle, whole, largest, isFlat } = shared;
  const [count, setCount] = useState(ROWS_PER_CLICK);
  const sorted = sortedRows(rows, sort);
  const rest = whole ? 0 : sorted.length - count;
  return (
    <>
      {(whole ? sorted : sorted.slice(0, count)).map((row) => {
        const path = rowPath(above, row);
        const opened = row.children.length > 0 && (whole || open.has(path));
        return [
          <Row
            key={path}
            row={row}
            depth={depth}
            metrics={metrics}
            largest={largest}
            isFlat={isFlat}
            opened={opened}
            onToggle={() => onToggle(path)}
          />,
          opened && (
            <Siblings key={`${path}*`} {...shared} rows={row.children} above={path} depth={depth + 1} />
          ),
        ];
      })}
      {rest > 0 && (
        <Table.Tr>
          <Table.Td colSpan={metrics.length + 1} pl={depth * 22 + 30}>
            <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + ROWS_PER_CLICK)}>
              Show {Math.min(rest, ROWS_PER_CLICK)} more of {sorted.length}
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

interface RowProps {
  row: DefaultRow;
  depth: number;
  metrics: readonly ReportMetric[];
  largest: Readonly<Record<string, number>>;
  isFlat: boolean;
  opened: boolean;
  onToggle: () => void;
}

function Row({ row, depth, metrics, largest, isFlat, opened, onToggle }: RowProps) {
  const name = row.name || 'Unknown';
  const hasBundle = row.level === 'bundle' && row.value !== '' && row.value !== OTHER;
  return (
    <Table.Tr data-level={row.level}>
      <Table.Td>
        <Group gap={4} wrap="nowrap" className={classes['name']!} style={{ '--depth': depth }}>
          {row.children.length > 0 ? (
            <ExpandButton name={name} open={opened} onClick={onToggle} />
          ) : (
            !isFlat && <Box w={22} />
          )}
          <Text size="sm" fw={depth === 0 && !isFlat ? 600 : 400} component="div">
            {hasBundle && name === row.value ? <CopyText value={row.value} label="bundle" full /> : name}
            {hasBundle && name !== row.value && (
              <Text size="xs" c="dimmed" fw={400} component="div">
                <CopyText value={row.value} label="bundle" full />
              </Text>
            )}
          </Text>
          {!isFlat && (
            <Text size="xs" c="dimmed" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
              {levelLabels[row.level]}
            </Text>
          )}
        </Group>
      </Table.Td>
      {metrics.map((metric) => {
        const share = (row[metric] ?? 0) / (largest[metric] || 1);
        return (
          <Table.Td key={metric} ta="right" className={classes['figure']!}>
            <span className={classes['bar']} style={{ width: `${(share * 100).toFixed(1)}%` }} />
            <span className={classes['value']}>{reportMetrics[metric].format(row[metric] ?? null)}</span>
            <Change now={row} metric={metric} />
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

/** Change of a figure against the previous period; nothing when it is unknown. */
function Change({
  now,
  metric,
}: {
  now: Metrics & { previous?: Metrics | undefined };
  metric: ReportMetric;
}) {
  if (!now.previous) return null;
  const [value = null, before = null] = [now[metric], now.previous[metric]];
  if (value === null && before === null) return null;
  return (
    <Text
      size="xs"
      c="dimmed"
      fw={400}
      className={classes['value']!}
      title={`Before: ${reportMetrics[metric].format(before)}`}
    >
      {value === before ? '0%' : formatChange(changePercent(value, before))}
    </Text>
  );
}
