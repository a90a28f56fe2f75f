import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { companyAlertMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid, requiredText, title } from '../lib/wire.ts';
import { NOTIFICATION_SEVERITIES } from '../notifications/severity.ts';
import { ALERT_KINDS } from './kinds.ts';
import { entityVersion } from '../lib/version.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** The types of alert channels, in addition to mails to people. */
export const ALERT_CHANNEL_TYPES = ['webhook', 'slack', 'telegram'] as const;
export type AlertChannelType = (typeof ALERT_CHANNEL_TYPES)[number];

/** Channels of a company at most. */
export const ALERT_CHANNELS_MAX = 10;
/** Test alerts and replays of a company in a minute at most. */
export const ALERT_SENDS_PER_MINUTE = 20;
/** Deliveries of a channel on a page of its log. */
export const ALERT_DELIVERIES_LISTED = 100;
const ADDRESS_CHARS_MAX = 1000;

export const AlertKinds = z
  .array(z.enum(ALERT_KINDS))
  .max(ALERT_KINDS.length)
  .transform((kinds) => ALERT_KINDS.filter((kind) => kinds.includes(kind)));

/** The address of a webhook, without a user and a password. */
export const WebhookUrl = requiredText(ADDRESS_CHARS_MAX).refine(
  isWebhookUrl,
  companyAlertMessages.webhookUrl,
);

function isWebhookUrl(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** POST /alerts/channels */
export const AlertChannelInput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), name: title(), url: WebhookUrl, kinds: AlertKinds }),
  z.object({ type: z.literal('slack'), name: title(), url: WebhookUrl, kinds: AlertKinds }),
  z.object({
    type: z.literal('telegram'),
    name: title(),
    bot_token: requiredText(100).regex(/^\d{1,20}:[\w-]{20,80}$/, companyAlertMessages.telegramToken),
    chat_id: requiredText(64).regex(/^(-?\d{1,20}|@\w{4,40})$/, companyAlertMessages.telegramChat),
    kinds: AlertKinds,
  }),
]);
export type AlertChannelInput = z.infer<typeof AlertChannelInput>;

/** PATCH /alerts/channels/:uuid. Absent fields stay unchanged. */
export const AlertChannelUpdate = z.object({
  name: title().optional(),
  kinds: AlertKinds.optional(),
  is_enabled: z.boolean().optional(),
});
export type AlertChannelUpdate = z.infer<typeof AlertChannelUpdate>;

/** A channel of a company. Its secret is never returned after its creation. */
export const AlertChannel = z.object({
  uuid: Uuid,
  type: z.enum(ALERT_CHANNEL_TYPES),
  name: z.string(),
  /** The address of a webhook, host and ending of a Slack address, the chat of Telegram. */
  target: z.string(),
  kinds: z.array(z.enum(ALERT_KINDS)),
  is_enabled: z.boolean(),
  /** Since when every delivery has failed; null after one that did not. */
  failing_since: Timestamp.nullable(),
  /** True where it was disabled because its deliveries failed. */
  is_given_up: z.boolean(),
  delivered_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type AlertChannel = z.infer<typeof AlertChannel>;

export const alertChannelVersion = entityVersion(AlertChannel, [
  'failing_since',
  'is_given_up',
  'delivered_at',
]);

/** Response on creation, the only one with the secret that signs the messages of a webhook; null for other channels. */
export const NewAlertChannel = AlertChannel.extend({ signing_secret: z.string().nullable() });
export type NewAlertChannel = z.infer<typeof NewAlertChannel>;

/** PUT /alerts/settings: when the company is alerted. */
export const AlertSettings = z.object({
  /** Dollars: an alert comes when the balance falls to this; null for none. */
  balance_low: z
    .number('Enter a number')
    .min(limits.amountMinDollars, messages.belowCent)
    .max(limits.budgetMaxDollars, `At most $${numberText(limits.budgetMaxDollars)}`)
    .nullable(),
});
export type AlertSettings = z.infer<typeof AlertSettings>;

export const alertSettingsVersion = entityVersion(AlertSettings);

export const ALERT_DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type AlertDeliveryStatus = (typeof ALERT_DELIVERY_STATUSES)[number];

/** A message for a channel, and its outcome. */
export const AlertDelivery = z.object({
  uuid: Uuid,
  kind: z.string(),
  title: z.string(),
  status: z.enum(ALERT_DELIVERY_STATUSES),
  attempts: z.number().int(),
  attempted_at: Timestamp.nullable(),
  /** When it is tried again; null unless it waits. */
  next_attempt_at: Timestamp.nullable(),
  /** HTTP status of the last response; null without one. */
  response_status: z.number().int().nullable(),
  /** The start of the last response. */
  response_start: z.string().nullable(),
  /** Why there was no response. */
  error: z.string().nullable(),
  created_at: Timestamp,
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

/** GET /alerts/channels/:uuid/deliveries */
export const AlertDeliveriesQuery = z.object({
  /** Where the previous response ended; its format may change. */
  cursor: z
    .string()
    .regex(/^[0-9a-f]{32}$/, messages.notACursor)
    .optional(),
});
export type AlertDeliveriesQuery = z.infer<typeof AlertDeliveriesQuery>;

/** A page of a channel's log, newest delivery first. `next` is the cursor of the next page; null on the last. */
export const AlertDeliveryPage = z.object({
  deliveries: z.array(AlertDelivery),
  next: z.string().nullable(),
});
export type AlertDeliveryPage = z.infer<typeof AlertDeliveryPage>;

/** The message that a webhook gets, as JSON. */
export const AlertMessage = z.object({
  /** `alert.` and the kind; `alert.test` for a test. */
  type: z.string(),
  timestamp: Timestamp,
  data: z.object({
    company_uuid: Uuid,
    company_name: z.string(),
    title: z.string(),
    text: z.string(),
    severity: z.enum(NOTIFICATION_SEVERITIES),
    entity_type: z.string().nullable(),
    entity_uuid: Uuid.nullable(),
    notification_uuid: Uuid.nullable(),
  }),
});
export type AlertMessage = z.infer<typeof AlertMessage>;
