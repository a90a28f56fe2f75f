import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PriceKeys } from '../model/price-rules.ts';

const IV_BYTES = 16;
const PRICE_BYTES = 8;
const MAC_BYTES = 4;

/**
 * Decrypts a clearing price of Google's Authorized Buyers, or of an exchange with the same protocol ("Decrypt Price
 * Confirmations"): unpadded web-safe Base64 of an initialization vector, the price and a MAC. Returns micros of the
 * exchange's currency per thousand impressions; null for a malformed price or one encrypted with other keys.
 */
export function decryptGooglePrice(text: string, keys: PriceKeys): number | null {
  if (!/^[\w-]{38}={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 has unused bits in its last character; only the canonical spelling is valid.
  if (bytes.toString('base64url') !== text.replaceAll('=', '')) return null;
  const iv = bytes.subarray(0, IV_BYTES);
  const pad = createHmac('sha1', keys.encryption).update(iv).digest();
  const price = Buffer.alloc(PRICE_BYTES);
  for (let at = 0; at < PRICE_BYTES; at += 1) price[at] = bytes[IV_BYTES + at]! ^ pad[at]!;
  const mac = createHmac('sha1', keys.integrity).update(price).update(iv).digest().subarray(0, MAC_BYTES);
  if (!timingSafeEqual(mac, bytes.subarray(IV_BYTES + PRICE_BYTES))) return null;
  const micros = Number(price.readBigInt64BE());
  return Number.isSafeInteger(micros) && micros >= 0 ? micros : null;
}
