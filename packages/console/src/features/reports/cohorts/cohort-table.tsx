import {
  COHORT_DAYS,
  type CohortCell,
  type CohortMetric,
  type CohortReport,
  type CohortRow,
} from '@bidwell/contract/reports/cohorts';
import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { Paper, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, useMemo } from 'react';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';
import { TableGrid } from '../../../ui/table/table-grid.tsx';
import type { Column } from '../../../ui/table/table-state.ts';
import { levelLabels } from '../report-columns.ts';
import { aboutCell, cohortMetrics, figureOf, fullColourByDay } from './cohort-metrics.ts';
import classes from './cohort-table.module.css';

const ROW_HEIGHT = 34;
/** Rows shown before a click on more. */
const ROWS_PER_CLICK = 100;
const TABLE_WIDTH = 860;

interface CohortTableProps {
  /** Undefined while it loads. */
  report: CohortReport | undefined;
  metric: CohortMetric;
  by: ReportKey | undefined;
  labelOf: (cohort: string) => string;
}

/** Cohorts as rows and days since the install as columns, coloured by the metric's value. */
export function CohortTable({ report, metric, by, labelOf }: CohortTableProps) {
  const fullColours = useMemo(() => fullColourByDay(report?.rows ?? [], metric), [report, metric]);
  if (report?.rows.length === 0)
    return (
      <Paper withBorder>
        <EmptyState
          title="No installs in this period"
          text="Choose another period or fewer filters. Revenue and retention need in-app events of your measurement partner."
        />
      </Paper>
    );
  const columns: Column<CohortRow>[] = [
    { id: 'cohort', header: 'Cohort', cell: ({ cohort }) => labelOf(cohort), footer: 'Total' },
    ...(by
      ? [
          {
            id: 'name',
            header: levelLabels[by],
            cell: nameOf,
            wrap: 'anywhere' as const,
            footer: '',
          },
        ]
      : []),
    {
      id: 'installs',
      header: 'Installs',
      cell: ({ installs }) => formatNumber(installs),
      numeric: true,
      footer: report && formatNumber(report.total.installs),
    },
    {
      id: 'spend',
      header: 'Spend',
      cell: ({ spend }) => formatMoney(spend),
      numeric: true,
      footer: report && formatMoney(report.total.spend),
    },
    ...COHORT_DAYS.map((day, at): Column<CohortRow> => ({
      id: `d${day}`,
      header: `D${day}`,
      cell: ({ cells }) => <Cell cell={cells[at]!} metric={metric} fullColour={fullColours.get(day)} />,
      numeric: true,
      footer: report && <Cell cell={report.total.cells[at]!} metric={metric} />,
    })),
  ];
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <TableGrid
        label="Cohorts"
        columns={columns}
        rows={report?.rows}
        rowHeight={ROW_HEIGHT}
        rowId={({ cohort, value }) => `${cohort} ${value}`}
        rowName={(row) => `${labelOf(row.cohort)} ${row.name}`.trim()}
        siblingsMax={ROWS_PER_CLICK}
        minWidth={TABLE_WIDTH}
        hasFixedNames
        cards={false}
        className={classes['cohorts']}
      />
    </Paper>
  );
}

const nameOf = ({ name }: CohortRow) => name || 'Unknown';

interface CellProps {
  cell: CohortCell;
  metric: CohortMetric;
  /** The value that has the full colour on its day; absent in the total. */
  fullColour?: number | undefined;
}

function Cell({ cell, metric, fullColour }: CellProps) {
  const figure = figureOf(cell, metric);
  const about = aboutCell(cell, metric);
  const isMature = cell.mature_share === 1;
  const heat = isMature && fullColour ? Math.min(1, Math.max(0, (figure?.value ?? 0) / fullColour)) : 0;
  return (
    <>
      {heat > 0 && (
        <span className={classes['heat']} style={{ '--heat': heat.toFixed(3) } as CSSProperties} />
      )}
      <LazyTooltip label={about} disabled={about === ''} multiline maw={260}>
        <span className={isMature ? classes['value'] : classes['immature']}>
          {figure ? cohortMetrics[metric].format(figure.value) : '–'}
          {!isMature && <VisuallyHidden> {about}</VisuallyHidden>}
        </span>
      </LazyTooltip>
    </>
  );
}
