import type { DefaultReport } from '@bidwell/contract/reports/schema';
import { REPORT_METRICS } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { type Loadable, knownData, mapped, useLoadable } from '../../lib/loadable.ts';
import { bundleQuery, levelQuery } from '../../entities/reports/queries.ts';
import { asLevelReport } from './report-rows.ts';
import type { ReportState } from './report-search.ts';

/**
 * Fetches the report of the URL. The bundle call has only campaign and creatives as filters, and no comparison; the level call is used
 * for those.
 */
export function useReport(
  range: DateRange,
  { mode, campaignUuid, campaignKind, levels, filters, metrics, events, compare }: ReportState,
): Loadable<DefaultReport> {
  const joined = useJoinedFilters(filters);
  const more = metrics.filter((metric) => !(REPORT_METRICS as readonly string[]).includes(metric));
  const figures = {
    events,
    kind: campaignKind,
    ...(more.length > 0 && { metrics: [...REPORT_METRICS, ...more] }),
  };
  const isBundleCall =
    mode === 'Bundle' && !compare && Object.keys(joined).every((key) => key === 'creative');
  const bundles = useLoadable({
    ...bundleQuery(range, campaignUuid, filters.creative ?? [], figures),
    enabled: isBundleCall,
  });
  const tree = useLoadable({
    ...levelQuery(range, mode === 'Bundle' ? ['bundle'] : levels, withCampaign(filters, campaignUuid), {
      ...figures,
      compare,
    }),
    enabled: !isBundleCall,
  });
  const bundleRows = knownData(bundles);
  const bundleReport = useMemo(() => bundleRows && asLevelReport(bundleRows), [bundleRows]);
  return isBundleCall ? mapped(bundles, () => bundleReport!) : tree;
}

/** Filters as comma-joined values, memoized. */
export function useJoinedFilters(filters: ReportState['filters']): Record<string, string> {
  return useMemo(() => joinedOf(filters), [filters]);
}

const joinedOf = (filters: ReportState['filters']): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, values.join(',')]));

/** Filters as comma-joined values, with the selected campaign. */
export const withCampaign = (filters: ReportState['filters'], campaignUuid: string | undefined) => ({
  ...joinedOf(filters),
  ...(campaignUuid && { campaign: campaignUuid }),
});
