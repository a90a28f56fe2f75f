import { CREATIVE_TYPES } from '@bidwell/contract/creatives/schema';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { BidRef } from '../model/event.ts';
import type { Purpose } from './purpose.ts';
import { PURPOSES } from './purpose.ts';
import { uuidIn } from './uuid-bytes.ts';

/** Verifies and decodes a token of versions 1 to 3; undefined unless it was signed for this purpose. */
export type OlderTokenReader = (purpose: Purpose, token: Buffer) => BidRef | undefined;

type Mac = (purpose: Purpose, payload: Buffer) => Buffer;

const MAC_BYTES = 16;
/** Block size of SHAKE256. */
const SHAKE_BLOCK_BYTES = 136;
const UUIDS = 7;
const UUIDS_AT = 1;
const FIXED_AT = UUIDS_AT + UUIDS * 16;
const TEXTS_AT = FIXED_AT + 20;
const systems = ['', 'ios', 'android'] as const;
const charges = ['billing', 'win', 'impression', 'first'] as const;

/**
 * Creates a reader of tokens of versions 1 to 3: the bid in clear, then a MAC of 16 bytes. They are no longer written,
 * but come back with notices, clicks and postbacks of bids made before an upgrade.
 */
export function createOlderTokenReader(secret: string): OlderTokenReader {
  const key = createHmac('sha256', secret).update('bidwell trackers').digest();
  const keyBlock = Buffer.alloc(SHAKE_BLOCK_BYTES);
  key.copy(keyBlock);
  const macOfOne: Mac = (purpose, payload) =>
    createHmac('sha256', key)
      .update(Buffer.from([PURPOSES.indexOf(purpose)]))
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  const macOfFour: Mac = (purpose, payload) => {
    const index = PURPOSES.indexOf(purpose);
    const group = Buffer.from([Math.floor(index / 4)]);
    const macs = createHmac('sha512', key).update(group).update(payload).digest();
    return macs.subarray((index % 4) * MAC_BYTES, ((index % 4) + 1) * MAC_BYTES);
  };
  const macOfAll: Mac = (purpose, payload) => {
    const at = PURPOSES.indexOf(purpose) * MAC_BYTES;
    return createHash('shake256', { outputLength: at + MAC_BYTES })
      .update(keyBlock)
      .update(payload)
      .digest()
      .subarray(at);
  };
  /** Version 2 was released with two MACs. */
  const macs: Record<number, readonly Mac[]> = { 1: [macOfOne], 2: [macOfOne, macOfFour], 3: [macOfAll] };

  return (purpose, token) => {
    if (token.length < TEXTS_AT + MAC_BYTES) return undefined;
    const payload = token.subarray(0, -MAC_BYTES);
    const mac = token.subarray(-MAC_BYTES);
    const ways = macs[payload[0]!] ?? [];
    return ways.some((macOf) => timingSafeEqual(macOf(purpose, payload), mac)) ? decode(payload) : undefined;
  };
}

function decode(payload: Buffer): BidRef {
  const hex = payload.toString('hex', UUIDS_AT, FIXED_AT);
  const auction = payload[FIXED_AT + 3]!;
  let textAt = TEXTS_AT;
  // Version 1 ends before the currency.
  const nextText = (): string => {
    const from = textAt + 1;
    textAt = from + (payload[textAt] ?? 0);
    return payload.toString('utf8', from, textAt);
  };
  return {
    bidId: uuidIn(hex, 0),
    companyId: uuidIn(hex, 1),
    appId: uuidIn(hex, 2),
    campaignId: uuidIn(hex, 3),
    adsetId: uuidIn(hex, 4),
    creativeId: uuidIn(hex, 5),
    creativeGroupId: uuidIn(hex, 6),
    creativeType: CREATIVE_TYPES[payload[FIXED_AT]!]!,
    os: systems[payload[FIXED_AT + 1]!]!,
    chargeOn: charges[payload[FIXED_AT + 2]!]!,
    auctionType: auction & 0x7f,
    test: (auction & 0x80) !== 0,
    width: payload.readUInt16BE(FIXED_AT + 4),
    height: payload.readUInt16BE(FIXED_AT + 6),
    durationMs: payload.readUInt32BE(FIXED_AT + 8),
    bidCpmMicros: payload.readUInt32BE(FIXED_AT + 12) * 2 ** 32 + payload.readUInt32BE(FIXED_AT + 16),
    marginBasisPoints: 0,
    exchange: nextText(),
    bundle: nextText(),
    country: nextText(),
    language: nextText(),
    ifa: nextText(),
    currency: nextText(),
    dollarsPerUnit: Number(nextText() || 1),
  };
}
