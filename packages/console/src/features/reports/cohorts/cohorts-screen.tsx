import { COHORT_GROUPS, COHORT_METRICS, type CohortMetric } from '@bidwell/contract/reports/cohorts';
import { REPORT_KEYS, type ReportKey } from '@bidwell/contract/reports/metrics';
import { EVENT_FORMATS } from '@bidwell/contract/reports/schema';
import { Group, Menu, NativeSelect, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { CampaignSelect } from '../../../entities/campaigns/campaign-select.tsx';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { type CohortChoice, cohortsQuery, downloadCohorts } from '../../../entities/reports/queries.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { saveFile } from '../../../lib/format/csv-file.ts';
import { labelInRange } from '../../../lib/format/dates.ts';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { useDrawn } from '../../../lib/use-drawn.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { DateRangePicker } from '../../../ui/form/date-range-picker.tsx';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { levelLabels } from '../report-columns.ts';
import { ReportFilters } from '../report-filters.tsx';
import { filterSearch, filtersIn } from '../report-search.ts';
import { ReportViews } from '../report-views.tsx';
import { withCampaign } from '../use-report.ts';
import { CohortCurve } from './cohort-curve.tsx';
import { cohortMetrics, isOfRevenue } from './cohort-metrics.ts';
import type { CohortSearch } from './cohort-search.ts';
import { CohortTable } from './cohort-table.tsx';

const groupLabels = { day: 'Day', week: 'Week', month: 'Month' } as const;
const fileLabels = { csv: 'CSV', parquet: 'Parquet' } as const;
const NONE = '';

/** The value of people by days since their install, by cohort. The URL holds all settings. */
export function CohortsScreen() {
  // A week's installs are too young for most days of the table.
  const dates = useRangeSearch('Last 30 Days');
  const { range } = dates;
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as CohortSearch;
  const { group = 'week', by, metric = 'roas', campaign_uuid: campaignUuid } = search;
  const filters = useMemo(() => withCampaign(filtersIn(search), campaignUuid), [search, campaignUuid]);
  const figures = useLoadable(cohortsQuery(range, { group, by, filters }, isOfRevenue(metric)));
  const report = knownData(figures);
  const change = (changes: Partial<CohortSearch>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });
  const drawnRange = useDrawn(range, figures.state === 'stale');
  const drawnGroup = useDrawn(group, figures.state === 'stale');
  const labelOf = (cohort: string) => labelInRange(cohort, drawnGroup, drawnRange);
  return (
    <>
      <PageHeader
        title="Cohorts"
        description="People, grouped by the time of their install. Day n is the 24 hours that begin n days after the install."
        actions={
          <Group gap="xs" className="no-print">
            <DateRangePicker choice={dates} />
            <ExportMenu range={range} choice={{ group, by, filters }} />
          </Group>
        }
      />
      <ReportViews />
      <CohortScope range={range} search={search} onChange={change} />
      <Stack gap="md">
        <CohortCurve
          figures={figures}
          metric={metric}
          curve={search.curve}
          onCurveChange={(curve) => change({ curve })}
          labelOf={labelOf}
        />
        <div>
          <FigureFrame figures={figures} what="The cohorts">
            <CohortTable report={report} metric={metric} by={by} labelOf={labelOf} />
          </FigureFrame>
          <Caption mt="xs">
            {cohortMetrics[metric].about} Grey figures cover only the installs that are old enough.
            {report !== undefined &&
              report.total.unknown_amounts > 0 &&
              ` ${formatNumber(report.total.unknown_amounts)} events have an amount that is not known in dollars and is missing here.`}
          </Caption>
        </div>
      </Stack>
    </>
  );
}

/** Downloads the cohorts as a file that the server writes, with all metrics. */
function ExportMenu({ range, choice }: { range: DateRange; choice: CohortChoice }) {
  const { save: download, busy } = useSave({
    send: async (format: keyof typeof fileLabels) =>
      saveFile(
        `bidwell-cohorts-${range.start}-${range.end}.${format}`,
        await downloadCohorts(range, choice, format),
      ),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <SecondaryButton leftSection={<IconDownload size={16} />} loading={busy}>
          Export
        </SecondaryButton>
      </Menu.Target>
      <Menu.Dropdown>
        {EVENT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => download(format)}>
            {fileLabels[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface CohortScopeProps {
  range: DateRange;
  search: CohortSearch;
  /** Changes the URL. */
  onChange: (changes: Partial<CohortSearch>) => void;
}

/** What the cohorts are of and how they are shown. */
function CohortScope({ range, search, onChange }: CohortScopeProps) {
  const campaigns = useLoadable(campaignsQuery);
  const { group = 'week', by, metric = 'roas', campaign_uuid: campaignUuid } = search;
  return (
    <Group gap="xs" mb="md" className="no-print">
      <NativeSelect
        aria-label="Metric"
        value={metric}
        onChange={({ currentTarget: { value } }) => onChange({ metric: value as CohortMetric })}
        data={COHORT_METRICS.map((value) => ({ value, label: cohortMetrics[value].label }))}
        w={130}
      />
      <Segments
        label="Cohorts by"
        value={group}
        onChange={(value) => onChange({ group: value, curve: undefined })}
        options={COHORT_GROUPS.map((value) => ({ value, label: groupLabels[value] }))}
      />
      <NativeSelect
        aria-label="Break down by"
        value={by ?? NONE}
        onChange={({ currentTarget: { value } }) =>
          onChange({ by: value === NONE ? undefined : (value as ReportKey), curve: undefined })
        }
        data={[
          { value: NONE, label: 'No breakdown' },
          ...REPORT_KEYS.map((value) => ({ value, label: levelLabels[value] })),
        ]}
        w={170}
      />
      <CampaignSelect
        hideLabel
        campaigns={campaigns}
        value={campaignUuid ?? null}
        onChange={(uuid) => onChange({ campaign_uuid: uuid ?? undefined })}
        w={240}
      />
      <ReportFilters
        filters={filtersIn(search)}
        range={range}
        campaignUuid={campaignUuid}
        onChange={(next) => onChange(filterSearch(next))}
        onReset={() => onChange({ ...filterSearch({}), campaign_uuid: undefined })}
      />
    </Group>
  );
}
