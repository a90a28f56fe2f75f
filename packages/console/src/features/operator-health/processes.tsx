import type { OperatorHealth } from '@bidwell/contract/operator/health';
import { Badge, Group, Title } from '@mantine/core';
import { formatMoment } from '../../lib/format/format.ts';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { bytesText } from './bytes-text.ts';

type Process = OperatorHealth['processes'][number];

/** The running processes with their roles and problems. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  const versions = new Set(processes.map(({ version }) => version));
  return (
    <PagedTable
      label="Processes"
      columns={columns}
      rows={processes}
      rowId={({ process }) => process}
      minWidth={720}
      empty="No process runs."
      toolbar={
        <Group p="sm" justify="space-between">
          <Title order={2} size="h5">
            Processes
          </Title>
          {versions.size > 1 && (
            <Badge color="yellow" variant="light">
              {versions.size} versions
            </Badge>
          )}
        </Group>
      }
    />
  );
}

const columns: readonly Column<Process>[] = [
  { id: 'process', header: 'Process', cell: ({ process }) => process },
  { id: 'roles', header: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { id: 'version', header: 'Version', cell: ({ version }) => version },
  { id: 'started', header: 'Started', cell: ({ started_at: startedAt }) => formatMoment(startedAt) },
  { id: 'memory', header: 'Memory', numeric: true, cell: ({ state }) => bytesText(state.memory_bytes) },
  { id: 'state', header: 'State', width: 360, cell: (process) => <State process={process} /> },
];

function State({ process: { state } }: { process: Process }) {
  const faults = [
    ...Object.entries(state.faults).map(([role, text]) => `${role}: ${text}`),
    ...state.degraded,
  ];
  return faults.length === 0 ? 'Running' : faults.map((text) => <div key={text}>{text}</div>);
}
