import type { Counts } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import { median } from '@bidwell/contract/statistics';

/** Metrics that are checked for anomalies. */
export const WATCHED = ['spend', 'cpi', 'install_rate'] as const;
export type Watched = (typeof WATCHED)[number];

export interface Anomaly {
  metric: Watched;
  direction: 'above' | 'below';
  value: number;
  /** Median of the same hour in past weeks. */
  baseline: number;
  /** Modified z-score: distance of value and median in robust standard deviations. */
  z: number;
  weeks: number;
}

/** Least number of past weeks with a value. */
const WEEKS_MIN = 4;
/** Threshold of Iglewicz and Hoaglin for a modified z-score. */
const Z_MIN = 3.5;
/** Factor from the median absolute deviation to the standard deviation of a normal distribution. */
const MAD_TO_SIGMA = 1.4826;
/**
 * Least standard deviation as a share of the median. Without it, nearly equal weeks would make any difference an
 * anomaly.
 */
const SIGMA_SHARE_MIN = 0.1;
/** Least spend in dollars and least installs for an hour to be significant. */
const SPEND_MIN = 1;
const INSTALLS_MIN = 10;

/**
 * Detects metrics of an hour that differ strongly from the same hour in past weeks, by a modified z-score: the
 * distance from the median in units of the median absolute deviation, which is robust against outliers. Weeks without
 * impressions and spend are left out. Pure.
 */
export function detectAnomalies(hour: Counts, past: readonly Counts[]): Anomaly[] {
  const weeks = past.filter(({ impressions, spendMicros }) => impressions > 0 || spendMicros > 0);
  return WATCHED.flatMap((metric) => {
    const value = figureOf(metric, hour);
    const values = weeks.flatMap((week) => figureOf(metric, week) ?? []);
    if (value === null || values.length < WEEKS_MIN) return [];
    const baseline = median(values)!;
    if (metric === 'spend' && Math.max(value, baseline) < SPEND_MIN) return [];
    const deviation = median(values.map((each) => Math.abs(each - baseline)))! * MAD_TO_SIGMA;
    const z = (value - baseline) / Math.max(deviation, baseline * SIGMA_SHARE_MIN);
    if (!Number.isFinite(z) || Math.abs(z) < Z_MIN) return [];
    return [
      { metric, direction: z > 0 ? 'above' : 'below', value, baseline, z, weeks: values.length } as const,
    ];
  });
}

/** Value of a metric; null if it is undefined or based on too few events. */
function figureOf(metric: Watched, counts: Counts): number | null {
  const { spends, cpi } = metricsOf(counts);
  if (metric === 'spend') return spends;
  if (metric === 'cpi') return counts.installs < INSTALLS_MIN ? null : cpi;
  // Needs many clicks rather than installs, because many clicks without installs are an anomaly too.
  return counts.clicks < INSTALLS_MIN ** 2 ? null : (counts.installs / counts.clicks) * 100;
}
