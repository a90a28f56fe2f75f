import type { Highlight } from '@bidwell/contract/analytics';
import type { HighlightMetric } from '@bidwell/contract/metrics';
import dayjs from 'dayjs';
import isoWeek from 'dayjs/plugin/isoWeek';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import type { Group } from '../../lib/queries/analytics.ts';

dayjs.extend(isoWeek);

interface MetricView {
  label: string;
  format: (value: number | null) => string;
  /** Whether more of it is good, bad, or neither. */
  more: 'good' | 'bad' | 'neutral';
}

/** How each metric of the dashboard is called and written. */
export const metricViews: Record<HighlightMetric, MetricView> = {
  spend: { label: 'Spend', format: formatMoney, more: 'neutral' },
  installs: { label: 'Installs', format: (value) => formatNumber(value), more: 'good' },
  impressions: { label: 'Impressions', format: (value) => formatNumber(value), more: 'good' },
  cpi: { label: 'CPI', format: formatMoney, more: 'bad' },
  clicks: { label: 'Clicks', format: (value) => formatNumber(value), more: 'good' },
  cpm: { label: 'CPM', format: formatMoney, more: 'bad' },
};

/** What a point of the chart is called. */
export function bucketLabel(bucket: string, group: Group): string {
  const day = dayjs(bucket);
  switch (group) {
    case 'day':
      return day.format('MMM DD');
    case 'week':
      return `W${day.isoWeek()} ${day.isoWeekYear()}`;
    case 'month':
      return day.format('MMM YYYY');
    case 'year':
      return day.format('YYYY');
  }
}

/** Whether a change is good news. */
export function changeMood(
  { change_percent: change }: Highlight,
  more: MetricView['more'],
): 'good' | 'bad' | 'neutral' {
  if (more === 'neutral' || change === null || change === 0) return 'neutral';
  return change > 0 === (more === 'good') ? 'good' : 'bad';
}
