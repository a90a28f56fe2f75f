import { z } from 'zod';
import {
  ALL_METRICS,
  EVENT_NAMES_MAX,
  type HighlightMetric,
  type Metrics,
  REPORT_KEYS,
  REPORT_LEVELS,
  REPORT_METRICS,
  type ReportLevel,
  type ReportMetric,
} from './metrics.ts';
import { CampaignKind } from '../campaigns/kind.ts';
import { campaignMessages } from '../campaigns/messages.ts';
import { CalendarDate, Uuid } from '../lib/wire.ts';

export const range = { start_date: CalendarDate, end_date: CalendarDate };
export const ordered = (query: { start_date: string; end_date: string }) =>
  query.start_date <= query.end_date;
export const order = { path: ['end_date'], message: campaignMessages.endBeforeStart };

export const GROUPS = ['day', 'week', 'month', 'year'] as const;
/** The bucket sizes of a chart; `hour` is for ranges of a few days. */
export const CHART_GROUPS = ['hour', ...GROUPS] as const;

/** GET /v2/analytics/highlight */
export const HighlightQuery = z
  .object({ ...range, group: z.enum(CHART_GROUPS).default('day'), campaign_uuid: Uuid.optional() })
  .refine(ordered, order);
export type HighlightQuery = z.infer<typeof HighlightQuery>;

const Highlight = z.object({
  total: z.number().nullable(),
  previous: z.number().nullable(),
  /** Null if the previous value is 0; shown as infinity. */
  change_percent: z.number().nullable(),
  /** `bucket` is the first day of the bucket, YYYY-MM-DD, or the start of the hour, YYYY-MM-DDTHH:MMZ. */
  series: z.array(z.object({ bucket: z.string(), value: z.number().nullable() })),
});
export type Highlight = z.infer<typeof Highlight>;

/** Totals of re-engagement campaigns in a range. */
const ReEngagementTotals = z.object({
  spend: z.number(),
  impressions: z.number(),
  clicks: z.number(),
  reattributions: z.number(),
  cost_per_reattribution: z.number().nullable(),
  reinstalls: z.number(),
  events: z.number(),
  revenue: z.number().nullable(),
  roas: z.number().nullable(),
});

/** Figures of all campaigns are of acquisition alone; `re_engagement` is present where the company has campaigns of that kind. */
export const Highlights = z.object({
  clicks: Highlight,
  cpi: Highlight,
  cpm: Highlight,
  impressions: Highlight,
  installs: Highlight,
  spend: Highlight,
  re_engagement: ReEngagementTotals.optional(),
} satisfies Record<HighlightMetric | 're_engagement', z.ZodType>);
export type Highlights = z.infer<typeof Highlights>;

const NamedEvent = z.object({
  name: z.string(),
  count: z.number(),
  people: z.number().nullable(),
  cost_per_event: z.number().nullable(),
  re_engagement_count: z.number().optional(),
});

const metricFields = {
  clicks: z.number(),
  installs: z.number(),
  impressions: z.number(),
  spends: z.number(),
  ctr: z.number().nullable(),
  cpm: z.number().nullable(),
  cpi: z.number().nullable(),
  /** Like the fields below, present only if the `metrics` of the report request it. */
  win_rate: z.number().nullable().optional(),
  install_rate: z.number().nullable().optional(),
  ipm: z.number().nullable().optional(),
  invalid_clicks: z.number().optional(),
  invalid_installs: z.number().optional(),
  app_events: z.number().optional(),
  cost_per_app_event: z.number().nullable().optional(),
  payers: z.number().nullable().optional(),
  payer_rate: z.number().nullable().optional(),
  revenue: z.number().nullable().optional(),
  arpu: z.number().nullable().optional(),
  arppu: z.number().nullable().optional(),
  roas: z.number().nullable().optional(),
  unknown_amounts: z.number().optional(),
  re_engagement_spend: z.number().optional(),
  re_engagement_clicks: z.number().optional(),
  reattributions: z.number().optional(),
  cost_per_reattribution: z.number().nullable().optional(),
  reinstalls: z.number().optional(),
  re_engagement_events: z.number().optional(),
  re_engagement_revenue: z.number().nullable().optional(),
  re_engagement_roas: z.number().nullable().optional(),
  /** The in-app events that the `event_names` of the report choose, in their order. */
  named_events: z.array(NamedEvent).optional(),
} satisfies Record<ReportMetric | 'named_events', z.ZodType>;
/** The fields that `metrics` selects. */
const chosenFields = z.object(metricFields).partial().shape;
const MetricValues = z.object(chosenFields);

const metrics = z.array(z.enum(ALL_METRICS)).max(ALL_METRICS.length).nullish();
/** Names of in-app events, whose figures the rows have in addition to the metrics. */
const eventNames = z.array(z.string().min(1).max(100)).max(EVENT_NAMES_MAX).nullish();

/** Only campaigns of one kind; all without it. */
const campaignKind = CampaignKind.nullish();

/** POST /analytics/bundle. `metrics` and `event_names` choose figures as in a level report. */
export const BundleQuery = z
  .object({
    ...range,
    metrics,
    event_names: eventNames,
    creative_ids: z
      .array(Uuid)
      .max(10_000)
      .nullish()
      .transform((ids) => ids ?? []),
    campaign_uuid: Uuid.nullish(),
    campaign_kind: campaignKind,
  })
  .refine(ordered, order);
