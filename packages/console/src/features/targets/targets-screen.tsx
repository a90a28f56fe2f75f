import type { Target } from '@bidwell/contract/target';
import { messages } from '@bidwell/contract/messages';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { targetsQuery, updateTarget } from '../../lib/queries/targets.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Column } from '../../ui/table-state.ts';
import { useTargetNames } from './target-names.ts';
import { targetSummary } from './target-summary.ts';

const columns: Column<Target>[] = [
  {
    id: 'name',
    header: 'Title',
    sortBy: (target) => target.name,
    cell: (target) => (
      <Stack gap={3}>
        <InlineEdit
          label="Title"
          kind="title"
          value={target.name}
          onSave={(name) => updateTarget(target.uuid, { name })}
        />
        <CopyText value={target.uuid} label="target id" />
      </Stack>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    cell: (target) => (
      <InlineEdit
        label="Description"
        kind="description"
        value={target.description}
        onSave={(description) => updateTarget(target.uuid, { description })}
      />
    ),
  },
  { id: 'app', header: 'App', sortBy: (target) => target.app.name, cell: (target) => target.app.name },
  {
    id: 'settings',
    header: 'Target settings',
    width: 360,
    cell: (target) => <Settings target={target} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (target) => (
      <Group gap={4} wrap="nowrap">
        <ButtonLink
          to="/targets/edit"
          search={{ uuid: target.uuid }}
          variant="subtle"
          size="compact-sm"
          aria-label={`Edit ${target.name}`}
        >
          Edit
        </ButtonLink>
        <ArchiveMenu path="target" uuid={target.uuid} name={target.name} archivedAt={target.archived_at} />
      </Group>
    ),
  },
];

const searchText = (target: Target) =>
  `${target.name} ${target.description} ${target.app.name} ${target.uuid}`;
const isArchived = ({ archived_at: archivedAt }: Target) => archivedAt !== null;

/** A target's settings by display name, a line for each group. */
function Settings({ target }: { target: Target }) {
  const names = useTargetNames({ models: target.device_models.length > 0 });
  return (
    <Stack gap={0} miw={260}>
      {targetSummary(target.app.os, target, names).map(({ label, text }) => (
        <Text key={label} size="xs">
          <Text span inherit c="dimmed">
            {label}:{' '}
          </Text>
          {names.ready ? text : <Skeleton component="span" display="inline-block" w={120} h={10} />}
        </Text>
      ))}
    </Stack>
  );
}

/** /targets */
export function TargetsScreen() {
  return (
    <>
      <PageHeader title="Targets" />
      <TargetsTab />
    </>
  );
}

/** Table of the company's targets. */
export function TargetsTab() {
  const { data: targets } = useQuery(targetsQuery);
  const [table, setTable] = useTableSearch();
  const add = (
    <ButtonLink to="/targets/edit" search={{}} leftSection={<IconPlus size={16} />}>
      Add target
    </ButtonLink>
  );
  return (
    <DataTable
      label="targets"
      columns={columns}
      rows={targets}
      rowId={(target) => target.uuid}
      searchText={searchText}
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      toolbar={add}
      minWidth={960}
      empty={
        <EmptyState
          title={messages.emptyTable}
          text="A target says whom an ad set reaches: devices, places, languages, apps."
          action={add}
        />
      }
    />
  );
}
