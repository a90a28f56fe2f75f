import { createHmac } from 'node:crypto';

/** The prefix of signing secrets, as Standard Webhooks has it. */
const PREFIX = 'whsec_';

/** The secret of a webhook, of random bytes. */
export function newSigningSecret(bytes: Buffer): string {
  return PREFIX + bytes.toString('base64');
}

/**
 * The headers that sign a message as Standard Webhooks 1.0 says: HMAC-SHA256 over the id, the time in seconds and the body. A
 * receiver compares the signature, rejects times more than some minutes off, and recognizes repetitions by the id. Pure.
 */
export function signedHeaders(
  secret: string,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
