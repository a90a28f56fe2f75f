import type { BundleReport } from '@bidwell/contract/analytics';
import { REPORT_METRICS } from '@bidwell/contract/metrics';
import { useMemo } from 'react';
import { useTableSearch } from '../../lib/table-search.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-state.ts';
import { reportMetrics } from './report-columns.ts';

type BundleRow = BundleReport['rows'][number];

/** The bundle report: a row for each publisher app. */
export function BundleTable({ report }: { report: BundleReport | undefined }) {
  const [table, setTable] = useTableSearch();
  const columns = useMemo<Column<BundleRow>[]>(
    () => [
      {
        id: 'bundle',
        header: 'Bundle',
        sortBy: (row) => row.bundle,
        cell: (row) => (row.bundle ? <CopyText value={row.bundle} label="bundle" full /> : 'Unknown'),
        footer: 'Total',
      },
      ...REPORT_METRICS.map((metric) => ({
        id: metric,
        header: reportMetrics[metric].label,
        numeric: true,
        sortBy: (row: BundleRow) => row[metric],
        cell: (row: BundleRow) => reportMetrics[metric].format(row[metric]),
        footer: report ? reportMetrics[metric].format(report.total[metric]) : '',
      })),
    ],
    [report],
  );
  return (
    <DataTable
      label="bundles"
      columns={columns}
      rows={report?.rows}
      rowId={(row) => row.bundle}
      searchText={(row) => row.bundle}
      state={table}
      onStateChange={setTable}
      empty={
        <EmptyState title="Nothing happened in these days" text="Choose other days, or start a campaign." />
      }
    />
  );
}
