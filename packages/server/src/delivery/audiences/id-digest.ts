import type { IdHash } from '../model/audience.ts';
import { withHyphens } from '../model/device-id.ts';
import type { Digest } from '../model/frequency.ts';
import { hash64 } from '../../platform/hash-64.ts';
import type { DigestKind } from './audience-file.ts';
import { hasDigest } from './digest-search.ts';

/** The hash under which lists store plain ids, of their lower case. */
export const PLAIN_HASH: IdHash = 'sha256';

/** The digest of an id by the letters in which it is given. */
export function digestOfId(hash: IdHash, id: string): Digest {
  return hash64(hash, id);
}

/** The digest of a hash in hexadecimal digits. */
export function digestOfHex(hex: string): Digest {
  return { high: Number.parseInt(hex.slice(0, 8), 16), low: Number.parseInt(hex.slice(8, 16), 16) };
}

/** The kind of the digests of plain ids. */
export const PLAIN_KIND: DigestKind = { hash: PLAIN_HASH, letters: 'lower' };

const HEX = /^[\da-f]+$/i;
const HASH_BY_LENGTH: ReadonlyMap<number, IdHash> = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
]);

/** The hash that a text in hexadecimal digits may be; undefined for any other text. 32 digits may also be an id without hyphens. */
export function hashOfHex(text: string): IdHash | undefined {
  const hash = HASH_BY_LENGTH.get(text.length);
  return hash && HEX.test(text) ? hash : undefined;
}

/** The digests of an id, in lower and upper case, or of its hash, that are in a list, 8 bytes each as a file has them. */
export function audienceDigestsOf(words: Uint32Array, hash: IdHash, given: string): Buffer {
  const id = withHyphens(given);
  const digests = [id.toLowerCase(), id.toUpperCase()].map((spelt) => digestOfId(hash, spelt));
  if (hashOfHex(given) === hash) digests.push(digestOfHex(given));
  const found = digests.filter(({ low, high }) => hasDigest(words, low, high));
  const bytes = Buffer.alloc(found.length * 8);
  for (const [at, { low, high }] of found.entries()) {
    bytes.writeUInt32LE(low, at * 8);
    bytes.writeUInt32LE(high, at * 8 + 4);
  }
  return bytes;
}
