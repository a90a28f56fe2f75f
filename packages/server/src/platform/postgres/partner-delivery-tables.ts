import type { Mmp } from '@bidwell/contract/apps/fields';
import type { Micros } from '@bidwell/contract/lib/money';
import type { CostUploadStatus } from '@bidwell/contract/measurement/partner-costs';
import type { CopyStatus } from '@bidwell/contract/measurement/postback-copies';
import type { AppleFramework } from '@bidwell/contract/skadnetwork/postbacks';
import type { ColumnType, Generated } from 'kysely';

/** An app for which a partner takes costs, as it lists it. */
export interface PartnerApp {
  /** The partner's id of the app. */
  id: string;
  /** The time zone of the app's days at the partner; null where it does not say. */
  timeZone: string | null;
}

/** How a company sends costs to a measurement partner. */
export interface PartnerCostsTable {
  uuid: string;
  company_uuid: string;
  mmp: Mmp;
  is_enabled: boolean;
  media_source: string;
  /** Encrypted; null where there is none, or its encryption key was lost. */
  token: string | null;
  /** When the next round begins; null while it is off. */
  next_at: Date | null;
  accepted_at: Date | null;
  /** Why the last round sent nothing. */
  error: string | null;
  /** The apps for which the partner takes costs, as of the last round. */
  partner_apps: ColumnType<PartnerApp[] | null, string | null, string | null>;
}

/** The costs of an app on a day that are sent to a partner. */
export interface PartnerCostDayTable {
  uuid: string;
  company_uuid: string;
  mmp: Mmp;
  app_uuid: string;
  /** YYYY-MM-DD in `time_zone`. */
  day: string;
  time_zone: string;
  /** The rows that the partner may have, compressed: a row that does not exist any more is sent as 0. */
  sent_rows: Buffer | null;
  /** Of the rows that the partner accepted last; null as soon as others are sent. */
  accepted_digest: string | null;
  /** Of the rows that the partner accepted last. */
  accepted_micros: Micros | null;
  accepted_at: Date | null;
}

/** One upload of the costs of an app and day. */
export interface PartnerCostUploadTable {
  uuid: string;
  company_uuid: string;
  mmp: Mmp;
  day_uuid: string;
  status: CostUploadStatus;
  rows: number;
  spend_micros: Micros;
  /** The same in the decimal places that the partner takes. */
  sent_micros: Micros;
  digest: string;
  /** The partner's id of the upload, by which it says what it made of it. */
  job: string | null;
  /** How often that was asked. */
  checks: Generated<number>;
  matched_percent: number | null;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Whether copies of an app's install postbacks are sent to a measurement partner, and where. */
export interface PostbackCopyTargetTable {
  app_uuid: string;
  mmp: Mmp;
  company_uuid: string;
  is_enabled: boolean;
  /** The address for SKAdNetwork; null for the one that the partner documents. */
  url: string | null;
  /** The address for AdAttributionKit; null where its postbacks are not copied. */
  adattributionkit_url: string | null;
  accepted_at: Date | null;
}

/** A copy of an install postback for a measurement partner. */
export interface PostbackCopyTable {
  uuid: string;
  company_uuid: string;
  app_uuid: string;
  mmp: Mmp;
  framework: AppleFramework;
  transaction_id: string;
  sequence_index: number;
  status: CopyStatus;
  attempts: Generated<number>;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
  response_status: number | null;
  response_start: string | null;
  error: string | null;
  created_at: Date;
  accepted_at: Date | null;
}
