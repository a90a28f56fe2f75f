import { IconChartBar } from '@tabler/icons-react';
import { ActionIconLink } from '../../ui/links.tsx';
import type { TreeRow } from './tree-rows.ts';

/** The way from a campaign to its report; its name leads to its form. */
export function RowActions({ row }: { row: TreeRow }) {
  if (row.kind !== 'campaign') return null;
  return (
    <ActionIconLink
      to="/reports"
      search={{ campaign_uuid: row.campaign.uuid }}
      variant="subtle"
      color="gray"
      aria-label={`Report of ${row.name}`}
    >
      <IconChartBar size={16} />
    </ActionIconLink>
  );
}
