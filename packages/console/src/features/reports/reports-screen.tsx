import type { DefaultReport, DefaultRow } from '@bidwell/contract/reports/schema';
import { ALL_METRICS, type ReportLevel, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { CAMPAIGN_KINDS, CAMPAIGN_KIND_NAMES, type CampaignKind } from '@bidwell/contract/campaigns/kind';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Button, Group, NativeSelect, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconPhoto,
  IconPrinter,
  IconSearch,
  IconTable,
} from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Loadable, knownData, useKnown, useLoadable } from '../../lib/loadable.ts';
import { comparisonWords } from '../../lib/format/comparison-text.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { formatDay } from '../../lib/format/format.ts';
import { downloadReport } from '../../entities/reports/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { type RangeChoice, useRangeSearch } from '../../lib/range-search.ts';
import { useToday } from '../../lib/today.ts';
import { CampaignSelect } from '../../entities/campaigns/campaign-select.tsx';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Segments, optionsOf } from '../../ui/layout/segments.tsx';
import { useCampaignCreatives } from './campaign-creatives.ts';
import { CheckList } from './check-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LevelPicker } from './level-picker.tsx';
import { ReportChart } from './report-chart.tsx';
import { EventPicker } from './event-picker.tsx';
import { reportColumns } from './report-columns.ts';
import { reportMetrics } from '../../entities/reports/metric-views.ts';
import { csvFile, csvText, saveFile } from '../../lib/format/csv-file.ts';
import { reportTable } from './report-csv.ts';
import { ReportFilters } from './report-filters.tsx';
import { matchingRows, openablePaths } from './report-rows.ts';
import {
  type ReportSearch,
  type ReportState,
  chartText,
  filterSearch,
  levelsText,
  metricsText,
  readReport,
} from './report-search.ts';
import { ReportTree } from './report-tree.tsx';
import { ReportViews } from './report-views.tsx';
import { ScheduleButton } from './scheduled/schedule-button.tsx';
import { useJoinedFilters, useReport, withCampaign } from './use-report.ts';
import { usePrinting } from './use-printing.ts';
import { ViewsMenu } from './views-menu.tsx';

type Search = ReportSearch & { q?: string; sort?: string };

/** Changes the URL, which holds all settings of the report. */
type ChangeSearch = (changes: Partial<Search>) => void;

/** Reports by campaign, as a tree of selected levels, and by publisher bundle. The URL holds all settings. */
export function ReportsScreen() {
  const dates = useRangeSearch();
  const { range } = dates;
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const campaigns = useKnown(campaignsQuery);
  const state = useMemo(
    () => readReport(search, (uuid) => campaigns?.find((one) => one.uuid === uuid)?.kind),
    [search, campaigns],
  );
  const figures = useReport(range, state);
  const report = knownData(figures);
  const isCurrent = figures.state === 'current' || figures.state === 'outdated';
  const rows = useMemo(() => (report ? matchingRows(report.rows, search.q) : []), [report, search.q]);
  const printing = usePrinting();
  const expansion = useExpansion(report);
  const labels = report?.event_labels;
  const hasReturns = hasNamedReturns(report);
  const columns = useMemo(
    () => reportColumns(state.metrics, state.events, labels, hasReturns, state.onlyKind),
    [state.metrics, state.events, labels, hasReturns, state.onlyKind],
  );
  const change: ChangeSearch = (changes) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });
  return (
    <>
      <ReportHeader dates={dates} state={state} report={isCurrent ? report : undefined} rows={rows} />
      <ReportViews />
      <Text size="sm" mb="sm" className="print-only">
        {formatDay(range.start)} – {formatDay(range.end)}
      </Text>
      <ReportScope range={range} state={state} onChange={change} />
      <ReportChart
        range={range}
        campaignUuid={state.campaignUuid}
        campaignKind={state.campaignKind}
        filters={useJoinedFilters(state.filters)}
        metrics={state.chart}
        onMetricsChange={(metrics) => change({ chart: chartText(metrics, state.onlyKind) })}
        group={state.group}
        onGroupChange={(group) => change({ group })}
      />
      <TableControls range={range} state={state} q={search.q} onChange={change} expansion={expansion} />
      <FigureFrame figures={figures} what="The report">
        <ReportTree
          report={report}
          levels={levelsOf(state)}
          rows={rows}
          columns={columns}
          events={state.events}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          open={expansion.open}
          onToggle={expansion.toggle}
          whole={printing}
          empty={consoleMessages.nothingMatches(search.q ?? '')}
        />
      </FigureFrame>
    </>
  );
}

