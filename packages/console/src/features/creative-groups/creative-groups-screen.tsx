import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { messages } from '@bidwell/contract/messages';
import { Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { creativeGroupsQuery, updateCreativeGroup } from '../../lib/queries/creative-groups.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';
import { CountsSummary } from './counts-summary.tsx';
import { summaryNames } from './group-values.ts';

const columns: Column<CreativeGroup>[] = [
  {
    id: 'name',
    header: 'Title',
    sortBy: (group) => group.name,
    cell: (group) => (
      <Stack gap={3}>
        <InlineEdit
          label="Title"
          kind="title"
          value={group.name}
          onSave={(name) => updateCreativeGroup(group.uuid, { name })}
        />
        <CopyText value={group.uuid} label="group id" />
      </Stack>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    cell: (group) => (
      <InlineEdit
        label="Description"
        kind="description"
        value={group.description}
        onSave={(description) => updateCreativeGroup(group.uuid, { description })}
      />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sortBy: (group) => group.status,
    cell: (group) => <StatusBadge status={group.status} />,
  },
  {
    id: 'creatives',
    header: 'Creatives',
    sortBy: (group) => summaryNames.reduce((total, [, list]) => total + group[list].length, 0),
    cell: (group) => <CountsSummary group={group} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (group) => (
      <Group gap={4} wrap="nowrap">
        <ButtonLink
          to="/creative-groups/edit"
          search={{ uuid: group.uuid }}
          variant="subtle"
          size="compact-sm"
          aria-label={`Edit ${group.name}`}
        >
          Edit
        </ButtonLink>
        <ArchiveMenu
          path="internal_creative_group"
          uuid={group.uuid}
          name={group.name}
          archivedAt={group.archived_at}
        />
      </Group>
    ),
  },
];

const searchText = (group: CreativeGroup) => `${group.name} ${group.description} ${group.uuid}`;
const isArchived = ({ archived_at: archivedAt }: CreativeGroup) => archivedAt !== null;

/** /creative-groups */
export function CreativeGroupsScreen() {
  return (
    <>
      <PageHeader title="Creative groups" />
      <CreativeGroupsTab />
    </>
  );
}

/** Table of the company's creative groups. */
export function CreativeGroupsTab() {
  const { data: groups } = useQuery(creativeGroupsQuery);
  const [table, setTable] = useTableSearch();
  const add = (
    <ButtonLink to="/creative-groups/edit" search={{}} leftSection={<IconPlus size={16} />}>
      Add creative group
    </ButtonLink>
  );
  return (
    <DataTable
      label="creative groups"
      columns={columns}
      rows={groups}
      rowId={(group) => group.uuid}
      rowName={(group) => group.name}
      searchText={searchText}
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      toolbar={add}
      empty={
        <EmptyState
          title={messages.emptyTable}
          text="A group holds the creatives that an ad set shows in turn."
          action={add}
        />
      }
    />
  );
}
