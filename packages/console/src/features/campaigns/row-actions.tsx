import { Group } from '@mantine/core';
import { IconChartBar, IconPencil } from '@tabler/icons-react';
import { ActionIconLink } from '../../ui/links.tsx';
import type { TreeRow } from './tree-rows.ts';

/** The ways on from a row. */
export function RowActions({ row }: { row: TreeRow }) {
  if (row.kind === 'adset' && row.adset) {
    return (
      <Group justify="flex-end">
        <ActionIconLink
          to="/adset/edit"
          search={{ uuid: row.adset.uuid }}
          variant="subtle"
          color="gray"
          aria-label={`Edit ad set ${row.name}`}
        >
          <IconPencil size={16} />
        </ActionIconLink>
      </Group>
    );
  }
  if (row.kind !== 'campaign') return null;
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <ActionIconLink
        to="/reports"
        search={{ campaign_uuid: row.campaign.uuid }}
        variant="subtle"
        color="gray"
        aria-label={`Report of ${row.name}`}
      >
        <IconChartBar size={16} />
      </ActionIconLink>
      <ActionIconLink
        to="/campaigns/edit"
        search={{ uuid: row.campaign.uuid }}
        variant="subtle"
        color="gray"
        aria-label={`Edit ${row.name}`}
      >
        <IconPencil size={16} />
      </ActionIconLink>
    </Group>
  );
}
