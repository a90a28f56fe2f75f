import { CREATIVE_TYPES } from '@bidwell/contract/creatives/schema';
import type { BidRef } from '../model/event.ts';
import { uuidIn, writeUuid } from './uuid-bytes.ts';

/** Values by their index in tokens. */
export const systems = ['', 'ios', 'android'] as const;
export const charges = ['billing', 'win', 'impression', 'first'] as const;
/** Bit of the byte of the auction type, which is 1 or 2. */
const RE_ENGAGEMENT = 0x80;
const UUIDS_BYTES = 6 * 16;
const COUNTRY_BYTES = 2;
const CURRENCY_BYTES = 3;
const RATE_BYTES = 8;
const MARGIN_BYTES_MAX = 2;
const VALUE_BYTES_MAX = 8;
const PERSON_KEY_BYTES = 8;
/** Longest values in bytes; longer ones are truncated. */
const LANGUAGE_BYTES_MAX = 8;
const EXCHANGE_BYTES_MAX = 40;
const BUNDLE_BYTES_MAX = 160;
/** Upper bound of the length of a payload. */
export const PAYLOAD_BYTES_MAX =
  UUIDS_BYTES +
  3 +
  4 * 8 +
  COUNTRY_BYTES +
  LANGUAGE_BYTES_MAX +
  CURRENCY_BYTES +
  RATE_BYTES +
  2 +
  EXCHANGE_BYTES_MAX +
  2 +
  BUNDLE_BYTES_MAX +
  MARGIN_BYTES_MAX +
  VALUE_BYTES_MAX +
  PERSON_KEY_BYTES;
export const IFA_BYTES = 16;

/**
 * Writes the payload of a token: the bid without its id and advertising id. Returns the offset after it. The format is six
 * UUIDs; a byte of creative type, operating system, charging event, test flag and currency flag; the auction type, with a bit
 * for bids of re-engagement campaigns; the
 * lengths of country and language; four numbers of variable length; then the texts, the last two of them packed; and in
 * tokens of bids with a margin, a number with its basis points; and in tokens of shaded bids, a number with the value; and in
 * tokens of bids of ad sets with frequency caps, the value, which is the bid where it was not shaded, and the key of the person. Earlier
 * releases read tokens with a value too, but not the advertising id behind it, and the release before the key reads neither the key nor
 * the advertising id behind it.
 */
export function writePayload(bytes: Buffer, start: number, ref: BidRef): number {
  let at = writeUuid(bytes, start, ref.companyId);
  at = writeUuid(bytes, at, ref.appId);
  at = writeUuid(bytes, at, ref.campaignId);
  at = writeUuid(bytes, at, ref.adsetId);
  at = writeUuid(bytes, at, ref.creativeId);
  at = writeUuid(bytes, at, ref.creativeGroupId);
  const hasCurrency = ref.currency !== '';
  bytes[at] =
    CREATIVE_TYPES.indexOf(ref.creativeType) |
    (systems.indexOf(ref.os) << 2) |
    (charges.indexOf(ref.chargeOn) << 4) |
    (ref.test ? 0x40 : 0) |
    (hasCurrency ? 0x80 : 0);
  bytes[at + 1] = ref.auctionType | (ref.reEngagement ? RE_ENGAGEMENT : 0);
  const lengthsAt = at + 2;
  at = writeNumber(bytes, at + 3, Math.min(ref.width, 0xffff));
  at = writeNumber(bytes, at, Math.min(ref.height, 0xffff));
  at = writeNumber(bytes, at, Math.min(ref.durationMs, 0xffff_ffff));
  at = writeNumber(bytes, at, ref.bidCpmMicros);
  const countryBytes = bytes.write(ref.country, at, COUNTRY_BYTES);
  at += countryBytes;
  const languageBytes = bytes.write(ref.language, at, LANGUAGE_BYTES_MAX);
  at += languageBytes;
  bytes[lengthsAt] = (countryBytes << 4) | languageBytes;
  if (hasCurrency) {
    bytes.write(ref.currency.padEnd(CURRENCY_BYTES), at, CURRENCY_BYTES);
    at = bytes.writeDoubleBE(ref.dollarsPerUnit, at + CURRENCY_BYTES);
  }
  at = writeText(bytes, at, ref.exchange, EXCHANGE_BYTES_MAX);
  at = writeText(bytes, at, ref.bundle, BUNDLE_BYTES_MAX);
  if (ref.marginBasisPoints !== 0) at = writeNumber(bytes, at, ref.marginBasisPoints);
  if (ref.personKey !== undefined) {
    at = writeNumber(bytes, at, ref.valueCpmMicros ?? ref.bidCpmMicros);
    return at + bytes.write(ref.personKey, at, PERSON_KEY_BYTES, 'hex');
  }
  return ref.valueCpmMicros === undefined ? at : writeNumber(bytes, at, ref.valueCpmMicros);
}

