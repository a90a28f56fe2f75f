import type { Target } from '@bidwell/contract/target';
import { messages } from '@bidwell/contract/messages';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { targetsQuery } from '../../lib/queries/targets.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { targetColumns } from './target-columns.tsx';

const searchText = (target: Target) =>
  `${target.name} ${target.description} ${target.app.name} ${target.uuid}`;
const isArchived = ({ archived_at: archivedAt }: Target) => archivedAt !== null;

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
      columns={targetColumns}
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
