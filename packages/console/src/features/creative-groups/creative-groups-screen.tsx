import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { messages } from '@bidwell/contract/messages';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { creativeGroupsQuery } from '../../lib/queries/creative-groups.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { creativeGroupColumns } from './creative-group-columns.tsx';

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
      columns={creativeGroupColumns}
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
