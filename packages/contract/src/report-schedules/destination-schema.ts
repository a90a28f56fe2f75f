import { z } from 'zod';
import { Timestamp, Uuid, requiredText, title } from '../lib/wire.ts';
import { WebhookUrl } from '../alerts/schema.ts';
import { reportScheduleMessages } from './messages.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** Where files of scheduled reports are sent, in addition to mails to people. */
export const REPORT_DESTINATION_TYPES = ['webhook', 's3'] as const;
export type ReportDestinationType = (typeof REPORT_DESTINATION_TYPES)[number];

/** Destinations of a company at most. */
export const REPORT_DESTINATIONS_MAX = 10;
/** Tests of destinations of a company in a minute at most. */
export const REPORT_TESTS_PER_MINUTE = 10;

/** POST /report-destinations */
export const ReportDestinationInput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), name: title(), url: WebhookUrl }),
  z.object({
    type: z.literal('s3'),
    name: title(),
    /** The address of the service, without the bucket: for Amazon S3, the address of the region. */
    url: requiredText(200).refine(isOrigin, reportScheduleMessages.s3Url),
    region: requiredText(50).regex(/^[a-z0-9-]+$/, reportScheduleMessages.s3Region),
    bucket: requiredText(63).regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, reportScheduleMessages.s3Bucket),
    /** The start of the names of objects; empty for none. */
    prefix: z
      .string()
      .trim()
      .max(200)
      .regex(/^([\w.=-]+(\/[\w.=-]+)*\/?)?$/, reportScheduleMessages.s3Prefix)
      .refine(
        (prefix) => prefix.split('/').every((part) => !/^\.+$/.test(part)),
        reportScheduleMessages.s3Prefix,
      ),
    access_key_id: requiredText(128).regex(/^[\x21-\x7e]+$/, reportScheduleMessages.s3Key),
    secret_access_key: requiredText(256).regex(/^[\x21-\x7e]+$/, reportScheduleMessages.s3Key),
  }),
]);
export type ReportDestinationInput = z.infer<typeof ReportDestinationInput>;

/** An https address of a server alone. The server accepts http for hosts that operators allow. */
function isOrigin(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}

/** A destination of a company. Its secrets are never returned after its creation. */
export const ReportDestination = z.object({
  uuid: Uuid,
  type: z.enum(REPORT_DESTINATION_TYPES),
  name: z.string(),
  /** The address of a webhook, or of an S3 service. */
  url: z.string(),
  /** For S3; null for a webhook. */
  region: z.string().nullable(),
  bucket: z.string().nullable(),
  prefix: z.string().nullable(),
  created_at: Timestamp,
});
export type ReportDestination = z.infer<typeof ReportDestination>;

/** Response on creation, the only one with the secret that signs the messages of a webhook; null for S3. */
export const NewReportDestination = ReportDestination.extend({ signing_secret: z.string().nullable() });
export type NewReportDestination = z.infer<typeof NewReportDestination>;

/** The outcome of a test. */
export const ReportDestinationTest = z.object({
  is_delivered: z.boolean(),
  /** HTTP status; null without a response. */
  response_status: z.number().int().nullable(),
  /** Why nothing was delivered; null otherwise. */
  error: z.string().nullable(),
});
export type ReportDestinationTest = z.infer<typeof ReportDestinationTest>;

/** The message that a webhook gets, as JSON. */
export const ReportMessage = z.object({
  type: z.enum(['report.scheduled', 'report.test']),
  timestamp: Timestamp,
  data: z.object({
    company_uuid: Uuid,
    company_name: z.string(),
    /** Null in a test, like all fields about a report. */
    report_schedule_uuid: Uuid.nullable(),
    name: z.string(),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    rows: z.number().int().nullable(),
    file: z
      .object({
        name: z.string(),
        media_type: z.string(),
        /** How `content` holds the file: CSV as text, Parquet in Base64. */
        encoding: z.enum(['utf-8', 'base64']),
        content: z.string(),
      })
      .nullable(),
  }),
});
export type ReportMessage = z.infer<typeof ReportMessage>;
