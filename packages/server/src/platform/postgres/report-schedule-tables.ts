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
  /** Of the company's time zone. */
  hour: number;
  user_uuids: string[];
  /** Those of them who have ended its mails. */
  unsubscribed: Generated<string[]>;
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
  /** People to whom it was mailed: a further try leaves them out. */
  mailed_to: Generated<string[]>;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}