/** Whether the figures of named events have a part of re-engagement campaigns. */
const hasNamedReturns = (report: DefaultReport | undefined): boolean =>
  report?.total.named_events?.some((event) => event.re_engagement_count !== undefined) ?? false;

const bundleLevel = ['bundle'] as const;
const levelsOf = ({ mode, levels }: ReportState): readonly ReportLevel[] =>
  mode === 'Bundle' ? bundleLevel : levels;

interface Expansion {
  /** Paths of the expanded rows. */
  open: ReadonlySet<string>;
  toggle: (path: string) => void;
  isAnyOpen: boolean;
  /** Expands all rows, or collapses them if one is expanded; undefined if no row can be expanded. */
  toggleAll: (() => void) | undefined;
}

/** Which rows of the report are expanded. */
function useExpansion(report: DefaultReport | undefined): Expansion {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const openable = useMemo(() => (report ? openablePaths(report.rows) : []), [report]);
  const isAnyOpen = openable.some((path) => open.has(path));
  return {
    open,
    isAnyOpen,
    toggle: (path) => {
      const next = new Set(open);
      if (!next.delete(path)) next.add(path);
      setOpen(next);
    },
    toggleAll: openable.length > 0 ? () => setOpen(new Set(isAnyOpen ? [] : openable)) : undefined,
  };
}

interface ReportHeaderProps {
  dates: RangeChoice;
  state: ReportState;
  report: DefaultReport | undefined;
  /** The rows that match the search. */
  rows: readonly DefaultRow[];
}

/** The page's title with the date range, the saved views and the exports. */
function ReportHeader({ dates, state, report, rows }: ReportHeaderProps) {
  const { range } = dates;
  const { mode, campaignUuid, campaignKind, onlyKind, metrics, events, filters } = state;
  const levels = levelsOf(state);
  const fileName = (part: string) => `bidwell-${mode.toLowerCase()}${part}-${range.start}-${range.end}.csv`;
  const exportView = async () => {
    if (!report) return;
    const columns = reportColumns(metrics, events, report.event_labels, hasNamedReturns(report), onlyKind);
    const table = reportTable({ ...report, rows: [...rows] }, levels, columns);
    saveFile(fileName(''), csvFile(await csvText(table)));
  };
  const exportAll = async () => {
    const all = await downloadReport(range, levels, withCampaign(filters, campaignUuid), {
      metrics,
      events,
      kind: campaignKind,
    });
    saveFile(fileName('-all'), all);
  };
  return (
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
          <ScheduleButton
            report={{
              levels: Object.fromEntries(levels.map((level) => [level, ''])),
              filters: withCampaign(filters, campaignUuid),
              metrics: [...metrics],
              event_names: [...events],
              campaign_kind: campaignKind ?? null,
            }}
          />
          <SecondaryButton leftSection={<IconPrinter size={16} />} onClick={() => print()}>
            Print
          </SecondaryButton>
        </Group>
      }
    />
  );
}

interface ReportScopeProps {
  range: DateRange;
  state: ReportState;
  onChange: ChangeSearch;
}

