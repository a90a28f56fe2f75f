import { type Target, targetVersion } from '@bidwell/contract/targets/schema';
import { Skeleton, Stack, Text } from '@mantine/core';
import { targetsQuery, updateTarget } from '../../entities/targets/queries.ts';
import { descriptionColumn, editColumn, titleColumn } from '../../entities/archive/entity-columns.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { useTargetNames } from './target-names.ts';
import { targetSummary } from './target-summary.ts';

const saving = {
  list: targetsQuery,
  version: targetVersion,
  save: updateTarget,
  permission: 'target.write',
} as const;

/** Columns of a table of targets. */
export const targetColumns: Column<Target>[] = [
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
  const names = useTargetNames({ models: target.device_models.length > 0 });
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
