import { type TrackingLink, trackingLinkVersion } from '@bidwell/contract/tracking-links/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { IconPlus } from '@tabler/icons-react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { trackingLinksQuery, updateTrackingLink } from '../../entities/tracking-links/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';

/** Name of the measurement partner; '-' without one. */
function partnerName({ app }: TrackingLink): string {
  const names: ReadonlyMap<string, string> = new Map(Object.entries(mmpNames));
  return names.get(app.mobile_measurement_partner) ?? '-';
}

const saving = {
  list: trackingLinksQuery,
  version: trackingLinkVersion,
  save: updateTrackingLink,
  permission: 'tracking_link.write',
} as const;

const trackingLinkColumns: Column<TrackingLink>[] = [
  titleColumn(saving),
  descriptionColumn(saving),
  { id: 'app', header: 'App', sortBy: (link) => link.app.name, cell: (link) => link.app.name },
  {
    id: 'company',
    header: 'Tracking company',
    sortBy: partnerName,
    cell: (link) => partnerName(link),
  },
  editColumn('/tracking-links/edit', 'tracking_link'),
];

const searchText = (link: TrackingLink) => `${link.name} ${link.description} ${link.app.name} ${link.uuid}`;

const filters = {
  statusOf: (link: TrackingLink) => link.status,
  appsOf: (link: TrackingLink) => [link.app],
};

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
  const figures = useLoadable(trackingLinksQuery);
  return (
    <EntityTable
      label="tracking links"
      columns={trackingLinkColumns}
      rows={knownData(figures)}
      figures={figures}
      searchText={searchText}
      filters={filters}
      minWidth={820}
      emptyText={screenMessages.trackingLinksEmpty}
      add={
        <IfMay permission="tracking_link.write">
          <ButtonLink to="/tracking-links/edit" search={{}} leftSection={<IconPlus size={16} />}>
            Add tracking link
          </ButtonLink>
        </IfMay>
      }
    />
  );
}
