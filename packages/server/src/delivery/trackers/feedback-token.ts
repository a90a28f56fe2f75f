import { createCipheriv, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { BidRef } from '../model/event.ts';
import {
  type Reader,
  charges,
  readAnyText,
  readNumber,
  systems,
  writeNumber,
  writeText,
} from './bid-payload.ts';
import { uuidIn, writeUuid } from './uuid-bytes.ts';

/** What a feedback token says of a bid; the rest is known from its ad set. */
export type FeedbackBid = Pick<
  BidRef,
  | 'bidId'
  | 'adsetId'
  | 'creativeId'
  | 'os'
  | 'chargeOn'
  | 'test'
  | 'auctionType'
  | 'country'
  | 'bidCpmMicros'
  | 'valueCpmMicros'
  | 'marginBasisPoints'
  | 'currency'
  | 'dollarsPerUnit'
  | 'bundle'
>;

/** Creates and verifies the tokens that an exchange returns with its feedback on a bid. */
interface FeedbackTokens {
  /** At most {@link TOKEN_CHARS_MAX} characters: letters, digits, `-` and `_`. */
  tokenOf(ref: BidRef): string;
  /** The bid of a token; undefined unless it was signed with this secret for a bid of this exchange. */
  bidIn(token: string, exchange: string): FeedbackBid | undefined;
}

/** Google ignores longer tokens (`event_notification_token` of its extensions of OpenRTB). */
export const TOKEN_CHARS_MAX = 128;
const TOKEN_BYTES_MAX = (TOKEN_CHARS_MAX * 3) / 4;
const VERSION = 1;
const ID_AT = 1;
const PAYLOAD_AT = ID_AT + 16;
const MAC_BYTES = 9;
const HASH_BLOCK_BYTES = 128;
const CIPHER_BLOCK_BYTES = 16;
const COUNTRY_BYTES = 2;
const CURRENCY_BYTES = 3;
const RATE_BYTES = 8;
/** Room for the length of a text, at most two bytes. */
const LENGTH_BYTES = 2;

/** Bits of the byte after the ids, from the third on; the operating system has the first two, the charging event the next. */
const TEST = 0x10;
const FIRST_PRICE = 0x20;
const HAS_CURRENCY = 0x40;
const HAS_VALUE = 0x80;

/**
 * A token is short, since the exchange takes no long ones: a version, the bid's id, the data of {@link FeedbackBid} (encrypted as in
 * the tokens of notices, with a key of its own), and a MAC of it and the exchange. An app's id that does not fit is left out.
 */
export function createFeedbackTokens(secret: string): FeedbackTokens {
  const keyFor = (use: string): Buffer => createHmac('sha256', secret).update(use).digest();
  const cipher = createCipheriv('aes-256-ecb', keyFor('bidwell feedback encryption'), null).setAutoPadding(
    false,
  );
  const authentication = Buffer.alloc(HASH_BLOCK_BYTES);
  keyFor('bidwell feedback authentication').copy(authentication);
  const blocks = Buffer.alloc(Math.ceil(TOKEN_BYTES_MAX / CIPHER_BLOCK_BYTES) * CIPHER_BLOCK_BYTES);

  const crypt = (bytes: Buffer, id: Buffer): void => {
    const counters = blocks.subarray(0, Math.ceil(bytes.length / CIPHER_BLOCK_BYTES) * CIPHER_BLOCK_BYTES);
    counters.fill(id);
    for (let block = 0, at = 0; at < counters.length; at += CIPHER_BLOCK_BYTES) counters[at] = block++;
    const stream = cipher.update(counters);
    for (let at = 0; at < bytes.length; at += 1) bytes[at]! ^= stream[at]!;
  };
  const macOf = (sealed: Buffer, exchange: string): Buffer =>
    hash('blake2b512', Buffer.concat([authentication, sealed, Buffer.from(exchange)]), 'buffer').subarray(
      0,
      MAC_BYTES,
    );

  return {
    tokenOf(ref) {
      const bytes = Buffer.alloc(TOKEN_BYTES_MAX);
      bytes[0] = VERSION;
      writeUuid(bytes, ID_AT, ref.bidId);
      const end = writeBid(bytes, ref);
      crypt(bytes.subarray(PAYLOAD_AT, end), bytes.subarray(ID_AT, PAYLOAD_AT));
      const sealed = bytes.subarray(0, end);
      return Buffer.concat([sealed, macOf(sealed, ref.exchange)]).toString('base64url');
    },
    bidIn(token, exchange) {
      if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.toString('base64url') !== token || bytes[0] !== VERSION) return undefined;
      const end = bytes.length - MAC_BYTES;
      if (end <= PAYLOAD_AT) return undefined;
      const sealed = bytes.subarray(0, end);
      if (!timingSafeEqual(macOf(sealed, exchange), bytes.subarray(end))) return undefined;
      const payload = bytes.subarray(PAYLOAD_AT, end);
      crypt(payload, bytes.subarray(ID_AT, PAYLOAD_AT));
      return readBid(uuidIn(bytes.toString('hex', ID_AT, PAYLOAD_AT), 0), payload);
    },
  };
}

