import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { IconPlus } from '@tabler/icons-react';
import { creativeLists } from '../../entities/creatives/creative-lists.ts';
import { useFigures } from '../../lib/figures.ts';
import { creativeGroupsQuery } from '../../entities/creative-groups/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { creativeGroupColumns } from './creative-group-columns.tsx';

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
  const figures = useFigures(creativeGroupsQuery);
  return (
    <EntityTable
      label="creative groups"
      columns={creativeGroupColumns}
      rows={figures.data}
      figures={figures}
      searchText={searchText}
      filters={filters}
      emptyText={screenMessages.groupsEmpty}
      add={
        <ButtonLink to="/creative-groups/edit" search={{}} leftSection={<IconPlus size={16} />}>
          Add creative group
        </ButtonLink>
      }
    />
  );
}
