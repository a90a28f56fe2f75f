import type { Highlight, Highlights } from '@bidwell/contract/reports/schema';
import { limits } from '@bidwell/contract/lib/limits';
import {
  DEFAULT_HIGHLIGHTS,
  HIGHLIGHT_METRICS,
  type HighlightMetric,
} from '@bidwell/contract/reports/metrics';
import { formatMoney, formatNumber, formatPercent } from '../../../lib/format/format.ts';

interface MetricView {
  label: string;
  format: (value: number | null) => string;
  /** Whether an increase is good, bad, or neither. */
  more: 'good' | 'bad' | 'neutral';
}

/** Label and format of each metric of the dashboard. */
export const metricViews: Record<HighlightMetric, MetricView> = {
  spend: { label: 'Spend', format: formatMoney, more: 'neutral' },
  installs: { label: 'Installs', format: (value) => formatNumber(value), more: 'good' },
  impressions: { label: 'Impressions', format: (value) => formatNumber(value), more: 'good' },
  cpi: { label: 'CPI', format: formatMoney, more: 'bad' },
  clicks: { label: 'Clicks', format: (value) => formatNumber(value), more: 'good' },
  cpm: { label: 'CPM', format: formatMoney, more: 'bad' },
};

/** The totals of re-engagement campaigns, which the cards leave out, in sentences. */
export function reEngagementText(totals: NonNullable<Highlights['re_engagement']>): string {
  const { spend, clicks, reattributions, cost_per_reattribution: cost, reinstalls, revenue, roas } = totals;
  const parts = [
    `${formatMoney(spend)} spend`,
    `${formatNumber(clicks)} clicks`,
    `${formatNumber(reattributions)} re-attributions${cost === null ? '' : ` at ${formatMoney(cost)}`}`,
    `${formatNumber(reinstalls)} reinstalls`,
    `${formatMoney(revenue)} revenue${roas === null ? '' : ` (ROAS ${formatPercent(roas)})`}`,
  ];
  return `The cards leave out re-engagement campaigns: ${parts.join(', ')}. Finances include their spend.`;
}

/** Whether a change is good, bad or neutral. */
export function changeTone(
  { change_percent: change }: Highlight,
  more: MetricView['more'],
): 'good' | 'bad' | 'neutral' {
  if (more === 'neutral' || change === null || change === 0) return 'neutral';
  return change > 0 === (more === 'good') ? 'good' : 'bad';
}

/** Validates the stored cards, which an older version may have written: known metrics, each once, one to four. */
export function shownHighlights(stored: readonly string[]): HighlightMetric[] {
  const known = HIGHLIGHT_METRICS.filter((metric) => stored.includes(metric));
  const ordered = known
    .sort((a, b) => stored.indexOf(a) - stored.indexOf(b))
    .slice(0, limits.highlightCardsMax);
  return ordered.length > 0 ? ordered : [...DEFAULT_HIGHLIGHTS];
}