/** Writes the data of a bid after its id; returns the offset after it. */
function writeBid(bytes: Buffer, ref: BidRef): number {
  let at = writeUuid(bytes, PAYLOAD_AT, ref.adsetId);
  at = writeUuid(bytes, at, ref.creativeId);
  const hasCurrency = ref.currency !== '';
  bytes[at] =
    systems.indexOf(ref.os) |
    (charges.indexOf(ref.chargeOn) << 2) |
    (ref.test ? TEST : 0) |
    (ref.auctionType === 1 ? FIRST_PRICE : 0) |
    (hasCurrency ? HAS_CURRENCY : 0) |
    (ref.valueCpmMicros === undefined ? 0 : HAS_VALUE);
  bytes.write(ref.country.padEnd(COUNTRY_BYTES), at + 1, COUNTRY_BYTES, 'latin1');
  at += 1 + COUNTRY_BYTES;
  at = writeNumber(bytes, at, ref.bidCpmMicros);
  at = writeNumber(bytes, at, ref.marginBasisPoints);
  if (ref.valueCpmMicros !== undefined) at = writeNumber(bytes, at, ref.valueCpmMicros);
  if (hasCurrency) {
    bytes.write(ref.currency.padEnd(CURRENCY_BYTES), at, CURRENCY_BYTES, 'latin1');
    at = bytes.writeDoubleBE(ref.dollarsPerUnit, at + CURRENCY_BYTES);
  }
  const end = writeText(bytes, at, ref.bundle, TOKEN_BYTES_MAX - MAC_BYTES - at - LENGTH_BYTES);
  return readAnyText({ bytes, at }) === ref.bundle ? end : writeText(bytes, at, '', 0);
}

/** Reads what {@link writeBid} wrote. The MAC must be verified before. */
function readBid(bidId: string, bytes: Buffer): FeedbackBid {
  const hex = bytes.toString('hex', 0, 32);
  const flags = bytes[32]!;
  const hasCurrency = (flags & HAS_CURRENCY) !== 0;
  const country = bytes.toString('latin1', 33, 33 + COUNTRY_BYTES).trim();
  const reader: Reader = { bytes, at: 33 + COUNTRY_BYTES };
  return {
    bidId,
    adsetId: uuidIn(hex, 0),
    creativeId: uuidIn(hex, 1),
    os: systems[flags & 3]!,
    chargeOn: charges[(flags >> 2) & 3]!,
    test: (flags & TEST) !== 0,
    auctionType: flags & FIRST_PRICE ? 1 : 2,
    country,
    bidCpmMicros: readNumber(reader),
    marginBasisPoints: readNumber(reader),
    valueCpmMicros: flags & HAS_VALUE ? readNumber(reader) : undefined,
    currency: hasCurrency ? currencyIn(reader) : '',
    dollarsPerUnit: hasCurrency ? rateIn(reader) : 1,
    bundle: readAnyText(reader),
  };
}

function currencyIn(reader: Reader): string {
  const from = reader.at;
  reader.at += CURRENCY_BYTES;
  return reader.bytes.toString('latin1', from, reader.at).trim();
}

function rateIn(reader: Reader): number {
  const rate = reader.bytes.readDoubleBE(reader.at);
  reader.at += RATE_BYTES;
  return rate;
}
