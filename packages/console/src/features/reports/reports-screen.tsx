import type { DefaultReport } from '@bidwell/contract/analytics';
import type { ReportMetric } from '@bidwell/contract/metrics';
import { ALL_METRICS, REPORT_METRICS } from '@bidwell/contract/metrics';
import { Alert, Button, Group, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { IconPhoto, IconPrinter, IconSearch, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formatDay } from '../../lib/format.ts';
import { bundleQuery, downloadReport, levelQuery } from '../../lib/queries/analytics.ts';
import { campaignsQuery } from '../../lib/queries/campaigns.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { CampaignSelect } from '../../ui/campaign-select.tsx';
import { DateRangePicker } from '../../ui/date-range-picker.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useCampaignCreatives } from './campaign-creatives.ts';
import { CheckList } from './check-list.tsx';
import { LevelPicker } from './level-picker.tsx';
import { ReportChart } from './report-chart.tsx';
import { reportMetrics } from './report-columns.ts';
import { ExportMenu } from './export-menu.tsx';
import { csvFile, csvText, reportTable, saveFile } from './report-csv.ts';
import { ReportFilters } from './report-filters.tsx';
import { asLevelReport, matchingRows, openablePaths } from './report-rows.ts';
import type { ReportSearch, ReportState } from './report-search.ts';
import { chartText, filterSearch, levelsText, metricsText, readReport } from './report-search.ts';
import { ReportTree } from './report-tree.tsx';
import { usePrinting } from './use-printing.ts';
import { ViewsMenu } from './views-menu.tsx';
import { Segments, optionsOf } from '../../ui/segments.tsx';

type Search = ReportSearch & { q?: string; sort?: string };
type Range = { start: string; end: string };

/** Reports by campaign, as a tree of selected levels, and by publisher bundle. The URL holds all settings. */
export function ReportsScreen() {
  const dates = useRangeSearch();
  const { range } = dates;
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const state = useMemo(() => readReport(search), [search]);
  const { mode, campaignUuid, levels, metrics, filters } = state;
  const { data: campaigns = [] } = useQuery(campaignsQuery);
  const creatives = useCampaignCreatives(campaignUuid, range);
  const { report, error } = useReport(range, state);
  const printing = usePrinting();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => matchingRows(report?.rows ?? [], search.q), [report, search.q]);
  const openable = useMemo(() => openablePaths(report?.rows ?? []), [report]);
  const isAnyOpen = openable.some((path) => open.has(path));
  const change = (changes: Partial<Search>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });
  const shownLevels = mode === 'Bundle' ? (['bundle'] as const) : levels;
  const fileName = (part: string) => `bidwell-${mode.toLowerCase()}${part}-${range.start}-${range.end}.csv`;
  const exportView = async () => {
    if (!report) return;
    const table = reportTable({ ...report, rows: [...rows] }, shownLevels, metrics);
    saveFile(fileName(''), csvFile(await csvText(table)));
  };
  const exportAll = async () => {
    const all = await downloadReport(range, shownLevels, withCampaign(filters, campaignUuid), metrics);
    saveFile(fileName('-all'), all);
  };
  return (
    <>
      <PageHeader
        title="Reports"
        actions={
          <Group gap="xs" className="no-print">
            <DateRangePicker choice={dates} />
            <ViewsMenu range={range} />
            <ExportMenu
              ready={report !== undefined && report.rows.length > 0}
              onView={exportView}
              onAll={exportAll}
              day={range.end}
            />
            <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()}>
              Print
            </Button>
          </Group>
        }
      />
      <Text size="sm" mb="sm" className="print-only">
        {formatDay(range.start)} – {formatDay(range.end)}
      </Text>
      <Group gap="xs" mb="xs" className="no-print">
        <Segments
          label="Report mode"
          value={mode}
          onChange={(value) => change({ mode: value === 'Bundle' ? 'Bundle' : undefined })}
          options={optionsOf(['Campaign', 'Bundle'])}
        />
        <CampaignSelect
          hideLabel
          campaigns={campaigns}
          value={campaignUuid ?? null}
          onChange={(uuid) => change({ campaign_uuid: uuid ?? undefined, creative: undefined })}
          w={240}
        />
        {campaignUuid && creatives.length > 0 && (
          <CheckList
            label="Creatives"
            icon={<IconPhoto size={16} />}
            choices={creatives}
            value={filters.creative ?? creatives.map(({ value }) => value)}
            onChange={(values) =>
              change({ creative: values.length === creatives.length ? undefined : values.join(',') })
            }
          />
        )}
        <ReportFilters
          filters={filters}
          range={range}
          campaignUuid={campaignUuid}
          onChange={(next) => change(filterSearch(next))}
          onReset={() => change({ ...filterSearch({}), campaign_uuid: undefined })}
        />
      </Group>
      <ReportChart
        range={range}
        campaignUuid={campaignUuid}
        filters={useJoined(filters)}
        metrics={state.chart}
        onMetricsChange={(chosen) => change({ chart: chartText(chosen) })}
        group={state.group}
        onGroupChange={(group) => change({ group })}
      />
      <Group gap="xs" mb="xs" className="no-print">
        {mode === 'Campaign' && (
          <LevelPicker value={levels} onChange={(next) => change({ levels: levelsText(next) })} />
        )}
        <CheckList
          label="Metrics"
          icon={<IconTable size={16} />}
          choices={ALL_METRICS.map((metric) => ({ value: metric, label: reportMetrics[metric].label }))}
          value={metrics}
          onChange={(values) => change({ metrics: metricsText(values as ReportMetric[]) })}
        />
        <Switch
          label="Compare"
          title="With the period before"
          checked={state.compare}
          onChange={(event) => change({ compare: event.currentTarget.checked || undefined })}
        />
        <TextInput
          aria-label="Search the report"
          placeholder="Search"
          leftSection={<IconSearch size={15} />}
          value={search.q ?? ''}
          onChange={(event) => change({ q: event.currentTarget.value || undefined })}
          w={{ base: '100%', xs: 200 }}
        />
        {openable.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => setOpen(isAnyOpen ? new Set() : new Set(openable))}
          >
            {isAnyOpen ? 'Close all' : 'Open all'}
          </Button>
        )}
      </Group>
      {error && !report ? (
        <Alert color="red" title="The report could not be made">
          {error.message}
        </Alert>
      ) : report ? (
        <ReportTree
          report={report}
          rows={rows}
          metrics={metrics}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          open={open}
          onToggle={(path) => {
            const next = new Set(open);
            if (!next.delete(path)) next.add(path);
            setOpen(next);
          }}
          whole={printing}
          empty={`Nothing matches “${search.q}”.`}
        />
      ) : (
        <Skeleton height={280} />
      )}
    </>
  );
}

