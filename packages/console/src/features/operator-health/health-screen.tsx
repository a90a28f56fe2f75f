import type { OperatorHealth } from '@bidwell/contract/operator/health';
import { Badge, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { healthQuery } from '../../entities/operator/health-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { BiddingSwitch } from './bidding-switch.tsx';
import { bytesText } from './bytes-text.ts';
import { Warnings } from './warnings.tsx';

/** /operator/health: the switch that stops all bidding, the processes, the databases and the last warnings. */
export function HealthScreen() {
  const figures = useLoadable(healthQuery);
  const health = knownData(figures);
  return (
    <>
      <PageHeader
        title="Health"
        description="All processes and databases of this installation, as of the last ten seconds."
      />
      <FigureFrame figures={figures} skeleton={<Skeleton height={320} />}>
        {health && (
          <Stack>
            <BiddingSwitch bidding={health.bidding} />
            <Figures health={health} />
            <Processes processes={health.processes} />
            <Warnings processes={health.processes} />
          </Stack>
        )}
      </FigureFrame>
    </>
  );
}

function Figures({ health }: { health: OperatorHealth }) {
  const { processes, waiting, companies_below_zero: belowZero, last_backup_at: backup } = health;
  const lags = processes.flatMap(({ state }) => state.lag_seconds ?? []);
  const logBytes = processes.reduce((sum, { state }) => sum + state.log_waiting_bytes, 0);
  const freeBytes = processes.flatMap(({ state }) => state.disk_free_bytes ?? []);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Figure label="Waiting for review" value={formatNumber(waiting.reviews)} />
      <Figure label="Top-ups waiting" value={formatNumber(waiting.top_ups)} />
      <Figure label="Companies below zero" value={formatNumber(belowZero)} />
      <Figure label="Last backup" value={backup ? formatMoment(backup) : 'Never'} />
      <Figure label="Events not stored yet" value={bytesText(logBytes)} />
      {lags.length > 0 && (
        <Figure label="Longest event lag" value={`${formatNumber(Math.max(...lags), 1)} s`} />
      )}
      <Figure label="PostgreSQL" value={bytesText(health.postgres_bytes)} />
      <Figure label="ClickHouse" value={bytesText(health.clickhouse_bytes)} />
      <Figure
        label="Least free disk"
        value={bytesText(freeBytes.length > 0 ? Math.min(...freeBytes) : null)}
      />
    </SimpleGrid>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="sm">
      <Caption>{label}</Caption>
      <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
    </Paper>
  );
}

type Process = OperatorHealth['processes'][number];

/** The running processes with their roles and problems. */
function Processes({ processes }: { processes: readonly Process[] }) {
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
