import { createHash } from 'node:crypto';
import { type HashedCase, ID_HASHES, type IdHash } from '../model/audience.ts';

/*
 * A file of an audience: a header of 64 bytes, then the first 64 bits of each id's hash, in ascending order, without duplicates, as
 * little-endian integers.
 *
 *   0  8  magic
 *   8  4  version
 *  12  4  index of the hash in ID_HASHES
 *  16  4  letters of the hashed ids: 1 lower, 2 upper, 3 either
 *  20  4  number of digests
 *  24 32  SHA-256 of bytes 0 to 23 and of all digests
 *  56  8  0
 */
const MAGIC = Buffer.from('BWAUDNCE', 'latin1');
const VERSION = 1;
export const HEADER_BYTES = 64;
export const DIGEST_BYTES = 8;
const CHECKED_BYTES = 24;
const SUM_AT = 24;
const SUM_BYTES = 32;

const CASES: readonly (HashedCase | null)[] = [null, 'lower', 'upper', 'either'];

/** What the digests of a list stand for. */
export interface DigestKind {
  hash: IdHash;
  letters: HashedCase;
}

/** The beginning of a file. */
export interface AudienceHeader extends DigestKind {
  count: number;
}

/** A file that is no whole file of an audience, or of a later release. */
export class DamagedAudience extends Error {}

/** The header of a file whose digests follow as `body`, in parts. */
export function headerOf({ hash, letters, count }: AudienceHeader, body: Iterable<Uint8Array>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(ID_HASHES.indexOf(hash), 12);
  header.writeUInt32LE(CASES.indexOf(letters), 16);
  header.writeUInt32LE(count, 20);
  const sum = createHash('sha256').update(header.subarray(0, CHECKED_BYTES));
  for (const part of body) sum.update(part);
  sum.digest().copy(header, SUM_AT);
  return header;
}

/** Reads a header. Throws DamagedAudience. */
export function readHeader(header: Buffer): AudienceHeader {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new DamagedAudience('It is no file of an audience.');
  const version = header.readUInt32LE(8);
  if (version !== VERSION) throw new DamagedAudience(`It has version ${version}, which is not known.`);
  const hash = ID_HASHES[header.readUInt32LE(12)];
  const letters = CASES[header.readUInt32LE(16)];
  if (!hash || !letters) throw new DamagedAudience('Its kind of ids is not known.');
  return { hash, letters, count: header.readUInt32LE(20) };
}

/** The digests of an audience: pairs of the lower and the upper 32 bits of each, in ascending order. */
export interface Digests extends AudienceHeader {
  words: Uint32Array;
}

/**
 * Reads a file part by part, without blocking the event loop for longer than a part takes. `takeMemory` gets the bytes that the digests
 * need before they are allocated, and may throw. Throws DamagedAudience, and the errors of the stream.
 */
export async function readAudience(
  parts: AsyncIterable<Buffer>,
  takeMemory: (bytes: number) => void = () => {},
): Promise<Digests> {
  let header = Buffer.alloc(0);
  let read: AudienceHeader | null = null;
  let body = Buffer.alloc(0);
  let at = 0;
  const sum = createHash('sha256');
  for await (const given of parts) {
    let part = given;
    if (!read) {
      header = Buffer.concat([header, part]);
      if (header.length < HEADER_BYTES) continue;
      read = readHeader(header);
      sum.update(header.subarray(0, CHECKED_BYTES));
      const bytes = read.count * DIGEST_BYTES;
      takeMemory(bytes);
      // An ArrayBuffer of its own, so that the digests are aligned.
      body = Buffer.from(new ArrayBuffer(bytes));
      part = header.subarray(HEADER_BYTES);
    }
    if (at + part.length > body.length) throw new DamagedAudience('It is longer than it says.');
    sum.update(part);
    part.copy(body, at);
    at += part.length;
  }
  if (!read || at < body.length) throw new DamagedAudience('It ends too early.');
  if (!sum.digest().equals(header.subarray(SUM_AT, SUM_AT + SUM_BYTES)))
    throw new DamagedAudience('Its checksum is wrong.');
  return { ...read, words: new Uint32Array(body.buffer, 0, read.count * 2) };
}
