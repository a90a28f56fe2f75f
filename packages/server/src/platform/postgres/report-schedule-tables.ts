import type { ReportDestinationType } from '@bidwell/contract/report-schedules/destination-schema';
import type {
  ReportFrequency,
  ReportRunStatus,
  ScheduledFormat,
} from '@bidwell/contract/report-schedules/schema';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import type { ColumnType, Generated } from 'kysely';

/** A report that is sent again and again. */
export interface ReportScheduleTable {
  uuid: string;
  company_uuid: string;
  name: string;
  report: ColumnType<ReportContent, string, string>;
  format: ScheduledFormat;
  frequency: ReportFrequency;
  /** ISO day of the week of a weekly report. */
  weekday: number | null;
  /** The hour in the company's time zone. */
  hour: number;
  user_uuids: string[];
  /** Recipients who have unsubscribed. */
  unsubscribed: Generated<string[]>;
  /** Webhooks and buckets that its files are sent to. */
  destination_uuids: Generated<string[]>;
  is_enabled: boolean;
  /** When its next report is planned; null while it is off. */
  next_at: Date | null;
  created_at: Date;
}

/** A report of a schedule, once for each period. A claim of it moves `next_attempt_at` on. */
export interface ReportRunTable {
  uuid: string;
  company_uuid: string;
  schedule_uuid: string;
  /** Days of the company's time zone, both included, as YYYY-MM-DD. */
  start_date: string;
  end_date: string;
  status: ReportRunStatus;
  attempts: Generated<number>;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
  rows: number | null;
  /** Recipients to whom it was mailed: a further try skips them. */
  mailed_to: Generated<string[]>;
  /** People whose address the mail server refuses for good: a further try leaves them out too. */
  undeliverable: Generated<string[]>;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** A webhook or an S3 bucket of a company. */
export interface ReportDestinationTable {
  uuid: string;
  company_uuid: string;
  type: ReportDestinationType;
  name: string;
  /** The address of a webhook, or of an S3 service. */
  url: string;
  region: string | null;
  bucket: string | null;
  /** Empty, or ends with a slash. */
  prefix: string | null;
  /** Encrypted: the key that signs messages of a webhook, or the keys of S3 as JSON. Null where the encryption key was lost. */
  secret: string | null;
  created_at: Date;
}

/** The last try of a report at a destination. */
export interface ReportDeliveryTable {
  run_uuid: string;
  destination_uuid: string;
  company_uuid: string;
  is_delivered: boolean;
  attempts: number;
  attempted_at: Date;
  response_status: number | null;
  response_start: string | null;
  error: string | null;
}
