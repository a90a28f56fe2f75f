import type { LevelRow } from '@bidwell/contract/analytics';
import type { Campaign } from '@bidwell/contract/campaign';
import type { Metrics } from '@bidwell/contract/metrics';
import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconChartBar, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { formatDay, formatMoney, formatNumber, formatPercent } from '../../lib/format.ts';
import { ActionIconLink, AnchorLink } from '../../ui/links.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';

/** A campaign and what it did in the chosen days. */
export interface CampaignRow {
  campaign: Campaign;
  metrics: Metrics;
}

const nothing: Metrics = {
  clicks: 0,
  installs: 0,
  impressions: 0,
  spends: 0,
  ctr: null,
  cpm: null,
  cpi: null,
};

/** Joins the campaigns with the report's rows of the level campaign. */
export function campaignRows(campaigns: readonly Campaign[], report: readonly LevelRow[]): CampaignRow[] {
  const byId = new Map(report.map((row) => [row.value, row]));
  return campaigns.map((campaign) => ({ campaign, metrics: byId.get(campaign.uuid) ?? nothing }));
}

interface ColumnOptions {
  total: Metrics | undefined;
  /** The campaign whose start or pause is under way. */
  busy: string | undefined;
  onToggle: (campaign: Campaign) => void;
}

export function campaignColumns({ total, busy, onToggle }: ColumnOptions): Column<CampaignRow>[] {
  const metric = (
    id: keyof Metrics,
    header: string,
    format: (value: number | null) => string,
  ): Column<CampaignRow> => ({
    id,
    header,
    numeric: true,
    cell: ({ metrics }) => format(metrics[id]),
    sortBy: ({ metrics }) => metrics[id],
    footer: total ? format(total[id]) : '',
  });
  return [
    {
      id: 'name',
      header: 'Campaign',
      sortBy: ({ campaign }) => campaign.name,
      footer: 'Total',
      cell: ({ campaign }) => (
        <Stack gap={0} miw={150}>
          <AnchorLink to="/campaigns/edit" search={{ uuid: campaign.uuid }} size="sm" fw={600}>
            {campaign.name}
          </AnchorLink>
          <CopyText value={campaign.uuid} label="campaign id" />
        </Stack>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      sortBy: ({ campaign }) => campaign.status,
      cell: ({ campaign }) => (
        <Group gap={6} wrap="nowrap">
          <ToggleButton campaign={campaign} busy={busy === campaign.uuid} onToggle={onToggle} />
          <StatusBadge status={campaign.status} />
        </Group>
      ),
    },
    {
      id: 'app',
      header: 'App',
      sortBy: ({ campaign }) => campaign.app.name,
      cell: ({ campaign }) => campaign.app.name,
    },
    {
      id: 'dates',
      header: 'Dates',
      sortBy: ({ campaign }) => campaign.start_date,
      cell: ({ campaign: { start_date, end_date } }) => (
        <Text size="xs" c="dimmed" miw={96}>
          {start_date || end_date
            ? `${start_date ? formatDay(start_date) : 'Now'} – ${end_date ? formatDay(end_date) : 'open'}`
            : 'No dates'}
        </Text>
      ),
    },
    metric('spends', 'Spend', formatMoney),
    metric('installs', 'Installs', (value) => formatNumber(value)),
    metric('cpi', 'CPI', formatMoney),
    metric('impressions', 'Impressions', (value) => formatNumber(value)),
    metric('clicks', 'Clicks', (value) => formatNumber(value)),
    metric('ctr', 'CTR', formatPercent),
    metric('cpm', 'CPM', formatMoney),
    {
      id: 'actions',
      header: '',
      cell: ({ campaign }) => (
        <Group gap={2} wrap="nowrap">
          <ActionIconLink
            to="/reports"
            search={{ campaign_uuid: campaign.uuid }}
            variant="subtle"
            color="gray"
            aria-label={`Report of ${campaign.name}`}
          >
            <IconChartBar size={16} />
          </ActionIconLink>
          <ActionIconLink
            to="/campaigns/edit"
            search={{ uuid: campaign.uuid }}
            variant="subtle"
            color="gray"
            aria-label={`Edit ${campaign.name}`}
          >
            <IconPencil size={16} />
          </ActionIconLink>
        </Group>
      ),
    },
  ];
}

interface ToggleButtonProps {
  campaign: Campaign;
  busy: boolean;
  onToggle: (campaign: Campaign) => void;
}

function ToggleButton({ campaign, busy, onToggle }: ToggleButtonProps) {
  const active = campaign.status === 'Active';
  const Icon = active ? IconPlayerPause : IconPlayerPlay;
  const label = `${active ? 'Pause' : 'Start'} ${campaign.name}`;
  return (
    <Tooltip label={active ? 'Pause' : 'Start'}>
      <ActionIcon
        variant="default"
        size="md"
        loading={busy}
        onClick={() => onToggle(campaign)}
        aria-label={label}
      >
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
