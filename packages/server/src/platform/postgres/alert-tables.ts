import type { AlertKind } from '@bidwell/contract/alerts/kinds';
import type { AlertChannelType, AlertDeliveryStatus, AlertMessage } from '@bidwell/contract/alerts/schema';
import type { ColumnType, Generated } from 'kysely';

/** A notification whose deliveries are not written yet. */
export interface AlertOutboxTable {
  notification_uuid: string;
  company_uuid: string;
  created_at: Date;
}

/** Where a company sends alerts. */
export interface AlertChannelTable {
  uuid: string;
  company_uuid: string;
  type: AlertChannelType;
  name: string;
  /** What people see of the destination: an address, or a chat. */
  target: string;
  /** Encrypted: what signs a webhook's messages, the address of Slack, the token of a Telegram bot; null once its key is lost. */
  secret: string | null;
  kinds: AlertKind[];
  is_enabled: Generated<boolean>;
  is_given_up: Generated<boolean>;
  failing_since: Date | null;
  delivered_at: Date | null;
  created_at: Date;
}

/** A message for a channel. A claim of it moves `next_attempt_at` on, so that another process takes it over later. */
export interface AlertDeliveryTable {
  uuid: string;
  company_uuid: string;
  channel_uuid: string;
  message: ColumnType<AlertMessage, string, never>;
  status: AlertDeliveryStatus;
  attempts: Generated<number>;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
  response_status: number | null;
  response_start: string | null;
  error: string | null;
  created_at: Date;
}
