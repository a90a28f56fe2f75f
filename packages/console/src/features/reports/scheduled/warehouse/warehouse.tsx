import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import type { SavedWarehouseExport, WarehouseExport, WarehouseRun } from '@bidwell/contract/warehouse/schema';
import { bytesText } from '@bidwell/contract/lib/bytes';
import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  deleteWarehouseExport,
  repeatWarehouseRun,
  warehouseExportQuery,
  warehouseRunsQuery,
} from '../../../../entities/report-schedules/warehouse-queries.ts';
import { reportDestinationsQuery } from '../../../../entities/report-schedules/destination-queries.ts';
import { formatMoment, formatNumber } from '../../../../lib/format/format.ts';
import { combined, useLoadable } from '../../../../lib/loadable.ts';
import { FigureFrame, ListSkeleton } from '../../../../ui/chart/figure-frame.tsx';
import { confirmDestroy } from '../../../../ui/form/confirm.tsx';
import { useSave } from '../../../../ui/form/use-save.ts';
import { Section } from '../../../../ui/layout/section.tsx';
import { StatusBadge } from '../../../../ui/layout/status-badge.tsx';
import { type RecordColumn, RecordTable } from '../../../../ui/table/record-table.tsx';
import { RowMenu } from '../../../../ui/table/row-menu.tsx';
import { WarehouseForm } from './warehouse-form.tsx';
import { KIND_LABELS } from './warehouse-text.ts';

/** The hourly export of events to a bucket of the company, and its latest files. */
export function Warehouse({ mayWrite }: { mayWrite: boolean }) {
  const known = combined(useLoadable(warehouseExportQuery), useLoadable(reportDestinationsQuery));
  return (
    <Section
      title="Events for your warehouse"
      description="Every hour, events are stored in a bucket as Parquet files, which BigQuery, Snowflake and DuckDB read."
    >
      <FigureFrame figures={known} what="The export" skeleton={<ListSkeleton height={48} />}>
        {([saved, destinations]) => (
          <Known
            saved={saved}
            buckets={destinations.filter(({ type }) => type === 's3')}
            mayWrite={mayWrite}
          />
        )}
      </FigureFrame>
    </Section>
  );
}

interface KnownProps {
  saved: SavedWarehouseExport;
  buckets: readonly ReportDestination[];
  mayWrite: boolean;
}

function Known({ saved, buckets, mayWrite }: KnownProps) {
  const exported = saved.export;
  const [opened, { open, close }] = useDisclosure(false);
  const { save: end } = useSave({ send: deleteWarehouseExport, done: screenMessages.warehouseEnded });
  const confirmEnd = () =>
    confirmDestroy({
      title: 'End the export?',
      text: 'Files that wait are not stored any more, and the log is deleted. Stored files stay in the bucket.',
      action: 'End the export',
      onConfirm: () => end(),
    });
  return (
    <>
      <Text size="sm" c={exported ? undefined : 'dimmed'} mb="sm">
        {exported ? stateText(exported, saved.stored_until, buckets) : emptyText(buckets, mayWrite)}
      </Text>
      {mayWrite && (exported !== null || buckets.length > 0) && (
        <Group mb="md">
          <Button variant="default" onClick={open}>
            {exported ? 'Change the export' : 'Export events'}
          </Button>
          {exported && (
            <Button variant="subtle" color="red" onClick={confirmEnd}>
              End the export
            </Button>
          )}
        </Group>
      )}
      {exported && <Runs mayWrite={mayWrite} />}
      <Modal opened={opened} onClose={close} title={exported ? 'Change the export' : 'Export events'}>
        {opened && <WarehouseForm saved={saved} buckets={buckets} onDone={close} />}
      </Modal>
    </>
  );
}

function stateText(
  exported: WarehouseExport,
  storedUntil: string | null,
  buckets: readonly ReportDestination[],
): string {
  const name = buckets.find(({ uuid }) => uuid === exported.destination_uuid)?.name ?? 'a bucket';
  const off = exported.is_enabled ? '' : ' The export is off.';
  return storedUntil === null
    ? `Files of some hours could not be stored in “${name}”: see below.${off}`
    : `Events that arrived before ${formatMoment(storedUntil)} are in “${name}”.${off}`;
}

function emptyText(buckets: readonly ReportDestination[], mayWrite: boolean): string {
  if (buckets.length > 0 || !mayWrite) return 'No events are exported.';
  return 'No events are exported. Add an S3 bucket to the destinations first.';
}

function Runs({ mayWrite }: { mayWrite: boolean }) {
  const runs = useLoadable(warehouseRunsQuery);
  const actions: RecordColumn<WarehouseRun> = {
    header: 'Actions',
    actions: true,
    cell: (run) => <RunActions run={run} />,
  };
  return (
    <RecordTable
      label="Exported files"
      what="The exported files"
      empty={
        <Text size="sm" c="dimmed">
          Nothing is stored yet. The files of an hour follow ten minutes after its end.
        </Text>
      }
      columns={mayWrite ? [...columns, actions] : columns}
      rows={runs}
      rowId={({ uuid }) => uuid}
      minWidth={640}
      cards
    />
  );
}

const columns: readonly RecordColumn<WarehouseRun>[] = [
  { header: 'Arrived from', wrap: 'never', cell: (run) => formatMoment(run.stored_from) },
  { header: 'Events', cell: ({ kind }) => KIND_LABELS[kind] },
  {
    header: 'Status',
    cell: ({ status, error, attempts }) => (
      <>
        <StatusBadge status={status} />
        {error !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {error} {attempts > 1 && `${attempts} tries.`}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Rows', numeric: true, cell: ({ rows }) => (rows === null ? '–' : formatNumber(rows)) },
  { header: 'Files', numeric: true, cell: ({ files }) => (files === null ? '–' : formatNumber(files)) },
  { header: 'Size', numeric: true, cell: ({ bytes }) => (bytes === null ? '–' : bytesText(bytes)) },
];

function RunActions({ run: { uuid, kind, status } }: { run: WarehouseRun }) {
  const { save: repeat, busy } = useSave({
    send: () => repeatWarehouseRun(uuid),
    done: screenMessages.warehouseRepeated,
  });
  return (
    <RowMenu name={KIND_LABELS[kind]} busy={busy}>
      <Menu.Item disabled={status === 'waiting'} onClick={() => repeat()}>
        Store again
      </Menu.Item>
    </RowMenu>
  );
}
