import type { Campaign } from '@bidwell/contract/campaign';
import { messages } from '@bidwell/contract/messages';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Group } from '../../lib/queries/analytics.ts';
import { highlightsQuery, levelQuery } from '../../lib/queries/analytics.ts';
import { campaignsQuery, pauseCampaign, startCampaign } from '../../lib/queries/campaigns.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateRangePicker } from '../../ui/date-range-picker.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { campaignColumns, campaignRows } from './campaign-columns.tsx';
import { HighlightStrip } from './highlight-strip.tsx';
import { OverviewChart } from './overview-chart.tsx';

const campaignLevel = ['campaign'] as const;

/** The home of the console: what was bought, what it cost, and the campaigns that did it. */
export function CampaignsScreen() {
  const [range, setRange] = useRangeSearch();
  const [table, setTable] = useTableSearch();
  const navigate = useNavigate();
  const { group = 'day' } = useSearch({ strict: false }) as { group?: Group };
  const { data: highlights } = useQuery(highlightsQuery(range, group));
  const { data: report } = useQuery(levelQuery(range, campaignLevel));
  const { data: campaigns } = useQuery(campaignsQuery);
  const toggle = useMutation({
    mutationFn: (campaign: Campaign) =>
      campaign.status === 'Active' ? pauseCampaign(campaign.uuid) : startCampaign(campaign.uuid),
    onSuccess: ({ name, status }) =>
      toastSuccess(`“${name}” is ${status === 'Active' ? 'running' : 'paused'}`),
    onError: (error) => toastError(error),
  });
  const rows = useMemo(() => campaigns && campaignRows(campaigns, report?.rows ?? []), [campaigns, report]);
  const columns = campaignColumns({
    total: report?.total,
    busy: toggle.isPending ? toggle.variables.uuid : undefined,
    onToggle: toggle.mutate,
  });
  const newCampaign = (
    <ButtonLink to="/campaigns/create" leftSection={<IconPlus size={16} />}>
      New Campaign
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Campaigns"
        actions={
          <>
            <DateRangePicker value={range} onChange={setRange} />
            {newCampaign}
          </>
        }
      />
      <HighlightStrip highlights={highlights} />
      <OverviewChart
        highlights={highlights}
        group={group}
        onGroupChange={(value) =>
          void navigate({ to: '.', search: (before: object) => ({ ...before, group: value }), replace: true })
        }
      />
      <DataTable
        label="campaigns"
        columns={columns}
        rows={rows}
        rowId={({ campaign }) => campaign.uuid}
        searchText={({ campaign }) => `${campaign.name} ${campaign.app.name} ${campaign.uuid}`}
        state={table}
        onStateChange={setTable}
        empty={
          <EmptyState
            title={messages.emptyCampaigns}
            text="A campaign buys installs for one app through its ad sets. Add an app, a creative, a target and a tracking link first; then start here."
            action={newCampaign}
          />
        }
      />
    </>
  );
}
