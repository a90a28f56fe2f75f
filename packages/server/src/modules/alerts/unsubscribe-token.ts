import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';

/** Whose mails a link ends, and of which company. */
export interface Subscription {
  companyId: string;
  userId: string;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;

/** A token that ends the mails of one person about one company, and does nothing else. It does not expire. Pure. */
export function unsubscribeToken(secret: string, { companyId, userId }: Subscription): string {
  const ids = Buffer.concat([parse(companyId), parse(userId)]);
  return Buffer.concat([ids, signatureOf(secret, ids)]).toString('base64url');
}

/** What a token is for, if one of the secrets has signed it; null otherwise. Pure. */
export function readUnsubscribeToken(secrets: readonly string[], token: string): Subscription | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * ID_BYTES + SIGNATURE_BYTES) return null;
  const ids = bytes.subarray(0, 2 * ID_BYTES);
  const signature = bytes.subarray(2 * ID_BYTES);
  if (!secrets.some((secret) => timingSafeEqual(signatureOf(secret, ids), signature))) return null;
  return { companyId: textOf(ids.subarray(0, ID_BYTES)), userId: textOf(ids.subarray(ID_BYTES)) };
}

function signatureOf(secret: string, ids: Uint8Array): Buffer {
  return createHmac('sha256', secret).update('bidwell unsubscribe 1').update(ids).digest();
}

const textOf = (bytes: Buffer): string => stringify(Uint8Array.from(bytes));