/** Writes an advertising id, which is a UUID; returns the offset after it. */
export function writeIfa(bytes: Buffer, at: number, ifa: string): number {
  return writeUuid(bytes, at, ifa);
}

/**
 * Reads what {@link writePayload} wrote at the start of `bytes`, with a margin or without (`hasMargin`), and the
 * advertising id where one follows it. The signature must be verified before. Runs for every event: an object literal is several times as fast as assigning field
 * by field.
 */
export function readPayload(bidId: string, bytes: Buffer, hasMargin: boolean): BidRef {
  const hex = bytes.toString('hex', 0, UUIDS_BYTES);
  const flags = bytes[UUIDS_BYTES]!;
  const lengths = bytes[UUIDS_BYTES + 2]!;
  const reader = { bytes, at: UUIDS_BYTES + 3 };
  const ref: BidRef = {
    bidId,
    companyId: uuidIn(hex, 0),
    appId: uuidIn(hex, 1),
    campaignId: uuidIn(hex, 2),
    adsetId: uuidIn(hex, 3),
    creativeId: uuidIn(hex, 4),
    creativeGroupId: uuidIn(hex, 5),
    creativeType: CREATIVE_TYPES[flags & 3]!,
    os: systems[(flags >> 2) & 3]!,
    chargeOn: charges[(flags >> 4) & 3]!,
    test: (flags & 0x40) !== 0,
    auctionType: bytes[UUIDS_BYTES + 1]! & ~RE_ENGAGEMENT,
    reEngagement: (bytes[UUIDS_BYTES + 1]! & RE_ENGAGEMENT) === 0 ? undefined : true,
    width: readNumber(reader),
    height: readNumber(reader),
    durationMs: readNumber(reader),
    bidCpmMicros: readNumber(reader),
    country: readText(reader, lengths >> 4),
    language: readText(reader, lengths & 15),
    currency: (flags & 0x80) === 0 ? '' : readText(reader, CURRENCY_BYTES),
    dollarsPerUnit: (flags & 0x80) === 0 ? 1 : readDouble(reader),
    exchange: readAnyText(reader),
    bundle: readAnyText(reader),
    marginBasisPoints: hasMargin ? readNumber(reader) : 0,
    valueCpmMicros: undefined,
    ifa: '',
    personKey: undefined,
  };
  const rest = bytes.length - reader.at;
  // A number takes at most eight bytes, an advertising id sixteen.
  if (rest !== 0 && rest !== IFA_BYTES) ref.valueCpmMicros = readNumber(reader);
  const behind = bytes.length - reader.at;
  if (behind === PERSON_KEY_BYTES || behind === PERSON_KEY_BYTES + IFA_BYTES) {
    ref.personKey = bytes.toString('hex', reader.at, (reader.at += PERSON_KEY_BYTES));
    if (ref.valueCpmMicros === ref.bidCpmMicros) ref.valueCpmMicros = undefined;
  }
  if (bytes.length - reader.at === IFA_BYTES) ref.ifa = uuidIn(bytes.toString('hex', reader.at), 0);
  return ref;
}

