import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PriceKeys } from '../model/price-rules.ts';

const IV_BYTES = 16;
const PRICE_BYTES = 8;
const MAC_BYTES = 4;

/**
 * Decrypts a price as Google's Authorized Buyers and the exchanges that follow it send it ("Decrypt Price Confirmations"):
 * unpadded web-safe Base64 of an initialization vector, the price and a MAC. Returns micros of the exchange's currency per
 * thousand impressions; null for what is not such a price or was not made with these keys.
 */
export function decryptGooglePrice(text: string, keys: PriceKeys): number | null {
  if (!/^[\w-]{38}={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 leaves spare bits in its last character; only the canonical spelling is one of theirs.
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
