import type { Metrics, ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import type { EventLabel } from '@bidwell/contract/reports/schema';
import { countingWords } from '../../lib/format/counting-text.ts';
import { formatMoney, formatNumber, formatPercent } from '../../lib/format/format.ts';

/** Labels of the levels. */
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
  format: 'Format',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  year: 'Year',
};

interface MetricView {
  label: string;
  /** The label with its unit, for a column header. */
  head: string;
  format: (value: number | null) => string;
  /** How it is counted, where other screens count otherwise. */
  about?: string;
}

const whole = (value: number | null) => formatNumber(value);

/** Label and format of each metric of a report. */
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
    label: 'App events',
    head: 'App events',
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
};

/** A column of figures of a report. */
export interface ReportColumn extends MetricView {
  id: string;
  valueOf: (row: Metrics) => number | null;
}

/** The columns of metrics, and after them three of each in-app event that is named, with its label. Pure. */
export function reportColumns(
  metrics: readonly ReportMetric[],
  events: readonly string[],
  labels: readonly EventLabel[] = [],
): ReportColumn[] {
  return [
    ...metrics.map((metric) => ({
      id: metric,
      ...reportMetrics[metric],
      valueOf: (row: Metrics) => row[metric] ?? null,
    })),
    ...events.flatMap((name, index): ReportColumn[] => {
      const shown = labels.find((event) => event.name === name)?.label ?? name;
      const eventOf = ({ named_events: named }: Metrics) => named?.find((event) => event.name === name);
      const column = (part: string, label: string, format: MetricView['format']) => ({
        id: `event_${part}_${index}`,
        label,
        head: label,
        format,
      });
      return [
        { ...column('count', shown, whole), valueOf: (row) => eventOf(row)?.count ?? null },
        {
          ...column('people', `${shown}: people`, whole),
          valueOf: (row) => eventOf(row)?.people ?? null,
        },
        {
          ...column('cost', `${shown}: cost`, formatMoney),
          head: `${shown}: cost, $`,
          valueOf: (row) => eventOf(row)?.cost_per_event ?? null,
        },
      ];
    }),
  ];
}
