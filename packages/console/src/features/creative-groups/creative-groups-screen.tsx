import { type CreativeGroup, creativeGroupVersion } from '@bidwell/contract/creative-groups/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { IconPlus } from '@tabler/icons-react';
import { creativeLists } from '../../entities/creatives/creative-lists.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { creativeGroupsQuery, updateCreativeGroup } from '../../entities/creative-groups/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { CountsSummary } from './counts-summary.tsx';
import { summaryNames } from './group-values.ts';

const saving = {
  list: creativeGroupsQuery,
  version: creativeGroupVersion,
  save: updateCreativeGroup,
  permission: 'creative_group.write',
} as const;

/** Columns of a table of creative groups. */
const creativeGroupColumns: Column<CreativeGroup>[] = [
  titleColumn(saving),
  descriptionColumn(saving),
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

const searchText = (group: CreativeGroup) => `${group.name} ${group.description} ${group.uuid}`;

const filters = {
  statusOf: (group: CreativeGroup) => group.status,
  appsOf: (group: CreativeGroup) =>
    Object.values(creativeLists).flatMap((list) => group[list].map(({ app }) => app)),
};

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
  const figures = useLoadable(creativeGroupsQuery);
  return (
    <EntityTable
      label="creative groups"
      columns={creativeGroupColumns}
      rows={knownData(figures)}
      figures={figures}
      searchText={searchText}
      filters={filters}
      emptyText={screenMessages.groupsEmpty}
      add={
        <IfMay permission="creative_group.write">
          <ButtonLink to="/creative-groups/edit" search={{}} leftSection={<IconPlus size={16} />}>
            Add creative group
          </ButtonLink>
        </IfMay>
      }
    />
  );
}
