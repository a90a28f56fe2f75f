import type { ReportLevel, ReportMetric } from '@bidwell/contract/metrics';
import { formatMoney, formatNumber, formatPercent } from '../../lib/format.ts';

/** What each level is called. */
export const levelLabels: Record<ReportLevel, string> = {
  campaign: 'Campaign',
  adset: 'Ad set',
  app: 'App',
  bundle: 'Bundle',
  os: 'OS',
  country: 'Country',
  creative: 'Creative',
  creative_group: 'Creative group',
  creative_width: 'Creative width',
  creative_height: 'Creative height',
  creative_duration: 'Creative duration',
  exchange: 'Exchange',
  creative_type: 'Creative type',
};

/** What each metric of a report is called, and how it is written. */
export const reportMetrics: Record<
  ReportMetric,
  { label: string; format: (value: number | null) => string }
> = {
  spends: { label: 'Spend', format: formatMoney },
  clicks: { label: 'Clicks', format: (value) => formatNumber(value) },
  installs: { label: 'Installs', format: (value) => formatNumber(value) },
  impressions: { label: 'Impressions', format: (value) => formatNumber(value) },
  ctr: { label: 'CTR', format: formatPercent },
  cpm: { label: 'CPM', format: formatMoney },
  cpi: { label: 'CPI', format: formatMoney },
};
