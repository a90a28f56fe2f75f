import { createHmac, randomBytes } from 'node:crypto';
import type { Micros } from '@bidwell/contract/lib/money';
import type { PriceKeys } from '../model/price-rules.ts';

const IV_BYTES = 16;
const PRICE_BYTES = 8;
const SIGNATURE_BYTES = 4;

/**
 * Encrypts a price as Google's Authorized Buyers do ("Decrypt Price Confirmations"): the initialization vector, the price xor a
 * pad, and a signature, in Base64 for URLs without padding.
 */
export function encryptedPrice(
  micros: Micros,
  { encryption, integrity }: PriceKeys,
  iv: Buffer = randomBytes(IV_BYTES),
): string {
  const price = Buffer.alloc(PRICE_BYTES);
  price.writeBigUInt64BE(BigInt(micros));
  const signature = createHmac('sha1', integrity).update(price).update(iv).digest();
  const pad = createHmac('sha1', encryption).update(iv).digest();
  for (let at = 0; at < PRICE_BYTES; at += 1) price[at]! ^= pad[at]!;
  return Buffer.concat([iv, price, signature.subarray(0, SIGNATURE_BYTES)]).toString('base64url');
}
