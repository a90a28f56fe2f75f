import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { signedHeaders } from '../../../platform/outbound/sign-message.ts';

/** What is posted, and where. */
export interface ChannelRequest {
  address: string;
  headers: Record<string, string>;
  body: string;
}

/** The host of Telegram's bots. */
export const TELEGRAM_HOST = 'api.telegram.org';
/** Longest message of Telegram is 4096 characters; Slack cuts longer ones off. */
const TEXT_CHARS_MAX = 3000;

/** The request of an alert to a channel, whose `secret` is in plain text. `id` stays the same when it is sent again. Pure. */
export function channelRequest(
  channel: { type: 'webhook' | 'slack' | 'telegram'; target: string; secret: string },
  { id, at, message }: { id: string; at: Date; message: AlertMessage },
): ChannelRequest {
  const { type, target, secret } = channel;
  if (type === 'webhook') {
    const body = JSON.stringify(message);
    return { address: target, headers: signedHeaders(secret, { id, at, body }), body };
  }
  const text = textOf(message);
  if (type === 'slack')
    return {
      address: secret,
      headers: {},
      body: JSON.stringify({ text: slackEscaped(text), unfurl_links: false, unfurl_media: false }),
    };
  const body = JSON.stringify({
    chat_id: target,
    text,
    link_preview_options: { is_disabled: true },
  });
  return { address: `https://${TELEGRAM_HOST}/bot${secret}/sendMessage`, headers: {}, body };
}

function textOf({ data }: AlertMessage): string {
  const text = unlinked(`${data.title} (${data.company_name})\n${data.text}`);
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
}

/** Without this a name could mention everybody of a channel, or hide a link. */
function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
