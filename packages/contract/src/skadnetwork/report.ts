import { z } from 'zod';
import { CalendarDate, Timestamp, Uuid } from '../lib/wire.ts';
import { campaignMessages } from '../campaigns/messages.ts';

/** The keys by which postbacks of SKAdNetwork and AdAttributionKit can be grouped. */
export const POSTBACK_KEYS = [
  'day',
  'app',
  'adset',
  'source_identifier',
  'framework',
  'version',
  'fidelity',
  'window',
  'result',
  'conversion_type',
  'value',
  'country',
  'source_app',
] as const;
export type PostbackKey = (typeof POSTBACK_KEYS)[number];

/** Most keys of a report. */
export const POSTBACK_KEYS_MAX = 4;
/** Most rows of a report; one with more is refused. */
export const POSTBACK_ROWS_MAX = 10_000;

const range = {
  start_date: CalendarDate,
  end_date: CalendarDate,
  /** Only the postbacks of this app. */
  app_uuid: Uuid.optional(),
};
const isOrdered = ({ start_date, end_date }: { start_date: string; end_date: string }) =>
  start_date <= end_date;
const orderFault = { path: ['end_date'], message: campaignMessages.endBeforeStart };

/** POST /analytics/skadnetwork. Days are days of arrival in the company's time zone. */
export const PostbackReportQuery = z
  .object({
    ...range,
    /** Without keys there is only the total. */
    by: z
      .array(z.enum(POSTBACK_KEYS))
      .max(POSTBACK_KEYS_MAX)
      .default([])
      .transform((keys) => [...new Set(keys)]),
  })
  .refine(isOrdered, orderFault);
export type PostbackReportQuery = z.infer<typeof PostbackReportQuery>;

const counts = {
  /** Postbacks that were counted: the sum of `won` and `lost`. */
  postbacks: z.number().int(),
  won: z.number().int(),
  /** Postbacks of impressions that had a part in an install and did not win it, from version 3.0 on. */
  lost: z.number().int(),
  /** Won postbacks of the first window: each is one person. */
  downloads: z.number().int(),
  redownloads: z.number().int(),
  re_engagements: z.number().int(),
};
const PostbackCounts = z.object(counts);
export type PostbackCounts = z.infer<typeof PostbackCounts>;

const PostbackRow = z.object({
  /** In the order of `by`; `key` is null where the postback does not say. */
  groups: z.array(z.object({ key: z.string().nullable(), name: z.string() })),
  ...counts,
});
export type PostbackRow = z.infer<typeof PostbackRow>;

/** Why postbacks that name an app of the company are not counted. */
export const POSTBACK_PROBLEMS = [
  'bad_signature',
  'unknown_key',
  'unknown_network',
  'unsupported_version',
  'unreadable',
  'unknown_source',
  'test',
] as const;

/** Postbacks that need a look. Postbacks with `unknown_source` are counted for the app, without an ad set. */
const PostbackProblem = z.object({
  reason: z.enum(POSTBACK_PROBLEMS),
  count: z.number().int(),
  last_at: Timestamp,
});
export type PostbackProblem = z.infer<typeof PostbackProblem>;

/** The response of POST /analytics/skadnetwork. */
export const PostbackReport = z.object({
  /** Sorted by day if it is the first key, otherwise by the number of postbacks, the most first. */
  rows: z.array(PostbackRow),
  total: PostbackCounts,
  /** The app of the query, or all apps of the company: how many are in the App Store, and how many of these have signed bids switched on. */
  apps: z.object({ ios: z.number().int(), signed: z.number().int() }),
  /** For the same days and apps, the most frequent first. Nothing proves that a postback which is not valid is about the app. */
  problems: z.array(PostbackProblem),
});
export type PostbackReport = z.infer<typeof PostbackReport>;

/** GET /analytics/skadnetwork/comparison. */
export const ComparisonQuery = z.object(range).refine(isOrdered, orderFault);
export type ComparisonQuery = z.infer<typeof ComparisonQuery>;

const ComparisonRow = z.object({
  /** The day of arrival of both. */
  day: CalendarDate,
  /** Null for postbacks whose source identifier is not known. */
  adset: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  /** Installs that the measurement partner reported; null without an ad set, since partners report by ad set. */
  partner_installs: z.number().int().nullable(),
  /** Downloads and redownloads by won postbacks of the first window. */
  postback_installs: z.number().int(),
});
export type ComparisonRow = z.infer<typeof ComparisonRow>;

/**
 * The response of GET /analytics/skadnetwork/comparison: installs of ad sets that got postbacks or have a source identifier. The two
 * counts overlap by an unknown part, and so they have no sum.
 */
export const Comparison = z.object({
  /** The newest day first, at most {@link POSTBACK_ROWS_MAX}. */
  rows: z.array(ComparisonRow),
  total: z.object({ partner_installs: z.number().int(), postback_installs: z.number().int() }),
});
export type Comparison = z.infer<typeof Comparison>;
