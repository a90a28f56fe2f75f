import { METRIC_HEADS } from '@bidwell/contract/reports/metric-heads';
import type { ReportMetric } from '@bidwell/contract/reports/metrics';
import { countingWords } from '../../lib/format/counting-text.ts';
import { formatMoney, formatNumber, formatPercent } from '../../lib/format/format.ts';

export interface MetricView {
  label: string;
  /** The label with its unit, for a column header. */
  head: string;
  format: (value: number | null) => string;
  /** How it is counted, where other screens count otherwise. */
  about?: string;
}

const whole = (value: number | null) => formatNumber(value);

/** Label and format of each metric, wherever it is shown. */
export const reportMetrics: Record<ReportMetric, MetricView> = {
  spends: { label: 'Spend', head: METRIC_HEADS.spends, format: formatMoney },
  clicks: { label: 'Clicks', head: METRIC_HEADS.clicks, format: whole },
  installs: {
    label: 'Installs',
    head: METRIC_HEADS.installs,
    format: whole,
    about: countingWords.reportInstalls,
  },
  impressions: { label: 'Impressions', head: METRIC_HEADS.impressions, format: whole },
  ctr: { label: 'CTR', head: METRIC_HEADS.ctr, format: formatPercent },
  cpm: { label: 'CPM', head: METRIC_HEADS.cpm, format: formatMoney },
  cpi: { label: 'CPI', head: METRIC_HEADS.cpi, format: formatMoney },
  win_rate: {
    label: 'Win rate',
    head: METRIC_HEADS.win_rate,
    format: formatPercent,
    about: countingWords.reportWinRate,
  },
  install_rate: {
    label: 'Install rate',
    head: METRIC_HEADS.install_rate,
    format: formatPercent,
    about: countingWords.reportInstallRate,
  },
  ipm: {
    label: 'IPM',
    head: METRIC_HEADS.ipm,
    format: (value) => formatNumber(value, 2),
    about: countingWords.reportIpm,
  },
  invalid_clicks: {
    label: 'Invalid clicks',
    head: METRIC_HEADS.invalid_clicks,
    format: whole,
    about: countingWords.invalidClicks,
  },
  invalid_installs: {
    label: 'Invalid installs',
    head: METRIC_HEADS.invalid_installs,
    format: whole,
    about: countingWords.invalidInstalls,
  },
  app_events: {
    label: 'In-app events',
    head: METRIC_HEADS.app_events,
    format: whole,
    about: countingWords.appEvents,
  },
  cost_per_app_event: {
    label: 'Cost per event',
    head: METRIC_HEADS.cost_per_app_event,
    format: formatMoney,
    about: countingWords.costPerAppEvent,
  },
  payers: { label: 'Payers', head: METRIC_HEADS.payers, format: whole, about: countingWords.payers },
  payer_rate: {
    label: 'Payer rate',
    head: METRIC_HEADS.payer_rate,
    format: formatPercent,
    about: countingWords.payerRate,
  },
  revenue: {
    label: 'Revenue',
    head: METRIC_HEADS.revenue,
    format: formatMoney,
    about: countingWords.revenue,
  },
  arpu: { label: 'ARPU', head: METRIC_HEADS.arpu, format: formatMoney, about: countingWords.arpu },
  arppu: { label: 'ARPPU', head: METRIC_HEADS.arppu, format: formatMoney, about: countingWords.arppu },
  roas: { label: 'ROAS', head: METRIC_HEADS.roas, format: formatPercent, about: countingWords.roas },
  unknown_amounts: {
    label: 'Amounts unknown',
    head: METRIC_HEADS.unknown_amounts,
    format: whole,
    about: countingWords.unknownAmounts,
  },
  re_engagement_spend: {
    label: 'Re-engagement spend',
    head: METRIC_HEADS.re_engagement_spend,
    format: formatMoney,
    about: countingWords.reEngagementSpend,
  },
  re_engagement_clicks: {
    label: 'Re-engagement clicks',
    head: METRIC_HEADS.re_engagement_clicks,
    format: whole,
    about: countingWords.reEngagementClicks,
  },
  reattributions: {
    label: 'Re-attributions',
    head: METRIC_HEADS.reattributions,
    format: whole,
    about: countingWords.reattributions,
  },
  cost_per_reattribution: {
    label: 'Cost per re-attribution',
    head: METRIC_HEADS.cost_per_reattribution,
    format: formatMoney,
    about: countingWords.costPerReattribution,
  },
  reinstalls: {
    label: 'Reinstalls',
    head: METRIC_HEADS.reinstalls,
    format: whole,
    about: countingWords.reinstalls,
  },
  re_engagement_events: {
    label: 'Re-engagement events',
    head: METRIC_HEADS.re_engagement_events,
    format: whole,
    about: countingWords.reEngagementEvents,
  },
  re_engagement_revenue: {
    label: 'Re-engagement revenue',
    head: METRIC_HEADS.re_engagement_revenue,
    format: formatMoney,
    about: countingWords.reEngagementRevenue,
  },
  re_engagement_roas: {
    label: 'Re-engagement ROAS',
    head: METRIC_HEADS.re_engagement_roas,
    format: formatPercent,
    about: countingWords.reEngagementRoas,
  },
};
