import { messages } from '@bidwell/contract/messages';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trackingLinksQuery, updateTrackingLink } from '../../lib/queries/tracking-links.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Column } from '../../ui/table-state.ts';
import type { MmpRules } from './mmp-rules.ts';
import { mmpRules } from './mmp-rules.ts';

/** Name of the measurement partner; '-' without one. */
function partnerName({ app }: TrackingLink): string {
  const rules: ReadonlyMap<string, MmpRules> = new Map(Object.entries(mmpRules));
  return rules.get(app.mobile_measurement_partner)?.name ?? '-';
}

const columns: Column<TrackingLink>[] = [
  {
    id: 'name',
    header: 'Title',
    sortBy: (link) => link.name,
    cell: (link) => (
      <Stack gap={3}>
        <InlineEdit
          label="Title"
          kind="title"
          value={link.name}
          onSave={(name) => updateTrackingLink(link.uuid, { name })}
        />
        <CopyText value={link.uuid} label="tracking link id" />
      </Stack>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    cell: (link) => (
      <InlineEdit
        label="Description"
        kind="description"
        value={link.description}
        onSave={(description) => updateTrackingLink(link.uuid, { description })}
      />
    ),
  },
  { id: 'app', header: 'App', sortBy: (link) => link.app.name, cell: (link) => link.app.name },
  {
    id: 'company',
    header: 'Tracking company',
    sortBy: partnerName,
    cell: (link) => partnerName(link),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (link) => (
      <Group gap={4} wrap="nowrap">
        <ButtonLink
          to="/tracking-links/edit"
          search={{ uuid: link.uuid }}
          variant="subtle"
          size="compact-sm"
          aria-label={`Edit ${link.name}`}
        >
          Edit
        </ButtonLink>
        <ArchiveMenu path="tracking_link" uuid={link.uuid} name={link.name} archivedAt={link.archived_at} />
      </Group>
    ),
  },
];

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
      columns={columns}
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
