import { COHORT_DAYS, type ExpectedRevenue, type PredictionRecord } from '@bidwell/contract/reports/cohorts';

const DAY_MS = 86_400_000;
/** The day whose revenue is predicted. */
const TARGET_DAY = 30;
const TARGET = COHORT_DAYS.indexOf(TARGET_DAY);
/** Predictions use the weekly cohorts that began in this many days before. */
export const LEARNING_DAYS = 180;
/** Least weeks, installs and payers of these from which something is predicted. */
const WEEKS_MIN = 4;
const INSTALLS_MIN = 200;
const PAYERS_MIN = 30;
/** Days in the record of how well predictions held. */
const RECORDED_DAYS = [3, 7] as const;
/** The 90 % quantile of the standard normal distribution, for ranges that hold in 80 of 100 cases. */
const Z = 1.281_552;

/** A weekly cohort. */
export interface Week {
  startMs: number;
  endMs: number;
  installs: number;
  /** By the target day. */
  payers: number;
  /** Cumulative, in the order of the days of cohorts. */
  revenueMicros: readonly number[];
}

/** Weeks to predict from, or why nothing can be predicted. */
type Learned = { weeks: readonly Week[]; message: null } | { weeks: null; message: string };

/**
 * The weeks whose target day had ended at `atMs` and that began in the 180 days before, or why they are too few. Late events
 * count as if they had come in time. Pure.
 */
export function weeksKnownAt(weeks: readonly Week[], atMs: number): Learned {
  const known = weeks.filter(
    ({ startMs, endMs, installs }) =>
      installs > 0 &&
      startMs >= atMs - (LEARNING_DAYS + TARGET_DAY + 1) * DAY_MS &&
      endMs + (TARGET_DAY + 1) * DAY_MS <= atMs,
  );
  const installs = sum(known.map((week) => week.installs));
  const payers = sum(known.map((week) => week.payers));
  if (known.length >= WEEKS_MIN && installs >= INSTALLS_MIN && payers >= PAYERS_MIN)
    return { weeks: known, message: null };
  return {
    weeks: null,
    message: `The revenue of day ${TARGET_DAY} is predicted from at least ${WEEKS_MIN} weekly cohorts of the last ${LEARNING_DAYS} days that are older than that, with ${INSTALLS_MIN} installs and ${PAYERS_MIN} payers in all. There are ${known.length}, with ${installs} and ${payers}.`,
  };
}

/** A cohort at a day: its installs and their revenue so far. */
interface Young {
  installs: number;
  revenueMicros: number;
}

interface Prediction {
  aboutMicros: number;
  lowMicros: number;
  highMicros: number;
}

/**
 * The revenue of a cohort by the day `to` from that by the day `from`, both as indexes of days: the revenue so far times the
 * ratio of both in all weeks. The range holds in 80 of 100 cases. It has two errors: the error of the ratio, whose variance is the variance
 * of the jackknife over weeks, and the error of the cohort itself, whose variance grows with its installs as the variance of weeks does.
 * Null where the weeks had no revenue by `from`, or the cohort has none. Pure.
 */
export function predict(
  weeks: readonly Week[],
  { installs, revenueMicros }: Young,
  from: number,
  to: number,
): Prediction | null {
  const before = sum(weeks.map((week) => week.revenueMicros[from]!));
  if (before <= 0 || revenueMicros <= 0) return null;
  const ratio = sum(weeks.map((week) => week.revenueMicros[to]!)) / before;
  const errors = weeks.map((week) => week.revenueMicros[to]! - ratio * week.revenueMicros[from]!);
  const free = weeks.length - 1;
  const perInstall = sum(errors.map((error, at) => error ** 2 / weeks[at]!.installs)) / free;
  const ofRatio = (sum(errors.map((error) => error ** 2)) * weeks.length) / free / before ** 2;
  const deviation = Math.sqrt(perInstall * installs + ofRatio * revenueMicros ** 2);
  // The quantile of Student's t, to the first order.
  const half = (Z + (Z ** 3 + Z) / (4 * free)) * deviation;
  const aboutMicros = ratio * revenueMicros;
  return { aboutMicros, lowMicros: Math.max(0, aboutMicros - half), highMicros: aboutMicros + half };
}

/** The figures of a row on each day of cohorts. */
interface RowDays {
  installs: number;
  days: readonly { people: number; revenueMicros: number }[];
}

/**
 * The expected figures of a young cohort by the target day, from the last day that half of its people are old enough for. Null
 * for one whose people are all old enough, and where nothing can be predicted. Pure.
 */
export function expectedRevenue(weeks: readonly Week[], { installs, days }: RowDays): ExpectedRevenue | null {
  if (installs === 0 || days[TARGET]!.people === installs) return null;
  const from = days.findLastIndex(({ people }, at) => at < TARGET && people >= installs / 2);
  if (from < 0) return null;
  const { people, revenueMicros } = days[from]!;
  const young = { installs, revenueMicros: (revenueMicros * installs) / people };
  const points = COHORT_DAYS.slice(from + 1, TARGET + 1).map((day, index) => ({
    day,
    prediction: predict(weeks, young, from, from + 1 + index),
  }));
  const curve = points.flatMap(({ day, prediction }) =>
    prediction
      ? [
          {
            day,
            revenue: prediction.aboutMicros / 1_000_000,
            low: prediction.lowMicros / 1_000_000,
            high: prediction.highMicros / 1_000_000,
          },
        ]
      : [],
  );
  const last = curve.at(-1);
  if (!last) return null;
  return {
    from_day: COHORT_DAYS[from]!,
    expected_d30_revenue: last.revenue,
    low: last.low,
    high: last.high,
    curve,
  };
}

/**
 * How predictions for past weeks would have held, had they been made once day 3 and day 7 of the week had ended, from the weeks
 * that were known then. Pure.
 */
export function recordOf(weeks: readonly Week[], nowMs: number): PredictionRecord[] {
  return RECORDED_DAYS.map((day) => {
    const from = COHORT_DAYS.indexOf(day);
    const compared = (weeksKnownAt(weeks, nowMs).weeks ?? []).flatMap((week) => {
      const { weeks: known } = weeksKnownAt(weeks, week.endMs + (day + 1) * DAY_MS);
      const { installs } = week;
      const prediction =
        known && predict(known, { installs, revenueMicros: week.revenueMicros[from]! }, from, TARGET);
      return prediction ? [{ ...prediction, actualMicros: week.revenueMicros[TARGET]! }] : [];
    });
    return {
      day,
      cohorts: compared.length,
      inside: compared.filter(
        ({ actualMicros, lowMicros, highMicros }) => actualMicros >= lowMicros && actualMicros <= highMicros,
      ).length,
      mean_error_percent:
        compared.length > 0
          ? sum(
              compared.map(
                ({ actualMicros, aboutMicros }) => (100 * Math.abs(actualMicros - aboutMicros)) / aboutMicros,
              ),
            ) / compared.length
          : null,
    };
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
