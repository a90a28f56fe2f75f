import type { ReportMetric } from './metrics.ts';

/** The column heading of each metric: its name, and its unit where it has one. */
export const METRIC_HEADS: Readonly<Record<ReportMetric, string>> = {
  spends: 'Spend, $',
  clicks: 'Clicks',
  installs: 'Installs',
  impressions: 'Impressions',
  ctr: 'CTR, %',
  cpm: 'CPM, $',
  cpi: 'CPI, $',
  win_rate: 'Win rate, %',
  install_rate: 'Install rate, %',
  ipm: 'IPM',
  invalid_clicks: 'Invalid clicks',
  invalid_installs: 'Invalid installs',
  app_events: 'In-app events',
  cost_per_app_event: 'Cost per app event, $',
  payers: 'Payers',
  payer_rate: 'Payer rate, %',
  revenue: 'Revenue, $',
  arpu: 'ARPU, $',
  arppu: 'ARPPU, $',
  roas: 'ROAS, %',
  unknown_amounts: 'Amounts unknown',
};
