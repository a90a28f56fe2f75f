import { createCipheriv, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { IFA_BYTES, PAYLOAD_BYTES_MAX, readPayload, writeIfa, writePayload } from './bid-payload.ts';
import type { BidRef } from '../model/event.ts';
import { PURPOSES, type Purpose } from './purpose.ts';
import { uuidIn, writeUuid } from './uuid-bytes.ts';

/** Creates and verifies tokens of versions 4 and 5 (docs/decisions/007 and 021). */
export interface TokenSealer {
  /** Encrypts a bid; the returned function creates its token for a purpose. */
  seal(ref: BidRef): (purpose: Purpose) => string;
  /** Verifies and decrypts a token; undefined unless it was signed with this secret for this purpose. */
  open(purpose: Purpose, token: Buffer): BidRef | undefined;
}

/** Versions of tokens: of bids without a margin, and of those whose payload ends with one. */
const VERSION = 4;
const VERSION_WITH_MARGIN = 5;
/** Bytes of a MAC; seven of them fit into one digest of 64 bytes. */
const MAC_BYTES = 9;
/** Block size of BLAKE2b. */
const HASH_BLOCK_BYTES = 128;
const CIPHER_BLOCK_BYTES = 16;
const ID_AT = 1;
const PAYLOAD_AT = ID_AT + 16;
const TOKEN_BYTES_MAX = PAYLOAD_AT + PAYLOAD_BYTES_MAX + IFA_BYTES;

/**
 * A token is the version, the bid's id, the bid's other data (encrypted) and a MAC for one purpose. Only a click's token
 * has the advertising id, because only clicks are forwarded with it.
 *
 * Encryption is AES-256 in counter mode (NIST SP 800-38A, 6.5). A counter block is the bid's id with its first byte
 * replaced by the number of the block; in UUIDs of version 7 this byte stays the same for 35 years, and no two bids share
 * an id. One cipher object encrypts all blocks as long as the server runs: creating one takes longer than all the rest.
 *
 * The MACs are one BLAKE2b-512 (RFC 7693) of a block that holds the key and of the encrypted token, split into one part
 * for each purpose. BLAKE2b is not open to length extension, so the key can come first, as in its own keyed mode.
 */
export function createTokenSealer(secret: string): TokenSealer {
  const keyFor = (use: string): Buffer => createHmac('sha256', secret).update(use).digest();
  const cipher = createCipheriv('aes-256-ecb', keyFor('bidwell token 4 encryption'), null).setAutoPadding(
    false,
  );
  const blocks = Buffer.alloc(
    Math.ceil((TOKEN_BYTES_MAX - PAYLOAD_AT) / CIPHER_BLOCK_BYTES) * CIPHER_BLOCK_BYTES,
  );
  // Shared by all calls: each is synchronous and uses it alone.
  const keyed = Buffer.alloc(HASH_BLOCK_BYTES + TOKEN_BYTES_MAX);
  keyFor('bidwell token 4 authentication').copy(keyed);
  const scratch = keyed.subarray(HASH_BLOCK_BYTES);

  /** Encrypts or decrypts `bytes` in place. */
  const crypt = (bytes: Buffer, id: Buffer): void => {
    const counters = blocks.subarray(0, Math.ceil(bytes.length / CIPHER_BLOCK_BYTES) * CIPHER_BLOCK_BYTES);
    counters.fill(id);
    for (let block = 0, at = 0; at < counters.length; at += CIPHER_BLOCK_BYTES) counters[at] = block++;
    const stream = cipher.update(counters);
    for (let at = 0; at < bytes.length; at += 1) bytes[at]! ^= stream[at]!;
  };
  /** The MACs of the token in `scratch`, concatenated in the order of purposes. */
  const macsOf = (length: number): Buffer =>
    hash('blake2b512', keyed.subarray(0, HASH_BLOCK_BYTES + length), 'buffer');

  return {
    seal(ref) {
      scratch[0] = ref.marginBasisPoints === 0 ? VERSION : VERSION_WITH_MARGIN;
      writeUuid(scratch, ID_AT, ref.bidId);
      const end = writePayload(scratch, PAYLOAD_AT, ref);
      const clickEnd = ref.ifa === '' ? end : writeIfa(scratch, end, ref.ifa);
      crypt(scratch.subarray(PAYLOAD_AT, clickEnd), scratch.subarray(ID_AT, PAYLOAD_AT));
      const token = tokensOf(scratch, end, macsOf(end));
      if (clickEnd === end) return token;
      const click = tokensOf(scratch, clickEnd, macsOf(clickEnd))('click');
      return (purpose) => (purpose === 'click' ? click : token(purpose));
    },
    open(purpose, token) {
      const length = token.length - MAC_BYTES;
      if (!isSealed(token) || length <= PAYLOAD_AT || length > TOKEN_BYTES_MAX) return undefined;
      token.copy(scratch, 0, 0, length);
      if (!timingSafeEqual(macFor(purpose, macsOf(length)), token.subarray(length))) return undefined;
      const payload = scratch.subarray(PAYLOAD_AT, length);
      crypt(payload, scratch.subarray(ID_AT, PAYLOAD_AT));
      const hasMargin = token[0] === VERSION_WITH_MARGIN;
      return readPayload(uuidIn(scratch.toString('hex', ID_AT, PAYLOAD_AT), 0), payload, hasMargin);
    },
  };
}

/** Whether a token has a version that {@link createTokenSealer} opens. */
function isSealed(token: Buffer): boolean {
  return token[0] === VERSION || token[0] === VERSION_WITH_MARGIN;
}

function macFor(purpose: Purpose, macs: Buffer): Buffer {
  const at = PURPOSES.indexOf(purpose) * MAC_BYTES;
  return macs.subarray(at, at + MAC_BYTES);
}

/** The end of a token, with up to two bytes before its MAC, takes at most this many bytes … */
const END_BYTES = 12;
/** … and this many characters. */
const END_CHARS = 16;
const ends = Buffer.alloc(PURPOSES.length * END_BYTES);

/**
 * Creates tokens that share their first `length` bytes. Three bytes are four characters, so most of it is encoded once;
 * the ends for all purposes are encoded together, each followed by zeros, which do not change the characters before them.
 */
function tokensOf(bytes: Buffer, length: number, macs: Buffer): (purpose: Purpose) => string {
  const rest = length % 3;
  const beginning = bytes.toString('base64url', 0, length - rest);
  ends.fill(0);
  for (let index = 0, at = 0; index < PURPOSES.length; index += 1, at += END_BYTES) {
    for (let byte = 0; byte < rest; byte += 1) ends[at + byte] = bytes[length - rest + byte]!;
    for (let byte = 0; byte < MAC_BYTES; byte += 1) ends[at + rest + byte] = macs[index * MAC_BYTES + byte]!;
  }
  const encoded = ends.toString('base64url');
  const chars = Math.ceil(((rest + MAC_BYTES) * 4) / 3);
  return (purpose) => {
    const from = PURPOSES.indexOf(purpose) * END_CHARS;
    return beginning + encoded.slice(from, from + chars);
  };
}
