import type { ReportContent } from '@bidwell/contract/reports/schema';
import { isTimeLevel } from '../buckets.ts';
import type { ReportPeriod } from './due-times.ts';

/** The address of a report in the console, of some days. `url` is that of the console. Pure. */
export function reportLink(url: string, report: ReportContent, { start, end }: ReportPeriod): string {
  const search = new URLSearchParams({ from: start, to: end, levels: Object.keys(report.levels).join(',') });
  if (report.metrics && report.metrics.length > 0) search.set('metrics', report.metrics.join(','));
  const filters = [...Object.entries(report.levels), ...Object.entries(report.filters ?? {})];
  for (const [key, values] of filters)
    if (values && !isTimeLevel(key)) search.set(key === 'campaign' ? 'campaign_uuid' : key, values);
  return `${url}/reports?${search.toString()}`;
}
