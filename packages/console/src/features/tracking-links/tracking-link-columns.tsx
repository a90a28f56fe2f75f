import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { trackingLinksQuery, updateTrackingLink } from '../../entities/tracking-links/queries.ts';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { type MmpRules, mmpRules } from '../../entities/measurement/mmp-rules.ts';

/** Name of the measurement partner; '-' without one. */
function partnerName({ app }: TrackingLink): string {
  const rules: ReadonlyMap<string, MmpRules> = new Map(Object.entries(mmpRules));
  return rules.get(app.mobile_measurement_partner)?.name ?? '-';
}

/** Columns of a table of tracking links. */
export const trackingLinkColumns: Column<TrackingLink>[] = [
  titleColumn(trackingLinksQuery, updateTrackingLink),
  descriptionColumn(trackingLinksQuery, updateTrackingLink),
  { id: 'app', header: 'App', sortBy: (link) => link.app.name, cell: (link) => link.app.name },
  {
    id: 'company',
    header: 'Tracking company',
    sortBy: partnerName,
    cell: (link) => partnerName(link),
  },
  editColumn('/tracking-links/edit', 'tracking_link'),
];
