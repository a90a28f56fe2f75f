import { z } from 'zod';
import { Rate } from '../lib/rate.ts';
import { REPORT_KEYS } from './metrics.ts';
import { EVENT_FORMATS, joinedValues, order, ordered, range } from './schema.ts';

/** The days since the install that a cohort report has: day n is the 24 hours that begin n times 24 hours after it. */
export const COHORT_DAYS = [0, 1, 3, 7, 14, 30, 60, 90] as const;

/** The spans of the company's calendar whose installs form a cohort. */
export const COHORT_GROUPS = ['day', 'week', 'month'] as const;
export type CohortGroup = (typeof COHORT_GROUPS)[number];

export const COHORT_METRICS = ['revenue', 'roas', 'arpu', 'payers', 'payer_rate', 'retention'] as const;
export type CohortMetric = (typeof COHORT_METRICS)[number];

/** Most cohorts of one report. */
export const COHORTS_MAX = 180;
/** Most values of `by` that have rows of their own. */
export const COHORT_VALUES_MAX = 20;
const COHORT_VALUES = 10;

const cohortInput = {
  ...range,
  group: z.enum(COHORT_GROUPS).default('day'),
  by: z.enum(REPORT_KEYS).nullish(),
  filters: z.partialRecord(z.enum(REPORT_KEYS), joinedValues).nullish(),
  metrics: z.array(z.enum(COHORT_METRICS)).max(COHORT_METRICS.length).nullish(),
  top: z.int().min(1).max(COHORT_VALUES_MAX).default(COHORT_VALUES),
};
/** Whether the revenue of day 30 is predicted, which takes longer. */
const forecast = z.boolean().default(false);

/**
 * POST /analytics/cohorts. `by` breaks cohorts down by a key: the `top` values with the most installs have rows, and the
 * others count as Other. `filters` has comma-separated values. `metrics` selects the metrics of cells; all without it.
 */
export const CohortQuery = z.object({ ...cohortInput, forecast }).refine(ordered, order);
export type CohortQuery = z.infer<typeof CohortQuery>;

/** POST /analytics/cohorts/export: the report as a file, with a line for each row and day. */
export const CohortExportQuery = z
  .object({ ...cohortInput, format: z.enum(EVENT_FORMATS).default('csv') })
  .refine(ordered, order);
export type CohortExportQuery = z.infer<typeof CohortExportQuery>;

/** A mean, and the range in which the true one lies in 95 of 100 cases; null of a single person. */
export const Estimate = z.object({
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type Estimate = z.infer<typeof Estimate>;

/** A day of a cohort. Its figures count the people whose install is old enough; null while there are none. */
export const CohortCell = z.object({
  /** One of {@link COHORT_DAYS}. */
  day: z.int(),
  /** Share of the installs whose day has ended, 0 to 1; null without installs. */
  mature_share: z.number().nullable(),
  /** The installs whose day has ended. */
  people: z.int(),
  /** Dollars up to the end of the day. */
  revenue: z.number().nullable().optional(),
  /** Revenue in percent of the spend, which counts by the share that is mature; null without spend. */
  roas: Estimate.nullable().optional(),
  /** Revenue per install, dollars. */
  arpu: Estimate.nullable().optional(),
  /** People with a purchase up to the end of the day. */
  payers: z.int().nullable().optional(),
  /** Payers in percent of the installs. */
  payer_rate: Rate.nullable().optional(),
  /** People with an event on the day, in percent of the installs. */
  retention: Rate.nullable().optional(),
});
export type CohortCell = z.infer<typeof CohortCell>;

const range80 = { low: z.number(), high: z.number() };

/** Dollars that a young cohort is expected to have, with ranges in which the truth lies in 80 of 100 cases. */
export const ExpectedRevenue = z.object({
  /** The day from whose revenue it follows. */
  from_day: z.int(),
  expected_d30_revenue: z.number(),
  ...range80,
  /** The days after `from_day`, up to day 30. */
  curve: z.array(z.object({ day: z.int(), revenue: z.number(), ...range80 })),
});
export type ExpectedRevenue = z.infer<typeof ExpectedRevenue>;

/** How predictions for past weekly cohorts would have held. */
export const PredictionRecord = z.object({
  /** The day after which they would have been made. */
  day: z.int(),
  cohorts: z.int(),
  /** Cohorts whose revenue was within the range. */
  inside: z.int(),
  /** Mean of the difference between the result and the prediction, in percent of the prediction; null without cohorts. */
  mean_error_percent: z.number().nullable(),
});
export type PredictionRecord = z.infer<typeof PredictionRecord>;

const figures = {
  installs: z.int(),
  /** Dollars, dated by impression. */
  spend: z.number(),
  /** Events with an amount that is not known in dollars, which revenue lacks. */
  unknown_amounts: z.int(),
  cells: z.array(CohortCell),
  /** With `forecast`, the revenue by day 30; null for a cohort that has it, and where nothing can be predicted. */
  expected: ExpectedRevenue.nullable().optional(),
};

export const CohortRow = z.object({
  /** First day of the cohort, YYYY-MM-DD. */
  cohort: z.string(),
  /** Value of `by` and its display name; both empty without `by`. */
  value: z.string(),
  name: z.string(),
  ...figures,
});
export type CohortRow = z.infer<typeof CohortRow>;

export const CohortReport = z.object({
  /** By cohort, the newest first, and then by installs; Other comes last. */
  rows: z.array(CohortRow),
  total: z.object(figures),
  /** With `forecast`: why nothing is predicted, in a sentence, null where it is; and how predictions held. */
  forecast: z.object({ message: z.string().nullable(), record: z.array(PredictionRecord) }).optional(),
});
export type CohortReport = z.infer<typeof CohortReport>;
