import { createHash } from 'node:crypto';
import type { LineFault } from '@bidwell/contract/audiences/line-faults';
import type { IdForm } from '@bidwell/contract/audiences/schema';
import type { IdHash } from '../../model/audience.ts';
import { withHyphens } from '../../model/device-id.ts';
import type { Digest } from '../../model/frequency.ts';
import { PLAIN_HASH, digestOfHex, digestOfId, hashOfHex } from '../id-digest.ts';

/** An id of a list: its hash and the first 64 bits of it. `isPlain` where the list has the id itself. */
export interface ReadId extends Digest {
  hash: IdHash;
  isPlain: boolean;
}

const HYPHENATED = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Longest cell that may be an id; what is longer is not searched. */
const CELL_CHARS_MAX = 100;

const ZEROS = '00000000-0000-0000-0000-000000000000';
/** Hashes of the id of zeros, which stands for no id. */
const HASHED_ZEROS = new Set(
  ['md5', 'sha1', 'sha256'].map((algorithm) => createHash(algorithm).update(ZEROS).digest('hex')),
);

/** Reads an id in a form; why it is none otherwise. 32 digits are an MD5 or an id without hyphens: `auto` reads neither. */
export function readId(text: string, form: IdForm): ReadId | LineFault {
  if (text.length === 36 && HYPHENATED.test(text)) return readPlain(text, form);
  const hash = hashOfHex(text);
  if (!hash) return text.length > CELL_CHARS_MAX ? 'too_long' : 'no_id';
  if (text.length === 32) {
    if (form === 'auto') return 'ambiguous';
    if (form === 'plain') return readPlain(withHyphens(text), form);
  }
  if (form !== 'auto' && form !== hash) return 'other_kind';
  if (HASHED_ZEROS.has(text.toLowerCase())) return 'zeros';
  return { hash, isPlain: false, ...digestOfHex(text) };
}

function readPlain(id: string, form: IdForm): ReadId | LineFault {
  if (form !== 'auto' && form !== 'plain') return 'other_kind';
  const lower = id.toLowerCase();
  if (lower === ZEROS) return 'zeros';
  return { hash: PLAIN_HASH, isPlain: true, ...digestOfId(PLAIN_HASH, lower) };
}

/** Whether a text has the shape of an id or a hash. */
export function isIdShaped(text: string): boolean {
  return HYPHENATED.test(text) || hashOfHex(text) !== undefined;
}
