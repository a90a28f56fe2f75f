import { CREATIVE_TYPES } from '@bidwell/contract/creative';
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { parse as parseUuid, stringify as formatUuid } from 'uuid';
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

const VERSION = 2;
const MAC_BYTES = 16;
/** Signatures in one SHA-512 digest. */
const GROUP = 64 / MAC_BYTES;
const groupBytes = [Buffer.from([0]), Buffer.from([1])];
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
  const key = createSecretKey(createHmac('sha256', secret).update('bidwell trackers').digest());
  /** The signatures of a payload for four purposes at a time: as many as one digest has room for. */
  const macsOf = (group: number, payload: Buffer): Buffer =>
    createHmac('sha512', key).update(groupBytes[group]!).update(payload).digest();
  const macIn = (macs: Buffer, place: number): Buffer =>
    macs.subarray((place % GROUP) * MAC_BYTES, ((place % GROUP) + 1) * MAC_BYTES);
  /** Signs a payload for one purpose after the other. */
  const signing = (payload: Buffer) => {
    const groups: Buffer[] = [];
    return (purpose: Purpose): string => {
      const place = PURPOSES.indexOf(purpose);
      const group = Math.floor(place / GROUP);
      const macs = (groups[group] ??= macsOf(group, payload));
      return Buffer.concat([payload, macIn(macs, place)]).toString('base64url');
    };
  };

  return {
    urlsFor(ref, { price, loss } = OPENRTB_MACROS) {
      const sign = signing(encode(ref));
      // One token for all of them: there is none in most markup, and ten in a video's.
      let video: string | undefined;
      const at = (purpose: Purpose) => `${publicUrl}/t/${purpose}/${sign(purpose)}`;
      return {
        win: `${at('win')}?price=${price}`,
        billing: `${at('billing')}?price=${price}`,
        loss: `${at('loss')}?reason=${loss}&price=${price}&mtw=\${AUCTION_MIN_TO_WIN}`,
        // Where the impression is charged for, it has to say how much.
        impression: at('impression') + (chargesImpression(ref.chargeOn) ? `?price=${price}` : ''),
        click: at('click'),
        videoEvent: (event) => `${publicUrl}/t/${event}/${(video ??= sign('video'))}`,
        clickId: sign('click-id'),
      };
    },
    clickIdFor: (ref) => signing(encode(ref))('click-id'),
    read(purpose, token) {
      if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // Base64 leaves spare bits in its last character; only the one canonical spelling is ours.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
      const payload = bytes.subarray(0, -MAC_BYTES);
      const place = PURPOSES.indexOf(purpose);
      const mac = macIn(macsOf(Math.floor(place / GROUP), payload), place);
      if (!timingSafeEqual(mac, bytes.subarray(-MAC_BYTES))) return undefined;
      return decode(payload);
    },
  };
}

function encode(ref: BidRef): Buffer {
  const parts: Buffer[] = [Buffer.from([VERSION])];
  for (const field of uuidFields) parts.push(Buffer.from(parseUuid(ref[field])));
  const fixed = Buffer.alloc(20);
  fixed[0] = CREATIVE_TYPES.indexOf(ref.creativeType);
  fixed[1] = systems.indexOf(ref.os);
  fixed[2] = charges.indexOf(ref.chargeOn);
  fixed[3] = Math.min(ref.auctionType, 0x7f) | (ref.test ? 0x80 : 0);
  fixed.writeUInt16BE(Math.min(ref.width, 0xffff), 4);
  fixed.writeUInt16BE(Math.min(ref.height, 0xffff), 6);
  fixed.writeUInt32BE(Math.min(ref.durationMs, 0xffff_ffff), 8);
  fixed.writeBigUInt64BE(BigInt(ref.bidCpmMicros), 12);
  parts.push(fixed);
  for (const [field, bytesMax] of texts) {
    const value = field === 'rate' ? rateOf(ref) : ref[field];
    const text = Buffer.from(value).subarray(0, bytesMax);
    parts.push(Buffer.from([text.length]), text);
  }
  return Buffer.concat(parts);
}

/** As short as a number may be that reads back the same; nothing for the dollar. */
function rateOf({ currency, dollarsPerUnit }: BidRef): string {
  return currency === '' ? '' : String(dollarsPerUnit);
}

/** Reads what {@link encode} wrote; the signature has vouched for it. */
function decode(payload: Buffer): BidRef | undefined {
  if (payload[0] !== VERSION) return undefined;
  let at = 1;
  const uuids = {} as Record<(typeof uuidFields)[number], string>;
  for (const field of uuidFields) {
    uuids[field] = formatUuid(payload.subarray(at, at + 16));
    at += 16;
  }
  const fixed = payload.subarray(at, at + 20);
  at += 20;
  const strings = {} as Record<(typeof texts)[number][0], string>;
  for (const [field] of texts) {
    const length = payload[at] ?? 0;
    strings[field] = payload.toString('utf8', at + 1, at + 1 + length);
    at += 1 + length;
  }
  const { rate, ...known } = strings;
  return {
    ...uuids,
    ...known,
    dollarsPerUnit: rate === '' ? 1 : Number(rate),
    creativeType: CREATIVE_TYPES[fixed[0]!]!,
    os: systems[fixed[1]!]!,
    chargeOn: charges[fixed[2]!]!,
    auctionType: fixed[3]! & 0x7f,
    test: (fixed[3]! & 0x80) !== 0,
    width: fixed.readUInt16BE(4),
    height: fixed.readUInt16BE(6),
    durationMs: fixed.readUInt32BE(8),
    bidCpmMicros: Number(fixed.readBigUInt64BE(12)),
  };
}