export type BundleQuery = z.infer<typeof BundleQuery>;

/** A publisher bundle with the default metrics. */
export const BundleRow = z.object({ bundle: z.string(), ...metricFields });
const EventLabel = z.object({
  name: z.string(),
  /** Shown in place of the name; null for the name itself, also where the apps of the report differ. */
  label: z.string().nullable(),
});
export type EventLabel = z.infer<typeof EventLabel>;

export const BundleReport = z.object({
  /** `name` is the name of the publisher's app, or the bundle if the name is not known. */
  rows: z.array(z.object({ bundle: z.string(), name: z.string(), ...chosenFields })),
  total: MetricValues,
  /** Labels of the in-app events that `event_names` chooses, in its order. */
  event_labels: z.array(EventLabel).optional(),
});
export type BundleReport = z.infer<typeof BundleReport>;

export const joinedValues = z.string().max(400_000);
const levels = z
  .partialRecord(z.enum(REPORT_LEVELS), joinedValues)
  .refine((chosen) => Object.keys(chosen).length > 0, 'Choose at least one level')
  .refine((chosen) => Object.keys(chosen).length <= 6, 'Choose at most six levels');
/** Filters on keys that are not levels of the tree. */
const filters = z.partialRecord(z.enum(REPORT_KEYS), joinedValues).nullish();

/** First-level rows in one page of a level report. */
export const LEVEL_PAGE_MAX = 1000;

/**
 * POST /analytics/level. `levels` lists the tree's levels in order; each value is the comma-separated filter of that key
 * (empty for time levels). `metrics` selects the metrics of rows and total; without it, the default ones. `event_names`
 * chooses in-app events whose figures rows and total then have as `named_events`. `top` limits the rows beneath each row and sums the others as Other. `page` and `limit` paginate the first level. `compare` adds the
 * previous period.
 */
export const LevelQuery = z
  .object({
    ...range,
    metrics,
    event_names: eventNames,
    levels,
    filters,
    campaign_kind: campaignKind,
    top: z.int().min(1).max(1000).nullish(),
    page: z.int().min(1).max(100_000).nullish(),
    limit: z.int().min(1).max(LEVEL_PAGE_MAX).nullish(),
    compare: z.boolean().nullish(),
  })
  .refine(ordered, order);
export type LevelQuery = z.infer<typeof LevelQuery>;

/** Value of the row that sums the rows beyond `top`. No level has it as a value of its own. */
export const OTHER = 'Other';

export interface LevelRow extends Partial<Metrics> {
  level: ReportLevel;
  /** For time levels, the start of the period: YYYY-MM-DD, or YYYY-MM-DDTHH:MMZ for hours. */
  value: string;
  /** Display name: the entity's name, or the value itself. */
  name: string;
  /** Metrics of the previous period, if `compare` requests them. */
  previous?: Partial<Metrics>;
  children: LevelRow[];
}

export const LevelRow: z.ZodType<LevelRow> = z.object({
  level: z.enum(REPORT_LEVELS),
  value: z.string(),
  name: z.string(),
  ...chosenFields,
  previous: MetricValues.optional(),
  get children() {
    return z.array(LevelRow);
  },
});

export const LevelReport = z.object({
  rows: z.array(LevelRow),
  total: z.object({ ...chosenFields, previous: MetricValues.optional() }),
  /** Labels of the in-app events that `event_names` chooses, in its order. */
  event_labels: z.array(EventLabel).optional(),
  /** Number of rows of the first level; present in paginated reports. */
  rows_total: z.int().optional(),
});
export type LevelReport = z.infer<typeof LevelReport>;

/** A row of a report with all default metrics. */
export interface DefaultRow extends Metrics {
  level: ReportLevel;
  value: string;
  name: string;
  previous?: Metrics;
  children: DefaultRow[];
}

/** A report with all default metrics. */
export interface DefaultReport {
  rows: DefaultRow[];
  total: Metrics & { previous?: Metrics };
  event_labels?: EventLabel[];
  rows_total?: number;
}

/** Whether a report has the default metrics: its query chose none, or these among others. */
export function hasDefaultMetrics(report: LevelReport): report is DefaultReport {
  return REPORT_METRICS.every((metric) => Object.hasOwn(report.total, metric));
}

/** The content of a report by levels, without its days. */
export const ReportContent = z.object({
  metrics,
  event_names: eventNames,
  levels,
  filters,
  campaign_kind: campaignKind,
});
export type ReportContent = z.infer<typeof ReportContent>;

/** POST /analytics/export: a level report as a flat CSV table, streamed. */
export const ExportQuery = z.object({ ...range, ...ReportContent.shape }).refine(ordered, order);
export type ExportQuery = z.infer<typeof ExportQuery>;

export const EVENT_FORMATS = ['csv', 'parquet'] as const;

/** GET /analytics/events: all events of the company on one day. */
export const EventsQuery = z.object({ date: CalendarDate, format: z.enum(EVENT_FORMATS).default('csv') });
export type EventsQuery = z.infer<typeof EventsQuery>;
