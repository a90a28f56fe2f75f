import {
  COHORT_DAYS,
  type CohortCell,
  type CohortMetric,
  type Estimate,
} from '@bidwell/contract/reports/cohorts';
import { rateOf } from '@bidwell/contract/lib/rate';
import type { DayFigures } from './people-store.ts';

/** Figures of a row of cohorts, which add up. */
export interface RowFigures {
  installs: number;
  unknownAmounts: number;
  spendMicros: number;
  /** In the order of {@link COHORT_DAYS}; `spendMicros` is the spend of the share that is mature. */
  days: (DayFigures & { spendMicros: number })[];
}

/** A row without anything, to be added to by {@link addRow}. */
export function emptyRow(): RowFigures {
  const day = { people: 0, revenueMicros: 0, squares: 0, payers: 0, active: 0, spendMicros: 0 };
  return { installs: 0, unknownAmounts: 0, spendMicros: 0, days: COHORT_DAYS.map(() => ({ ...day })) };
}

/** Adds `row` to `sum` in place. */
export function addRow(sum: RowFigures, row: RowFigures): void {
  sum.installs += row.installs;
  sum.unknownAmounts += row.unknownAmounts;
  sum.spendMicros += row.spendMicros;
  for (const [at, day] of row.days.entries()) {
    const of = sum.days[at]!;
    of.people += day.people;
    of.revenueMicros += day.revenueMicros;
    of.squares += day.squares;
    of.payers += day.payers;
    of.active += day.active;
    of.spendMicros += day.spendMicros;
  }
}

/** The cells of a row with the chosen metrics. */
export function cellsOf({ installs, days }: RowFigures, metrics: ReadonlySet<CohortMetric>): CohortCell[] {
  return days.map((figures, at) => {
    const { people, revenueMicros, payers, active, spendMicros } = figures;
    const arpu = meanOf(figures);
    const known = people > 0;
    return {
      day: COHORT_DAYS[at]!,
      mature_share: installs > 0 ? people / installs : null,
      people,
      ...(metrics.has('revenue') && { revenue: known ? revenueMicros / 1_000_000 : null }),
      ...(metrics.has('roas') && {
        roas: arpu && spendMicros > 0 ? scaled(arpu, (people / spendMicros) * 100_000_000) : null,
      }),
      ...(metrics.has('arpu') && { arpu }),
      ...(metrics.has('payers') && { payers: known ? payers : null }),
      ...(metrics.has('payer_rate') && { payer_rate: rateOf(payers, people, 100) }),
      ...(metrics.has('retention') && { retention: rateOf(active, people, 100) }),
    };
  });
}

/** The 97.5 % quantile of the standard normal distribution, for intervals that hold in 95 of 100 cases. */
const Z = 1.959_963_985;

/**
 * Revenue per person in dollars, with the normal interval of a mean. Refunds aside, it does not reach below 0. Null without
 * people.
 */
function meanOf({ people, revenueMicros, squares }: DayFigures): Estimate | null {
  if (people === 0) return null;
  const sum = revenueMicros / 1_000_000;
  const value = sum / people;
  if (people === 1) return { value, low: null, high: null };
  const variance = Math.max(0, squares - sum * value) / (people - 1);
  const half = Z * Math.sqrt(variance / people);
  return { value, low: value >= 0 ? Math.max(0, value - half) : value - half, high: value + half };
}

function scaled({ value, low, high }: Estimate, by: number): Estimate {
  return { value: value * by, low: low === null ? null : low * by, high: high === null ? null : high * by };
}
