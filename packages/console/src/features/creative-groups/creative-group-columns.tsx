import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { updateCreativeGroup } from '../../lib/queries/creative-groups.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { actionsColumn, descriptionColumn, titleColumn } from '../../ui/entity-columns.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';
import { CountsSummary } from './counts-summary.tsx';
import { summaryNames } from './group-values.ts';

/** Columns of a table of creative groups. */
export const creativeGroupColumns: Column<CreativeGroup>[] = [
  titleColumn('group id', updateCreativeGroup),
  descriptionColumn(updateCreativeGroup),
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
  actionsColumn((group) => (
    <>
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
    </>
  )),
];
