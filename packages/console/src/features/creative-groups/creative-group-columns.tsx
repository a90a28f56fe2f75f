import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { creativeGroupsQuery, updateCreativeGroup } from '../../entities/creative-groups/queries.ts';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { CountsSummary } from './counts-summary.tsx';
import { summaryNames } from './group-values.ts';

/** Columns of a table of creative groups. */
export const creativeGroupColumns: Column<CreativeGroup>[] = [
  titleColumn(creativeGroupsQuery, updateCreativeGroup),
  descriptionColumn(creativeGroupsQuery, updateCreativeGroup),
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
  editColumn('/creative-groups/edit', 'internal_creative_group'),
];
