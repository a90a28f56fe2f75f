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
  spends: { label: 'Spend', head: 'Spend, $', format: formatMoney },
  clicks: { label: 'Clicks', head: 'Clicks', format: whole },
  installs: { label: 'Installs', head: 'Installs', format: whole, about: countingWords.reportInstalls },
  impressions: { label: 'Impressions', head: 'Impressions', format: whole },
  ctr: { label: 'CTR', head: 'CTR, %', format: formatPercent },
  cpm: { label: 'CPM', head: 'CPM, $', format: formatMoney },
  cpi: { label: 'CPI', head: 'CPI, $', format: formatMoney },
  win_rate: {
    label: 'Win rate',
    head: 'Win rate, %',
    format: formatPercent,
    about: countingWords.reportWinRate,
  },
  install_rate: {
    label: 'Install rate',
    head: 'Install rate, %',
    format: formatPercent,
    about: countingWords.reportInstallRate,
  },
  ipm: {
    label: 'IPM',
    head: 'IPM',
    format: (value) => formatNumber(value, 2),
    about: countingWords.reportIpm,
  },
  invalid_clicks: {
    label: 'Invalid clicks',
    head: 'Invalid clicks',
    format: whole,
    about: countingWords.invalidClicks,
  },
  invalid_installs: {
    label: 'Invalid installs',
    head: 'Invalid installs',
    format: whole,
    about: countingWords.invalidInstalls,
  },
  app_events: {
    label: 'In-app events',
    head: 'In-app events',
    format: whole,
    about: countingWords.appEvents,
  },
  cost_per_app_event: {
    label: 'Cost per event',
    head: 'Cost per app event, $',
    format: formatMoney,
    about: countingWords.costPerAppEvent,
  },
  payers: { label: 'Payers', head: 'Payers', format: whole, about: countingWords.payers },
  payer_rate: {
    label: 'Payer rate',
    head: 'Payer rate, %',
    format: formatPercent,
    about: countingWords.payerRate,
  },
  revenue: { label: 'Revenue', head: 'Revenue, $', format: formatMoney, about: countingWords.revenue },
  arpu: { label: 'ARPU', head: 'ARPU, $', format: formatMoney, about: countingWords.arpu },
  arppu: { label: 'ARPPU', head: 'ARPPU, $', format: formatMoney, about: countingWords.arppu },
  roas: { label: 'ROAS', head: 'ROAS, %', format: formatPercent, about: countingWords.roas },
  unknown_amounts: {
    label: 'Amounts unknown',
    head: 'Amounts unknown',
    format: whole,
    about: countingWords.unknownAmounts,
  },
};
