import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import {
  type Metrics,
  type ReportLevel,
  type ReportMetric,
  appliesToKind,
} from '@bidwell/contract/reports/metrics';
import type { EventLabel } from '@bidwell/contract/reports/schema';
import { type MetricView, reportMetrics } from '../../entities/reports/metric-views.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';

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

const whole = (value: number | null) => formatNumber(value);

/** A column of figures of a report. */
export interface ReportColumn extends MetricView {
  id: string;
  valueOf: (row: Metrics) => number | null;
}

/**
 * The columns of metrics, and after them three of each in-app event that is named, with its label; four where the report has events of
 * re-engagement campaigns. Metrics that campaigns of `kind` do not have are null. Pure.
 */
export function reportColumns(
  metrics: readonly ReportMetric[],
  events: readonly string[],
  labels: readonly EventLabel[] = [],
  hasReturns = false,
  kind?: CampaignKind,
): ReportColumn[] {
  return [
    ...metrics.map((metric) => ({
      id: metric,
      ...reportMetrics[metric],
      valueOf: (row: Metrics) =>
        kind === undefined || appliesToKind(metric, kind) ? (row[metric] ?? null) : null,
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
        ...(hasReturns
          ? [
              {
                ...column('re_engagement', `${shown}: re-engagement`, whole),
                valueOf: (row: Metrics) => eventOf(row)?.re_engagement_count ?? null,
              },
            ]
          : []),
      ];
    }),
  ];
}