/**
 * Fetches the report of the URL. The bundle call supports only campaign and creatives as filters, no comparison and
 * no additional metrics; the level call is used for those.
 */
function useReport(
  range: Range,
  { mode, campaignUuid, levels, filters, metrics, compare }: ReportState,
): { report: DefaultReport | undefined; error: Error | null } {
  const joined = useJoined(filters);
  const more = metrics.filter((metric) => !(REPORT_METRICS as readonly string[]).includes(metric));
  const simple =
    mode === 'Bundle' &&
    !compare &&
    more.length === 0 &&
    Object.keys(joined).every((key) => key === 'creative');
  const bundles = useQuery({
    ...bundleQuery(range, campaignUuid, filters.creative ?? []),
    enabled: simple,
  });
  const tree = useQuery({
    ...levelQuery(range, mode === 'Bundle' ? ['bundle'] : levels, withCampaign(filters, campaignUuid), {
      ...(more.length > 0 && { metrics: [...REPORT_METRICS, ...more] }),
      compare,
    }),
    enabled: !simple,
  });
  const bundleReport = useMemo(() => bundles.data && asLevelReport(bundles.data), [bundles.data]);
  return simple ? { report: bundleReport, error: bundles.error } : { report: tree.data, error: tree.error };
}

/** Filters as comma-joined values, memoized. */
function useJoined(filters: ReportState['filters']): Record<string, string> {
  return useMemo(() => joinedOf(filters), [filters]);
}

const joinedOf = (filters: ReportState['filters']): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, values.join(',')]));

const withCampaign = (filters: ReportState['filters'], campaignUuid: string | undefined) => ({
  ...joinedOf(filters),
  ...(campaignUuid && { campaign: campaignUuid }),
});
