import type { AlertKind } from '@bidwell/contract/alerts/kinds';
import type { AlertFrequency } from '@bidwell/contract/alerts/preferences';
import type { AlertChannelType, AlertDeliveryStatus, AlertMessage } from '@bidwell/contract/alerts/schema';
import type {
  AlertRule,
  AlertRuleMetric,
  AlertRuleMinimum,
  AlertRuleScope,
  AlertRuleState,
} from '@bidwell/contract/alerts/rules';
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
  /** The visible part of the destination: an address, or a chat. */
  target: string;
  /** Encrypted: the key that signs a webhook's messages, the address of Slack, the token of a Telegram bot; null once its key is lost. */
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

/** A person's mail preferences for a company. Without a row, or with null, the default applies. */
export interface AlertPreferenceTable {
  company_uuid: string;
  user_uuid: string;
  kinds: AlertKind[] | null;
  frequency: AlertFrequency;
  daily_hour: number;
  /** Hours of `time_zone`; both null for no quiet hours. */
  quiet_from: number | null;
  quiet_until: number | null;
  /** Null for the company's time zone. */
  time_zone: string | null;
  /** When the last mail was sent. */
  mailed_at: Date | null;
}

/** An alert that is due to a person by mail. A claim of it moves `due_at` on. */
export interface AlertMailItemTable {
  company_uuid: string;
  user_uuid: string;
  notification_uuid: string;
  due_at: Date;
  attempts: Generated<number>;
}

/** A figure that a company watches, and the result of its last check. A check is due at `next_check_at`; null while it is off. */
export interface AlertRuleTable {
  uuid: string;
  company_uuid: string;
  metric: AlertRuleMetric;
  scope: AlertRuleScope;
  scope_uuid: string | null;
  /** Whole days; 0 for today so far. */
  days: number;
  direction: AlertRule['direction'];
  /** In the unit of the metric, as are `value` and `minimum`: none of them is a charge. */
  threshold: number;
  minimum_of: AlertRuleMinimum | null;
  minimum: number | null;
  hour: number | null;
  is_enabled: boolean;
  state: AlertRuleState;
  value: number | null;
  volume: number | null;
  /** Calendar dates, YYYY-MM-DD. */
  from_date: string | null;
  to_date: string | null;
  checked_at: Date | null;
  met_since: Date | null;
  next_check_at: Date | null;
  created_at: Date;
}
