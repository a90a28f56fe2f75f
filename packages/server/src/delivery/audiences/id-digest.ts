import { hash as hashOf } from 'node:crypto';
import type { IdHash } from '../model/audience.ts';

/** The first 64 bits of a hash. */
export interface Digest {
  low: number;
  high: number;
}

/** The hash under which lists store plain ids, of their lower case. */
export const PLAIN_HASH: IdHash = 'sha256';

/** The digest of an id by the letters in which it is given. */
export function digestOfId(hash: IdHash, id: string): Digest {
  const bytes = hashOf(hash, id, 'buffer');
  return { high: bytes.readUInt32BE(0), low: bytes.readUInt32BE(4) };
}

/** The digest of a hash in hexadecimal digits. */
export function digestOfHex(hex: string): Digest {
  return { high: Number.parseInt(hex.slice(0, 8), 16), low: Number.parseInt(hex.slice(8, 16), 16) };
}
