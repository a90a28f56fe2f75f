import type { StoredReviewState } from '@bidwell/contract/creatives/exchange-reviews';
import type { ColumnType, Generated } from 'kysely';

/** The account with which creatives are submitted to an exchange. */
export interface ExchangeReviewAccountTable {
  slug: string;
  is_enabled: boolean;
  account: string;
  login: string;
  /** Encrypted; null where there is none, or its encryption key was lost. */
  secret: string | null;
  /** When the states are asked for next; null for as soon as possible. */
  poll_at: Date | null;
  /** Where the next question goes on; null for the beginning. */
  poll_cursor: string | null;
  /** Questions in a row that brought nothing new. */
  quiet_polls: Generated<number>;
  accepted_at: Date | null;
  error: string | null;
  /** Until when the exchange asked to wait. */
  paused_until: Date | null;
}

/** What an exchange says of a creative. */
export interface ExchangeReviewTable {
  uuid: string;
  company_uuid: string;
  creative_uuid: string;
  slug: string;
  /** Of the creative when `version` was made. */
  creative_updated_at: Date;
  /** Hash of what the exchange has to review. */
  version: string;
  state: StoredReviewState;
  reasons: ColumnType<string[], string | undefined, string>;
  /** Why the last try failed. */
  error: string | null;
  /** A person has to send it again, since the exchange refuses it as it is. */
  is_held: Generated<boolean>;
  /** The version that the exchange accepted last. */
  sent_version: string | null;
  sent_at: Date | null;
  decided_at: Date | null;
  /** When it was known to be in use last: sent, or shown. */
  used_at: Date | null;
  /** When its use was counted last. */
  counted_at: Date | null;
  changed_at: Date;
}
