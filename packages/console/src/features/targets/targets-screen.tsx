import type { Target } from '@bidwell/contract/targets/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { IconPlus } from '@tabler/icons-react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { targetsQuery } from '../../entities/targets/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { targetColumns } from './target-columns.tsx';

const searchText = (target: Target) =>
  `${target.name} ${target.description} ${target.app.name} ${target.uuid}`;

const filters = { appsOf: (target: Target) => [target.app] };

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
  const figures = useLoadable(targetsQuery);
  return (
    <EntityTable
      label="targets"
      columns={targetColumns}
      rows={knownData(figures)}
      figures={figures}
      searchText={searchText}
      filters={filters}
      minWidth={960}
      rowHeight={80}
      emptyText={screenMessages.targetsEmpty}
      add={
        <IfMay permission="target.write">
          <ButtonLink to="/targets/edit" search={{}} leftSection={<IconPlus size={16} />}>
            Add target
          </ButtonLink>
        </IfMay>
      }
    />
  );
}
