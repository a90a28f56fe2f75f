import { z } from 'zod';
import { CalendarDate, Timestamp, Uuid, title } from '../lib/wire.ts';
import { ReportContent } from '../reports/schema.ts';
import { reportScheduleMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { entityVersion } from '../lib/version.ts';

/** How often a scheduled report is sent: of the day before, of the seven days before, of the month before. */
export const REPORT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

/** A file with all rows, or a mail that is read as it is. */
export const SCHEDULED_FORMATS = ['mail', 'csv', 'parquet'] as const;
export type ScheduledFormat = (typeof SCHEDULED_FORMATS)[number];

/** Schedules of a company at most. */
export const REPORT_SCHEDULES_MAX = 20;
/** People who get one report at most. */
export const REPORT_RECIPIENTS_MAX = 20;
/** Destinations of one report at most. */
export const REPORT_SCHEDULE_DESTINATIONS_MAX = 5;
/** Latest reports of a schedule that are listed. */
export const REPORT_RUNS_LISTED = 50;
/** Reports that the people of a company send themselves in a minute at most. */
export const REPORT_SENDS_PER_MINUTE = 10;
/** Characters of a stored report, as JSON. */
const CONTENT_CHARS_MAX = 20_000;

/** POST /report-schedules, PUT /report-schedules/:uuid */
export const ReportScheduleInput = z
  .object({
    name: title(),
    report: ReportContent.refine(
      (report) => JSON.stringify(report).length <= CONTENT_CHARS_MAX,
      reportScheduleMessages.reportContentLong,
    ),
    format: z.enum(SCHEDULED_FORMATS),
    frequency: z.enum(REPORT_FREQUENCIES),
    /** The day of a weekly report, 1 for Monday; null for others. Monthly reports are sent on the first day. */
    weekday: z.number().int().min(1).max(7).nullable(),
    /** The hour at which it is sent, in the company's time zone. */
    hour: z.number().int().min(0).max(23),
    /** People of the company who may read reports. */
    user_uuids: z
      .array(Uuid)
      .max(REPORT_RECIPIENTS_MAX, `At most ${REPORT_RECIPIENTS_MAX} people`)
      .transform((ids) => [...new Set(ids)]),
    /** Webhooks and buckets of the company that get the file. */
    destination_uuids: z
      .array(Uuid)
      .max(REPORT_SCHEDULE_DESTINATIONS_MAX, `At most ${REPORT_SCHEDULE_DESTINATIONS_MAX} destinations`)
      .default([])
      .transform((ids) => [...new Set(ids)]),
    is_enabled: z.boolean(),
  })
  .refine(({ user_uuids, destination_uuids }) => user_uuids.length + destination_uuids.length > 0, {
    path: ['user_uuids'],
    error: messages.required,
  })
  .refine(({ format, destination_uuids }) => format !== 'mail' || destination_uuids.length === 0, {
    path: ['format'],
    error: reportScheduleMessages.reportFileFormat,
  })
  .refine(({ frequency, weekday }) => (frequency === 'weekly') === (weekday !== null), {
    path: ['weekday'],
    error: reportScheduleMessages.reportWeekday,
  });
export type ReportScheduleInput = z.infer<typeof ReportScheduleInput>;

export const REPORT_RUN_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type ReportRunStatus = (typeof REPORT_RUN_STATUSES)[number];

/** The last try of a report at a destination; not delivered and without an error while it is under way, or where the process ended in it. */
export const ReportDelivery = z.object({
  destination_uuid: Uuid,
  name: z.string(),
  is_delivered: z.boolean(),
  attempts: z.number().int(),
  attempted_at: Timestamp,
  /** HTTP status; null without a response. */
  response_status: z.number().int().nullable(),
  /** The start of the response of a webhook, the error code of S3; null without. */
  response_start: z.string().nullable(),
  /** Why it was not delivered; null otherwise. */
  error: z.string().nullable(),
});

/** A report of a schedule, of one period, and its outcome. */
export const ReportRun = z.object({
  uuid: Uuid,
  /** Days of the report, both included. */
  start_date: CalendarDate,
  end_date: CalendarDate,
  status: z.enum(REPORT_RUN_STATUSES),
  attempts: z.number().int(),
  /** Rows of its file or mail; null until it is made. */
  rows: z.number().int().nullable(),
  /** Recipients to whom it was mailed. */
  mailed: z.number().int(),
  /** Its outcomes at the destinations that it was sent to. */
  deliveries: z.array(ReportDelivery),
  /** Why it was not sent, or not to all recipients; null otherwise. */
  error: z.string().nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type ReportRun = z.infer<typeof ReportRun>;

/** A report that is sent again and again. */
export const ReportSchedule = z.object({
  uuid: Uuid,
  name: z.string(),
  report: ReportContent,
  format: z.enum(SCHEDULED_FORMATS),
  frequency: z.enum(REPORT_FREQUENCIES),
  weekday: z.number().int().nullable(),
  hour: z.number().int(),
  user_uuids: z.array(Uuid),
  /** Recipients who have unsubscribed; they get them again if they are removed and chosen again. */
  unsubscribed_uuids: z.array(Uuid),
  destination_uuids: z.array(Uuid),
  is_enabled: z.boolean(),
  /** When the next report is made; null while it is off. */
  next_at: Timestamp.nullable(),
  last_run: ReportRun.nullable(),
  created_at: Timestamp,
});
export type ReportSchedule = z.infer<typeof ReportSchedule>;

export const reportScheduleVersion = entityVersion(ReportSchedule, [
  'next_at',
  'last_run',
  'unsubscribed_uuids',
]);
