import type { ReportLevel } from '@bidwell/contract/metrics';
import { DEFAULT_LEVELS, REPORT_LEVELS } from '@bidwell/contract/metrics';
import { Group, MultiSelect, SegmentedControl, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { bundleQuery, levelQuery } from '../../lib/queries/analytics.ts';
import { campaignsQuery } from '../../lib/queries/campaigns.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { DateRangePicker } from '../../ui/date-range-picker.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BundleTable } from './bundle-table.tsx';
import { levelLabels } from './report-columns.ts';
import { ReportTree } from './report-tree.tsx';

const LEVELS_MAX = 6;

interface ReportSearch {
  mode?: 'Campaign' | 'Bundle';
  campaign_uuid?: string;
  /** Levels with commas between, in their order. */
  levels?: string;
}

/** Reports by campaign (a tree of chosen levels) and by publisher bundle. */
export function ReportsScreen() {
  const [range, setRange] = useRangeSearch();
  const navigate = useNavigate();
  const {
    mode = 'Campaign',
    campaign_uuid: campaignUuid,
    levels: levelText,
  } = useSearch({ strict: false }) as ReportSearch;
  const levels = readLevels(levelText);
  const { data: campaigns = [] } = useQuery(campaignsQuery);
  const tree = useQuery({
    ...levelQuery(range, levels, campaignUuid ? { campaign: campaignUuid } : {}),
    enabled: mode === 'Campaign',
  });
  const bundles = useQuery({ ...bundleQuery(range, campaignUuid), enabled: mode === 'Bundle' });
  const change = (search: ReportSearch) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...search }), replace: true });
  return (
    <>
      <PageHeader title="Reports" actions={<DateRangePicker value={range} onChange={setRange} />} />
      <Group mb="md" align="flex-end">
        <SegmentedControl
          aria-label="Report mode"
          value={mode}
          onChange={(value) => change({ mode: value as 'Campaign' | 'Bundle' })}
          data={['Campaign', 'Bundle']}
        />
        <Select
          aria-label="Campaign"
          placeholder="All campaigns"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'All campaigns' }}
          data={campaigns.map((campaign) => ({ value: campaign.uuid, label: campaign.name }))}
          value={campaignUuid ?? null}
          onChange={(uuid) => change({ campaign_uuid: uuid ?? undefined })}
          w={240}
        />
        {mode === 'Campaign' && (
          <MultiSelect
            aria-label="Levels"
            data={REPORT_LEVELS.map((level) => ({ value: level, label: levelLabels[level] }))}
            value={levels}
            maxValues={LEVELS_MAX}
            onChange={(values) => change({ levels: values.length > 0 ? values.join(',') : undefined })}
            clearable
            clearButtonProps={{ 'aria-label': 'Default levels' }}
            maw={520}
            style={{ flex: 1, minWidth: 240 }}
          />
        )}
      </Group>
      {mode === 'Bundle' ? (
        <BundleTable report={bundles.data} />
      ) : tree.data ? (
        <ReportTree report={tree.data} />
      ) : (
        <Skeleton height={240} />
      )}
    </>
  );
}

/** The levels named in the address; those that are unknown are left out, and none at all means the default. */
function readLevels(text: string | undefined): ReportLevel[] {
  const named = (text ?? '')
    .split(',')
    .filter((level): level is ReportLevel => (REPORT_LEVELS as readonly string[]).includes(level));
  return named.length > 0 ? [...new Set(named)].slice(0, LEVELS_MAX) : [...DEFAULT_LEVELS];
}
