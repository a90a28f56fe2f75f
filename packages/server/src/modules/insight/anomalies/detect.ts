import { type Counts, metricsOf } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { median } from '@bidwell/contract/lib/statistics';

/** Metrics that are checked for anomalies. */
export const WATCHED = ['spend', 'cpi', 'install_rate'] as const;
export type Watched = (typeof WATCHED)[number];

export interface Anomaly {
  metric: Watched;
  direction: 'above' | 'below';
  value: number;
  /** Median of the same hour in past weeks. */
  baseline: number;
  /** Dollars of the hour that it is about: the difference, or for the install rate the spend. */
  dollars: number;
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
/** Least money that an anomaly is about: dollars, and a share of the daily budgets, which is half an even hour. */
const DOLLARS_MIN = 5;
const BUDGET_SHARE_MIN = 0.02;
/**
 * The smallest share of daily budgets that cap the day at which an hour counts as above the usual: the budget of two
 * even hours.
 */
const CAPPED_SHARE_MIN = 2 / 24;
/** From this share of an even day's spend, a day has spent as planned. */
const PLANNED_SHARE = 0.9;
/** Least installs for an hour to be significant. */
const INSTALLS_MIN = 10;

/**
 * Detects metrics of an hour that differ strongly from the same hour in past weeks, by a modified z-score: the distance from the median
 * in units of the median absolute deviation, which is robust against outliers. Weeks without impressions and spend are left out, and so
 * are differences that are small compared with the daily budgets in dollars. `growths` has the growth factor of the spend since each
 * past hour, so that an hour of a growing company is no anomaly. If daily budgets cap the day (`isCapped`), more spend than usual is an
 * anomaly only if it is a large part of them. Pure.
 */
export function detectAnomalies(
  hour: Counts,
  past: readonly Counts[],
  dailyBudgets: number,
  { growths = [], isCapped = false }: { growths?: readonly number[]; isCapped?: boolean } = {},
): Anomaly[] {
  const dollarsMin = Math.max(DOLLARS_MIN, dailyBudgets * BUDGET_SHARE_MIN);
  const cappedMin = isCapped ? dailyBudgets * CAPPED_SHARE_MIN : 0;
  const weeks = past
    .map((counts, index) => ({ counts, growth: growths[index] ?? 1 }))
    .filter(({ counts: { impressions, spendMicros } }) => impressions > 0 || spendMicros > 0);
  return WATCHED.flatMap((metric) => {
    const value = figureOf(metric, hour);
    if (value === null) return [];
    const valuesFor = (factorOf: (growth: number) => number) =>
      weeks.flatMap(({ counts, growth }) => {
        const figure = figureOf(metric, counts);
        return figure === null ? [] : [metric === 'spend' ? figure * factorOf(growth) : figure];
      });
    // After days without spend every value is higher: a value above the present level has to be above the past level, too.
    const above = deviationOf(
      value,
      valuesFor((growth) => Math.max(1, growth)),
    );
    const found =
      above && above.z > 0
        ? above
        : deviationOf(
            value,
            valuesFor((growth) => growth),
          );
    if (!found || Math.abs(found.z) < Z_MIN || (found !== above && found.z > 0)) return [];
    const { z, baseline } = found;
    const dollars = dollarsOf(metric, hour, Math.abs(value - baseline));
    if (dollars < dollarsMin || (metric === 'spend' && z > 0 && dollars < cappedMin)) return [];
    return [{ metric, direction: z > 0 ? 'above' : 'below', value, baseline, dollars } as const];
  });
}

/**
 * Whether a day has spent by now as much as an even use of its budgets would have: then an hour of little spend is no
 * anomaly, for example when the budgets are used up. `elapsedShare` is the elapsed share of the day, 0 to 1; amounts in
 * dollars. Pure.
 */
export function isSpentAsPlanned(spent: number, dailyBudgets: number, elapsedShare: number): boolean {
  return spent >= dailyBudgets * elapsedShare * PLANNED_SHARE;
}

/** The modified z-score of a value among others, and their median; null with too few of them, or all 0. */
function deviationOf(value: number, values: readonly number[]): { z: number; baseline: number } | null {
  if (values.length < WEEKS_MIN) return null;
  const baseline = median(values)!;
  const deviation = median(values.map((each) => Math.abs(each - baseline)))! * MAD_TO_SIGMA;
  const z = (value - baseline) / Math.max(deviation, baseline * SIGMA_SHARE_MIN);
  return Number.isFinite(z) ? { z, baseline } : null;
}

function dollarsOf(metric: Watched, { installs, spendMicros }: Counts, difference: number): number {
  if (metric === 'spend') return difference;
  return metric === 'cpi' ? difference * installs : toDollars(spendMicros);
}

/** Value of a metric; null if it is undefined or based on too few events. */
function figureOf(metric: Watched, counts: Counts): number | null {
  const { spends, cpi } = metricsOf(counts);
  if (metric === 'spend') return spends;
  if (metric === 'cpi') return counts.installs < INSTALLS_MIN ? null : cpi;
  // Needs many clicks rather than installs, because many clicks without installs are an anomaly too.
  return counts.clicks < INSTALLS_MIN ** 2 ? null : (counts.installs / counts.clicks) * 100;
}
