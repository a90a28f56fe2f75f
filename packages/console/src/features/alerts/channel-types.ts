import type { AlertChannelType } from '@bidwell/contract/alerts/schema';

/** What people read of each type of channel. */
export const CHANNEL_TYPES: Readonly<Record<AlertChannelType, { label: string }>> = {
  slack: { label: 'Slack' },
  telegram: { label: 'Telegram' },
  webhook: { label: 'Webhook' },
};
