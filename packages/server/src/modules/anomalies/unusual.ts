import type { Counts } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';

/** What is watched. */
export const WATCHED = ['spend', 'cpi', 'install_rate'] as const;
export type Watched = (typeof WATCHED)[number];

export interface Unusual {
  metric: Watched;
  direction: 'above' | 'below';
  value: number;
  /** The median of the same hour in the past weeks. */
  usual: number;
  /** How many robust standard deviations lie between them. */
  z: number;
  weeks: number;
}

/** Weeks that must have something to compare with. */
const WEEKS_MIN = 4;
/** Iglewicz and Hoaglin's bound for a modified z-score. */
const Z_MIN = 3.5;
/** What a median absolute deviation is multiplied by to estimate a standard deviation of the normal distribution. */
const MAD_TO_SIGMA = 1.4826;
/** Weeks that are all alike do not make every cent unusual: the deviation is taken as at least this share of the median. */
const SIGMA_SHARE_MIN = 0.1;
/** Below these an hour says nothing: a dollar, ten installs. */
const SPEND_MIN = 1;
const INSTALLS_MIN = 10;

/**
 * Figures of an hour that lie far from those of the same hour in past weeks, by a robust z-score: the distance from the
 * median in units of the median absolute deviation, which a few odd weeks do not move. Weeks in which nothing was shown
 * are no weeks to compare with. Pure.
 */
export function unusualFigures(hour: Counts, past: readonly Counts[]): Unusual[] {
  const weeks = past.filter(({ impressions, spendMicros }) => impressions > 0 || spendMicros > 0);
  return WATCHED.flatMap((metric) => {
    const value = figureOf(metric, hour);
    const values = weeks.flatMap((week) => figureOf(metric, week) ?? []);
    if (value === null || values.length < WEEKS_MIN) return [];
    const usual = median(values);
    if (metric === 'spend' && Math.max(value, usual) < SPEND_MIN) return [];
    const deviation = median(values.map((each) => Math.abs(each - usual))) * MAD_TO_SIGMA;
    const z = (value - usual) / Math.max(deviation, usual * SIGMA_SHARE_MIN);
    if (!Number.isFinite(z) || Math.abs(z) < Z_MIN) return [];
    return [{ metric, direction: z > 0 ? 'above' : 'below', value, usual, z, weeks: values.length } as const];
  });
}

/** Null where it cannot be told, or would be noise. */
function figureOf(metric: Watched, counts: Counts): number | null {
  const { spends, cpi } = metricsOf(counts);
  if (metric === 'spend') return spends;
  if (metric === 'cpi') return counts.installs < INSTALLS_MIN ? null : cpi;
  // No installs of many clicks is the most unusual rate there is: the clicks have to be many, not the installs.
  return counts.clicks < INSTALLS_MIN ** 2 ? null : (counts.installs / counts.clicks) * 100;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
