import { z } from 'zod';
import { REPORT_LEVELS, REPORT_METRICS } from './metrics.ts';
import type { HighlightMetric, ReportLevel } from './metrics.ts';
import { CalendarDate, Uuid } from './wire.ts';

const range = { start_date: CalendarDate, end_date: CalendarDate };
const ordered = (query: { start_date: string; end_date: string }) => query.start_date <= query.end_date;
const order = { path: ['end_date'], message: 'The end date is before the start date' };

export const GROUPS = ['day', 'week', 'month', 'year'] as const;

/** GET /v2/analytics/highlight */
export const HighlightQuery = z
  .object({ ...range, group: z.enum(GROUPS).default('day'), campaign_uuid: Uuid.optional() })
  .refine(ordered, order);
export type HighlightQuery = z.infer<typeof HighlightQuery>;

const Highlight = z.object({
  total: z.number().nullable(),
  previous: z.number().nullable(),
  /** Null when the previous value is 0: shown as infinity. */
  change_percent: z.number().nullable(),
  /** `bucket` is the first day of the bucket, YYYY-MM-DD. */
  series: z.array(z.object({ bucket: z.string(), value: z.number().nullable() })),
});
export type Highlight = z.infer<typeof Highlight>;

export const Highlights = z.object({
  clicks: Highlight,
  cpi: Highlight,
  cpm: Highlight,
  impressions: Highlight,
  installs: Highlight,
  spend: Highlight,
} satisfies Record<HighlightMetric, typeof Highlight>);
export type Highlights = z.infer<typeof Highlights>;

const metricFields = {
  clicks: z.number(),
  installs: z.number(),
  impressions: z.number(),
  spends: z.number(),
  ctr: z.number().nullable(),
  cpm: z.number().nullable(),
  cpi: z.number().nullable(),
};

/** POST /analytics/bundle */
export const BundleQuery = z
  .object({
    ...range,
    creative_ids: z
      .array(Uuid)
      .max(10_000)
      .nullish()
      .transform((ids) => ids ?? []),
    campaign_uuid: Uuid.nullish(),
  })
  .refine(ordered, order);
export type BundleQuery = z.infer<typeof BundleQuery>;

export const BundleRow = z.object({ bundle: z.string(), ...metricFields });
export const BundleReport = z.object({ rows: z.array(BundleRow), total: z.object(metricFields) });
export type BundleReport = z.infer<typeof BundleReport>;

/** POST /analytics/level. `levels` gives the tree's depths in order; a value is the comma-joined filter of that key. */
export const LevelQuery = z
  .object({
    ...range,
    metrics: z.array(z.enum(REPORT_METRICS)).max(REPORT_METRICS.length).nullish(),
    levels: z
      .partialRecord(z.enum(REPORT_LEVELS), z.string().max(400_000))
      .refine((levels) => Object.keys(levels).length > 0, 'Choose at least one level')
      .refine((levels) => Object.keys(levels).length <= 6, 'Choose at most six levels'),
    /** Filters on keys that are no level of the tree. */
    filters: z.partialRecord(z.enum(REPORT_LEVELS), z.string().max(400_000)).nullish(),
  })
  .refine(ordered, order);
export type LevelQuery = z.infer<typeof LevelQuery>;

export interface LevelRow {
  level: ReportLevel;
  value: string;
  /** What a person calls it: the entity's name, or the value itself. */
  name: string;
  clicks: number;
  installs: number;
  impressions: number;
  spends: number;
  ctr: number | null;
  cpm: number | null;
  cpi: number | null;
  children: LevelRow[];
}

export const LevelRow: z.ZodType<LevelRow> = z.object({
  level: z.enum(REPORT_LEVELS),
  value: z.string(),
  name: z.string(),
  ...metricFields,
  get children() {
    return z.array(LevelRow);
  },
});

export const LevelReport = z.object({ rows: z.array(LevelRow), total: z.object(metricFields) });
export type LevelReport = z.infer<typeof LevelReport>;
