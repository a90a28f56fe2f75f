import { type Target, targetVersion } from '@bidwell/contract/targets/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { targetsQuery, updateTarget } from '../../entities/targets/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { hasAudiences } from './audience-words.ts';
import { useTargetNames } from './target-names.ts';
import { targetSummary } from './target-summary.ts';

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

const saving = {
  list: targetsQuery,
  version: targetVersion,
  save: updateTarget,
  permission: 'target.write',
} as const;

const targetColumns: Column<Target>[] = [
  titleColumn(saving),
  descriptionColumn(saving),
  { id: 'app', header: 'App', sortBy: (target) => target.app.name, cell: (target) => target.app.name },
  {
    id: 'settings',
    header: 'Target settings',
    width: 360,
    cell: (target) => <Settings target={target} />,
  },
  editColumn('/targets/edit', 'target'),
];

/** A target's settings by display name, a line for each group. */
function Settings({ target }: { target: Target }) {
  const names = useTargetNames({
    models: target.device_models.length > 0,
    regions: [...target.region_include, ...target.region_exclude],
    audiences: hasAudiences(target),
  });
  return (
    <Stack gap={0} miw={260}>
      {targetSummary(target.app.os, target, names).map(({ label, text }) => (
        <Text key={label} size="xs">
          <Text span inherit c="dimmed">
            {label}:{' '}
          </Text>
          {names.ready ? text : <Skeleton component="span" display="inline-block" w={120} h={10} />}
        </Text>
      ))}
    </Stack>
  );
}
