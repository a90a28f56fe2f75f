import { messages } from '@bidwell/contract/messages';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trackingLinksQuery } from '../../lib/queries/tracking-links.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { trackingLinkColumns } from './tracking-link-columns.tsx';

const searchText = (link: TrackingLink) => `${link.name} ${link.description} ${link.app.name} ${link.uuid}`;
const isArchived = ({ archived_at: archivedAt }: TrackingLink) => archivedAt !== null;

/** /tracking-links */
export function TrackingLinksScreen() {
  return (
    <>
      <PageHeader title="Tracking links" />
      <TrackingLinksTab />
    </>
  );
}

/** Table of the company's tracking links. */
export function TrackingLinksTab() {
  const { data: links } = useQuery(trackingLinksQuery);
  const [table, setTable] = useTableSearch();
  const add = (
    <ButtonLink to="/tracking-links/edit" search={{}} leftSection={<IconPlus size={16} />}>
      Add tracking link
    </ButtonLink>
  );
  return (
    <DataTable
      label="tracking links"
      columns={trackingLinkColumns}
      rows={links}
      rowId={(link) => link.uuid}
      searchText={searchText}
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      toolbar={add}
      minWidth={820}
      empty={
        <EmptyState
          title={messages.emptyTable}
          text="A tracking link is where a click goes: your measurement partner, which then reports the install."
          action={add}
        />
      }
    />
  );
}