/** What the report is about: its mode, campaign, creatives and filters. */
function ReportScope({ range, state, onChange }: ReportScopeProps) {
  const { mode, campaignUuid, campaignKind, filters } = state;
  const campaigns = useLoadable(campaignsQuery);
  const creatives = useCampaignCreatives(campaignUuid, range);
  return (
    <Group gap="xs" mb="xs" className="no-print">
      <Segments
        label="Report mode"
        value={mode}
        onChange={(value) => onChange({ mode: value === 'Bundle' ? 'Bundle' : undefined })}
        options={optionsOf(['Campaign', 'Bundle'])}
      />
      <KindSelect
        campaigns={campaigns}
        value={campaignKind}
        onChange={(kind) => onChange({ campaign_kind: kind })}
      />
      <CampaignSelect
        hideLabel
        campaigns={campaigns}
        value={campaignUuid ?? null}
        onChange={(uuid) => onChange({ campaign_uuid: uuid ?? undefined, creative: undefined })}
        w={240}
      />
      {campaignUuid && (
        <FigureFrame
          figures={creatives}
          what="The creatives"
          isSilent={creatives.state === 'stale'}
          skeleton={<Skeleton height={36} width={120} />}
        >
          {(known) =>
            known.length > 0 && (
              <CheckList
                label="Creatives"
                icon={<IconPhoto size={16} />}
                choices={known}
                value={filters.creative ?? known.map(({ value }) => value)}
                onChange={(values) =>
                  onChange({ creative: values.length === known.length ? undefined : values.join(',') })
                }
              />
            )
          }
        </FigureFrame>
      )}
      <ReportFilters
        filters={filters}
        range={range}
        campaignUuid={campaignUuid}
        onChange={(next) => onChange(filterSearch(next))}
        onReset={() => onChange({ ...filterSearch({}), campaign_uuid: undefined, campaign_kind: undefined })}
      />
    </Group>
  );
}

interface KindSelectProps {
  campaigns: Loadable<readonly { kind: CampaignKind }[]>;
  value: CampaignKind | undefined;
  onChange: (kind: CampaignKind | undefined) => void;
}

/** Limits a report to campaigns of one kind; offered once the company has both. */
function KindSelect({ campaigns, value, onChange }: KindSelectProps) {
  const kinds = new Set(knownData(campaigns)?.map(({ kind }) => kind));
  if (kinds.size < 2 && value === undefined) return null;
  return (
    <NativeSelect
      aria-label="Kind of campaigns"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(CAMPAIGN_KINDS.find((kind) => kind === currentTarget.value))}
      data={[
        { value: '', label: 'All kinds' },
        ...CAMPAIGN_KINDS.map((kind) => ({ value: kind, label: CAMPAIGN_KIND_NAMES[kind] })),
      ]}
    />
  );
}

interface TableControlsProps {
  range: DateRange;
  state: ReportState;
  /** The search in the rows. */
  q: string | undefined;
  onChange: ChangeSearch;
  expansion: Expansion;
}

/** What the table shows: its levels, metrics, comparison and search; folded on a phone, where they would push it out of sight. */
function TableControls({ range, state, q, onChange, expansion }: TableControlsProps) {
  const comparison = comparisonWords(range, useToday());
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <>
      <SecondaryButton
        mb="xs"
        hiddenFrom="sm"
        className="no-print"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        Levels, metrics and search
      </SecondaryButton>
      <Group gap="xs" mb="xs" className="no-print" {...(!isUnfolded && { visibleFrom: 'sm' })}>
        {state.mode === 'Campaign' && (
          <LevelPicker value={state.levels} onChange={(levels) => onChange({ levels: levelsText(levels) })} />
        )}
        <CheckList
          label="Metrics"
          icon={<IconTable size={16} />}
          choices={ALL_METRICS.map((metric) => ({ value: metric, label: reportMetrics[metric].label }))}
          value={state.metrics}
          onChange={(values) => onChange({ metrics: metricsText(values as ReportMetric[], state.onlyKind) })}
        />
        <EventPicker
          range={range}
          campaignUuid={state.campaignUuid}
          value={state.events}
          onChange={(events) => onChange({ events: events.length > 0 ? events : undefined })}
        />
        <Switch
          label={state.compare ? comparison.about : 'Compare'}
          aria-label="Compare"
          title={comparison.about}
          checked={state.compare}
          onChange={(event) => onChange({ compare: event.currentTarget.checked || undefined })}
        />
        <TextInput
          aria-label="Search the report"
          placeholder="Search"
          leftSection={<IconSearch size={15} />}
          value={q ?? ''}
          onChange={(event) => onChange({ q: event.currentTarget.value || undefined })}
          w={{ base: '100%', xs: 200 }}
        />
        {expansion.toggleAll && (
          <Button variant="subtle" color="gray" onClick={expansion.toggleAll}>
            {expansion.isAnyOpen ? 'Collapse all' : 'Expand all'}
          </Button>
        )}
      </Group>
    </>
  );
}