/** Reads from a position on. */
export interface Reader {
  bytes: Buffer;
  at: number;
}

/** Writes a number as unsigned LEB128: seven bits a byte, the low ones first; the high bit is set when another byte follows. */
export function writeNumber(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
  bytes[at] = rest;
  return at + 1;
}

/** Reads what {@link writeNumber} wrote. */
export function readNumber(reader: Reader): number {
  let value = 0;
  for (let unit = 1; ; unit *= 0x80) {
    const byte = reader.bytes[reader.at++]!;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return value;
  }
}

function readDouble(reader: Reader): number {
  const value = reader.bytes.readDoubleBE(reader.at);
  reader.at += RATE_BYTES;
  return value;
}

/** Characters of bundles and slugs; 40 symbols with the end of the text, so that three of them take two bytes. */
const PACKED_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789._-';
const PACKED_RADIX = 40;
/** Index of each ASCII character in the alphabet, from 1; 0 for those that are not in it. */
const packedDigits = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 0 ? 0 : PACKED_ALPHABET.indexOf(String.fromCharCode(code)) + 1,
);

/** Writes the length in bytes, doubled, plus 1 where the text is packed; then the text. */
export function writeText(bytes: Buffer, start: number, text: string, bytesMax: number): number {
  const packedBytes = Math.ceil(text.length / 3) * 2;
  if (isPackable(text) && packedBytes <= bytesMax)
    return writePacked(bytes, writeNumber(bytes, start, packedBytes * 2 + 1), text);
  const length = bytes.write(text, start + 2, bytesMax);
  // Always two bytes, because the length is known only after the text is written.
  bytes[start] = ((length * 2) & 0x7f) | 0x80;
  bytes[start + 1] = (length * 2) >> 7;
  return start + 2 + length;
}

function isPackable(text: string): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (!packedDigits[text.charCodeAt(index)]) return false;
  return true;
}

function writePacked(bytes: Buffer, start: number, text: string): number {
  let at = start;
  const digit = (index: number): number => (index < text.length ? packedDigits[text.charCodeAt(index)]! : 0);
  for (let index = 0; index < text.length; index += 3) {
    const value = (digit(index) * PACKED_RADIX + digit(index + 1)) * PACKED_RADIX + digit(index + 2);
    bytes[at] = value >> 8;
    bytes[at + 1] = value & 0xff;
    at += 2;
  }
  return at;
}

/** Reads what {@link writeText} wrote. */
export function readAnyText(reader: Reader): string {
  const length = readNumber(reader);
  if (length % 2 === 0) return readText(reader, length / 2);
  let text = '';
  for (const end = reader.at + (length - 1) / 2; reader.at < end; reader.at += 2) {
    const value = (reader.bytes[reader.at]! << 8) | reader.bytes[reader.at + 1]!;
    text +=
      characterOf(Math.floor(value / PACKED_RADIX / PACKED_RADIX)) +
      characterOf(Math.floor(value / PACKED_RADIX) % PACKED_RADIX) +
      characterOf(value % PACKED_RADIX);
  }
  return text;
}

function characterOf(digit: number): string {
  return digit === 0 ? '' : PACKED_ALPHABET[digit - 1]!;
}

function readText(reader: Reader, length: number): string {
  const from = reader.at;
  reader.at += length;
  return reader.bytes.toString('utf8', from, reader.at);
}

/**
 * The purpose of a token. It is part of the signature, so that a token seen by a device cannot be used as a win notice.
 * The order is part of the token format: append new purposes at the end.
 */
export const PURPOSES = ['win', 'billing', 'loss', 'impression', 'click', 'click-id', 'video'] as const;
export type Purpose = (typeof PURPOSES)[number];
