import { CREATIVE_TYPES } from '@bidwell/contract/creative';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { BidRef, BidUrls } from './event.ts';
import { chargesImpression } from './price.ts';

/** What a token is good for. It is part of the signature: what a device sees cannot be turned into a win notice. */
export const PURPOSES = ['win', 'billing', 'loss', 'impression', 'click', 'click-id', 'video'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Makes and reads the signed tokens that carry a bid through trackers and postbacks. */
export interface Signer {
  /** Every address of a bid. */
  urlsFor(ref: BidRef, macros?: NoticeMacros): BidUrls;
  /** The id that a measurement partner echoes. */
  clickIdFor(ref: BidRef): string;
  /** What a token carries; undefined unless it was signed here for this very purpose. Never throws. */
  read(purpose: Purpose, token: string): BidRef | undefined;
}

/** What an exchange replaces in the addresses of its notices (OpenRTB 2.6, 4.4, unless it has its own). */
export interface NoticeMacros {
  price: string;
  loss: string;
}
const OPENRTB_MACROS: NoticeMacros = { price: '${AUCTION_PRICE}', loss: '${AUCTION_LOSS}' };

const VERSION = 3;
const MAC_BYTES = 16;
/** Bytes that SHAKE256 takes in at a time. */
const BLOCK_BYTES = 136;
const TOKEN_CHARS_MAX = 900;
const uuidFields = [
  'bidId',
  'companyId',
  'appId',
  'campaignId',
  'adsetId',
  'creativeId',
  'creativeGroupId',
] as const;
const systems = ['', 'ios', 'android'] as const;
const charges = ['billing', 'win', 'impression', 'first'] as const;
/** Text fields and the bytes that each may take. */
const texts = [
  ['exchange', 40],
  ['bundle', 160],
  ['country', 2],
  ['language', 8],
  ['ifa', 40],
  ['currency', 3],
  ['rate', 24],
] as const;

export function createSigner(secret: string, publicUrl: string): Signer {
  const keyBlock = Buffer.alloc(BLOCK_BYTES);
  createHmac('sha256', secret).update('bidwell trackers').digest().copy(keyBlock);
  /**
   * The signatures of a payload, one for each purpose in turn. SHAKE256 (FIPS 202) gives as many bytes as are wanted at
   * once; a sponge cannot be extended, so that its key may simply come first, as KMAC's does (SP 800-185, 4).
   */
  const macsOf = (payload: Buffer): Buffer =>
    createHash('shake256', { outputLength: MAC_BYTES * PURPOSES.length })
      .update(keyBlock)
      .update(payload)
      .digest();
  const macFor = (purpose: Purpose, macs: Buffer): Buffer => {
    const at = PURPOSES.indexOf(purpose) * MAC_BYTES;
    return macs.subarray(at, at + MAC_BYTES);
  };
  /** Makes tokens of a payload, which all begin alike. */
  const tokensOf = (payload: Buffer): ((purpose: Purpose) => string) => {
    const macs = macsOf(payload);
    // Three bytes are four characters: what is whole of the payload is written once.
    const shared = payload.length - (payload.length % 3);
    const beginning = payload.toString('base64url', 0, shared);
    const end = Buffer.alloc(payload.length - shared + MAC_BYTES);
    payload.copy(end, 0, shared);
    return (purpose) => {
      macFor(purpose, macs).copy(end, payload.length - shared);
      return beginning + end.toString('base64url');
    };
  };

  return {
    urlsFor(ref, { price, loss } = OPENRTB_MACROS) {
      const token = tokensOf(encode(ref));
      // One token for all of them: there is none in most markup, and ten in a video's.
      let video: string | undefined;
      const at = (purpose: Purpose) => `${publicUrl}/t/${purpose}/${token(purpose)}`;
      return {
        win: `${at('win')}?price=${price}`,
        billing: `${at('billing')}?price=${price}`,
        loss: `${at('loss')}?reason=${loss}&price=${price}&mtw=\${AUCTION_MIN_TO_WIN}`,
        // Where the impression is charged for, it has to say how much.
        impression: at('impression') + (chargesImpression(ref.chargeOn) ? `?price=${price}` : ''),
        click: at('click'),
        videoEvent: (event) => `${publicUrl}/t/${event}/${(video ??= token('video'))}`,
        clickId: token('click-id'),
      };
    },
    clickIdFor: (ref) => tokensOf(encode(ref))('click-id'),
    read(purpose, token) {
      if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // Base64 leaves spare bits in its last character; only the one canonical spelling is ours.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
      const payload = bytes.subarray(0, -MAC_BYTES);
      if (!timingSafeEqual(macFor(purpose, macsOf(payload)), bytes.subarray(-MAC_BYTES))) return undefined;
      return decode(payload);
    },
  };
}

/** Where in a payload its parts begin: the version, UUIDs, what has a fixed length, texts; and how long it may be. */
const UUIDS_AT = 1;
const FIXED_AT = UUIDS_AT + uuidFields.length * 16;
const TEXTS_AT = FIXED_AT + 20;
const PAYLOAD_BYTES_MAX = texts.reduce((bytes, [, bytesMax]) => bytes + 1 + bytesMax, TEXTS_AT);

function encode(ref: BidRef): Buffer {
  const payload = Buffer.allocUnsafe(PAYLOAD_BYTES_MAX);
  payload[0] = VERSION;
  let at = UUIDS_AT;
  for (const field of uuidFields) at = writeUuid(payload, at, ref[field]);
  payload[at] = CREATIVE_TYPES.indexOf(ref.creativeType);
  payload[at + 1] = systems.indexOf(ref.os);
  payload[at + 2] = charges.indexOf(ref.chargeOn);
  payload[at + 3] = Math.min(ref.auctionType, 0x7f) | (ref.test ? 0x80 : 0);
  payload.writeUInt16BE(Math.min(ref.width, 0xffff), at + 4);
  payload.writeUInt16BE(Math.min(ref.height, 0xffff), at + 6);
  payload.writeUInt32BE(Math.min(ref.durationMs, 0xffff_ffff), at + 8);
  payload.writeUInt32BE(Math.floor(ref.bidCpmMicros / 2 ** 32), at + 12);
  payload.writeUInt32BE(ref.bidCpmMicros % 2 ** 32, at + 16);
  at = TEXTS_AT;
  for (const [field, bytesMax] of texts) {
    const length = payload.write(field === 'rate' ? rateOf(ref) : ref[field], at + 1, bytesMax);
    payload[at] = length;
    at += 1 + length;
  }
  return payload.subarray(0, at);
}

const DASH = 45;

/** Writes the 16 bytes of a UUID; answers the place after them. Every bid has seven: no text is made of it on the way. */
function writeUuid(bytes: Buffer, at: number, uuid: string): number {
  const end = at + 16;
  let place = at;
  for (let index = 0; place < end; index += 2) {
    if (uuid.charCodeAt(index) === DASH) index += 1;
    bytes[place++] = (hexDigit(uuid.charCodeAt(index)) << 4) | hexDigit(uuid.charCodeAt(index + 1));
  }
  return end;
}

/** 0-9, a-f, A-F: in ASCII the letters' low bits count from 1. */
function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code & 0xf) + 9;
}

/** As short as a number may be that reads back the same; nothing for the dollar. */
function rateOf({ currency, dollarsPerUnit }: BidRef): string {
  return currency === '' ? '' : String(dollarsPerUnit);
}

/**
 * Reads what {@link encode} wrote, in its order; the signature has vouched for it. Every event is read here: an object that
 * is written at once is made several times as quickly as one that is put together field by field.
 */
function decode(payload: Buffer): BidRef | undefined {
  if (payload[0] !== VERSION) return undefined;
  const hex = payload.toString('hex', UUIDS_AT, FIXED_AT);
  const auction = payload[FIXED_AT + 3]!;
  let textAt = TEXTS_AT;
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
    exchange: nextText(),
    bundle: nextText(),
    country: nextText(),
    language: nextText(),
    ifa: nextText(),
    currency: nextText(),
    dollarsPerUnit: Number(nextText() || 1),
  };
}

/** The UUID at a place among those that stand as one hexadecimal text. */
function uuidIn(hex: string, place: number): string {
  const at = place * 32;
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${hex.slice(at + 12, at + 16)}-${hex.slice(at + 16, at + 20)}-${hex.slice(at + 20, at + 32)}`;
}
