import { z } from 'zod';
import { Mmp } from '../apps/fields.ts';
import { campaignMessages } from '../campaigns/messages.ts';
import { reportMessages } from '../reports/messages.ts';
import { Rate } from '../lib/rate.ts';
import { UncountedEvents, UnreadTimes } from './uncounted-events.ts';
import { CalendarDate, Timestamp, Uuid } from '../lib/wire.ts';

/** GET /measurement: at most one of campaign and tracking link. */
export const MeasurementQuery = z
  .object({
    start_date: CalendarDate,
    end_date: CalendarDate,
    /** Only this campaign's clicks and postbacks. */
    campaign_id: Uuid.optional(),
    /** Only this tracking link's clicks and postbacks. */
    tracking_link_id: Uuid.optional(),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: campaignMessages.endBeforeStart,
  })
  .refine((query) => query.campaign_id === undefined || query.tracking_link_id === undefined, {
    path: ['tracking_link_id'],
    message: reportMessages.oneMeasurementFilter,
  });
export type MeasurementQuery = z.infer<typeof MeasurementQuery>;

/**
 * Why a postback was not counted: `partner` rejected the install as fraud, the others are Bidwell's. `unverified` is stored by
 * earlier releases, which did not store the check that failed.
 */
export const REJECTION_REASONS = [
  'partner',
  'no_click_id',
  'unknown_click',
  'no_touchpoint',
  'wrong_credential',
  'wrong_network',
  'unverified',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

const Rejection = z.object({
  reason: z.enum(REJECTION_REASONS),
  /** The partner's own reason, as it names it; '' for the other reasons and where it names none. */
  partner_reason: z.string(),
  count: z.number().int(),
});
export type Rejection = z.infer<typeof Rejection>;

const counts = {
  /** Clicks that were sent to the partner, invalid traffic included. */
  clicks: z.number().int(),
  /** Postbacks that arrived: the sum of the following seven. */
  postbacks: z.number().int(),
  /** Installs that were counted. */
  installs: z.number().int(),
  /** Installs that were reported before. */
  duplicates: z.number().int(),
  /** Installs of bids that are more than 30 days old, which are not counted. */
  late: z.number().int(),
  /** Postbacks about events in the app, also those that count nothing; see `in_app_events`. */
  events: z.number().int(),
  /** Conversions of users who had the app before, which are no installs. */
  retargeting: z.number().int(),
  rejected: z.number().int(),
  /** Postbacks without a click id about an app of the company, such as for organic installs; they are not counted. */
  not_attributed: z.number().int(),
  /** The counted installs after a view without a click. */
  installs_after_view: z.number().int(),
  /** The rejected postbacks that revoked an install counted before. */
  revoked: z.number().int(),
  /** The rejected by reason, the most frequent first. */
  rejections: z.array(Rejection),
  /**
   * Counted installs after a click per hundred clicks; null without clicks, and where installs of the clicks are not in the
   * report.
   */
  install_rate: Rate.nullable(),
  last_postback_at: Timestamp.nullable(),
};

/** Events in the app of one name, without test and invalid traffic. */
const InAppEvents = z.object({
  /** As the partner names it; `(other)` for names beyond the stored or listed ones, `(unnamed)` for events without a name. */
  name: z.string(),
  /** Shown in place of the name; null for the name itself, also where apps differ. */
  label: z.string().nullable(),
  /** Whether choices of events offer it. */
  offered: z.boolean(),
  count: z.number().int(),
  /** Distinct clicks or impressions that the events are attributed to; null for several names together. */
  people: z.number().int().nullable(),
  /**
   * Dollars of the sources that the app counts, less refunds, as far as amounts are known; null if none is known. `unknown_amounts` are
   * missing in it.
   */
  revenue: z.number().nullable(),
  /** Events with an amount that cannot be read, or in a currency without a rate. */
  unknown_amounts: z.number().int(),
});
export type InAppEvents = z.infer<typeof InAppEvents>;

/** Most names of events in the app that a report lists, of a tracking link and in all. */
export const IN_APP_NAMES_MAX = 50;

const MeasurementCounts = z.object(counts);
export type MeasurementCounts = z.infer<typeof MeasurementCounts>;

const MeasurementRow = z.object({
  mmp: Mmp,
  tracking_link: z.object({ uuid: Uuid, name: z.string() }),
  app: z.object({ uuid: Uuid, name: z.string() }),
  ...counts,
  /** In-app events of the link that the ad set had at the bid, the most frequent first. */
  in_app_events: z.array(InAppEvents),
});
export type MeasurementRow = z.infer<typeof MeasurementRow>;

const UnattributedRow = z.object({
  /** Null for clicks of ad sets that do not exist any more. */
  mmp: Mmp.nullable(),
  ...counts,
});
export type UnattributedRow = z.infer<typeof UnattributedRow>;

/** Most rows of a report; the others are summed. */
export const MEASUREMENT_ROWS_MAX = 500;

/** GET /measurement: outcomes of clicks and postbacks by measurement partner and tracking link. */
export const Measurement = z.object({
  /** Rows with the most clicks and postbacks first. */
  rows: z.array(MeasurementRow),
  /** Sum of the rows beyond the first {@link MEASUREMENT_ROWS_MAX}; null if there are none. */
  other: MeasurementCounts.nullable(),
  /** Sum of `rows` and `other`. */
  total: MeasurementCounts,
  /** Postbacks of the company that belong to no tracking link, by partner; with a filter, of the partner of its app. */
  unattributed: z.array(UnattributedRow),
  /** Events in the app of all tracking links by name, the most frequent first; dated by their arrival. */
  in_app_events: z.array(InAppEvents),
  /** Postbacks about events in the app that count nothing, by partner and reason, the most frequent first. */
  uncounted_events: z.array(UncountedEvents),
  /** Events in the app that are dated as they arrived, since the time that the partner sent cannot be read, by partner. */
  unread_times: z.array(UnreadTimes),
  /** Postbacks are stored for this number of days. */
  postback_days: z.number().int(),
});
export type Measurement = z.infer<typeof Measurement>;
