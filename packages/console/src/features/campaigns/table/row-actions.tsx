import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { IconChartBar, IconChartFunnel } from '@tabler/icons-react';
import { ArchiveMenu } from '../../../entities/archive/archive-menu.tsx';
import { ActionIconLink } from '../../../ui/layout/links.tsx';
import type { TreeRow } from './tree-rows.ts';

/** Links to the report and to the delivery of a campaign, and the archive menu of a row. */
export function RowActions({ row }: { row: TreeRow }) {
  if (row.kind === 'adset' && row.adset) return <Archive path="adset" item={row.adset} />;
  if (row.kind !== 'campaign') return null;
  return (
    <>
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
        to="/campaigns/delivery"
        search={{ uuid: row.campaign.uuid }}
        variant="subtle"
        color="gray"
        aria-label={`Delivery of ${row.name}`}
      >
        <IconChartFunnel size={16} />
      </ActionIconLink>
      <Archive path="campaign" item={row.campaign} />
    </>
  );
}

function Archive({ path, item }: { path: 'adset' | 'campaign'; item: AdsetSummary | Campaign }) {
  return <ArchiveMenu path={path} uuid={item.uuid} name={item.name} archivedAt={item.archived_at} />;
}
