import type { OperatorHealth } from '@bidwell/contract/operator/health';
import { Badge, Title } from '@mantine/core';
import { formatMoment } from '../../lib/format/format.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import type { Column } from '../../ui/table/table-state.ts';

type Process = OperatorHealth['processes'][number];

interface Warning {
  /** Process, time and number of the warning. */
  id: string;
  process: string;
  warning: Process['state']['warnings'][number];
}

const SHOWN = 50;
const colors = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

/** The last warnings and errors of all processes, newest first; failed jobs are named. */
export function Warnings({ processes }: { processes: readonly Process[] }) {
  const warnings = processes
    .flatMap(({ process, state }) =>
      state.warnings.map((warning, index) => ({
        id: `${process} ${warning.at} ${index}`,
        process,
        warning,
      })),
    )
    .sort((a, b) => b.warning.at.localeCompare(a.warning.at))
    .slice(0, SHOWN);
  return (
    <PagedTable
      label="Warnings and failed jobs"
      columns={columns}
      rows={warnings}
      rowId={({ id }) => id}
      toolbar={
        <Title order={2} size="h5" p="sm">
          Warnings and failed jobs
        </Title>
      }
      empty={
        <EmptyState
          title="No warnings"
          text="No process has logged a warning or an error since it started."
        />
      }
    />
  );
}

const columns: readonly Column<Warning>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ warning }) => <span style={{ whiteSpace: 'nowrap' }}>{formatMoment(warning.at)}</span>,
  },
  { id: 'process', header: 'Process', cell: ({ process }) => process },
  {
    id: 'level',
    header: 'Level',
    cell: ({ warning: { level } }) => (
      <Badge color={colors[level]} variant="light">
        {level}
      </Badge>
    ),
  },
  {
    id: 'what',
    header: 'What',
    width: '60%',
    cell: ({ warning: { job, message } }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        {job && <b>{job}: </b>}
        {message}
      </span>
    ),
  },
];
