import type { ChargeOn } from '@bidwell/contract/operator/schema';
import type { MinToWinMacros } from '@bidwell/contract/operator/exchange-rules';
import type { BidRef, BidUrls } from '../model/event.ts';
import { type FeedbackBid, createFeedbackTokens } from './feedback-token.ts';
import { chargesImpression } from './price.ts';
import {
  type Purpose,
  IFA_BYTES,
  PAYLOAD_BYTES_MAX,
  readPayload,
  writeIfa,
  writePayload,
  PURPOSES,
} from './bid-payload.ts';
import { createCipheriv, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { uuidIn, writeUuid } from './uuid-bytes.ts';

/** Creates and verifies the signed tokens that carry a bid through trackers and postbacks. */
export interface Signer {
  /** All tracker URLs of a bid. */
  urlsFor(ref: BidRef, macros?: NoticeMacros): BidUrls;
  /** The tokens of a bid, by purpose. They consist of letters, digits, `-` and `_`. */
  tokensFor(ref: BidRef): BidTokens;
  /** The tracker URLs with these tokens, for a bid that is charged at `chargeOn`. */
  urlsWith(tokens: BidTokens, chargeOn: ChargeOn, macros?: NoticeMacros): BidUrls;
  /** The token of {@link Signer.installTokenFor} for a click id. */
  installTokenOf(clickId: string): string;
  /** The click id, which a measurement partner echoes in its postback. */
  clickIdFor(ref: BidRef): string;
  /** A token that can only report the install of this one click, so that devices may see it. */
  installTokenFor(ref: BidRef): string;
  /** Decodes a token of any version; undefined unless it was signed here for this purpose. Never throws. */
  read(purpose: Purpose, token: string): BidRef | undefined;
  /** The bid whose install a token may report; undefined unless it was signed here. Never throws. */
  readInstallToken(token: string): BidRef | undefined;
  /** The bid of an exchange that a feedback token names; undefined unless it was signed here for that exchange. Never throws. */
  readFeedbackToken(token: string, exchange: string): FeedbackBid | undefined;
}

/** Macros that an exchange replaces in the URLs of its notices (OpenRTB 2.6, 4.4, unless it has its own). */
export interface NoticeMacros {
  price: string;
  loss: string;
  /** Absent or null for OpenRTB's. */
  minToWin?: MinToWinMacros | null;
}

/** A bid's token for each purpose, and the one by which its exchange gives feedback in later requests. */
export type BidTokens = (purpose: Purpose | 'feedback') => string;

const OPENRTB_MACROS: NoticeMacros = { price: '${AUCTION_PRICE}', loss: '${AUCTION_LOSS}' };
const MIN_TO_WIN = '${AUCTION_MIN_TO_WIN}';
/** One notice of a won bid is enough. */
const OPENRTB_MIN_TO_WIN: MinToWinMacros = { win: MIN_TO_WIN, billing: null, loss: MIN_TO_WIN };

const TOKEN_CHARS_MAX = 900;

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Whether the unused bits of a base64url text's last character are zero: there is only one valid spelling of bytes. */
function isCanonical(token: string): boolean {
  const rest = token.length % 4;
  const last = BASE64URL.indexOf(token.at(-1)!);
  return rest === 0 || (rest === 2 && last % 16 === 0) || (rest === 3 && last % 4 === 0);
}

/**
 * Creates a signer. Signs with `secret`, and verifies with it or with `previousSecret`, which is null where the secret
 * was never changed.
 */
export function createSigner(
  secret: string,
  publicUrl: string,
  previousSecret: string | null = null,
): Signer {
  const sealer = createTokenSealer(secret);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const readers = secrets.map((one) => (one === secret ? sealer : createTokenSealer(one)));

  const installTokens = secrets.map(createInstallTokens);
  const feedbackTokens = secrets.map(createFeedbackTokens);
  const tokensOfBid = (ref: BidRef): BidTokens => {
    const token = sealer.seal(ref);
    return (purpose) => (purpose === 'feedback' ? feedbackTokens[0]!.tokenOf(ref) : token(purpose));
  };

  const signer: Signer = {
    urlsFor: (ref, macros) => signer.urlsWith(tokensOfBid(ref), ref.chargeOn, macros),
    tokensFor: tokensOfBid,
    urlsWith(token, chargeOn, { price, loss, minToWin } = OPENRTB_MACROS) {
      const named = minToWin ?? OPENRTB_MIN_TO_WIN;
      const mtw = (macro: string | null) => (macro === null ? '' : `&mtw=${macro}`);
      // One token for all video events: most markup has no video event, and a video has ten.
      let video: string | undefined;
      const at = (purpose: Purpose) => `${publicUrl}/t/${purpose}/${token(purpose)}`;
      return {
        win: `${at('win')}?price=${price}${mtw(named.win)}`,
        billing: `${at('billing')}?price=${price}${mtw(named.billing)}`,
        loss: `${at('loss')}?reason=${loss}&price=${price}${mtw(named.loss)}`,
        // Where the impression is charged, its URL must carry the price.
        impression: at('impression') + (chargesImpression(chargeOn) ? `?price=${price}` : ''),
        click: at('click'),
        videoEvent: (event) => `${publicUrl}/t/${event}/${(video ??= token('video'))}`,
        clickId: token('click-id'),
        installToken: () => signer.installTokenOf(token('click-id')),
      };
    },
    installTokenOf: (clickId) => installTokens[0]!.tokenOf(clickId),
    clickIdFor: (ref) => sealer.seal(ref)('click-id'),
    installTokenFor: (ref) => signer.installTokenOf(sealer.seal(ref)('click-id')),
    read(purpose, token) {
      if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return undefined;
      if (!isCanonical(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      for (const { open } of readers) {
        const ref = open(purpose, bytes);
        if (ref) return ref;
      }
      return undefined;
    },
    readInstallToken(token) {
      if (token.length > TOKEN_CHARS_MAX) return undefined;
      for (const { clickIdIn } of installTokens) {
        const clickId = clickIdIn(token);
        if (clickId !== undefined) return signer.read('click-id', clickId);
      }
      return undefined;
    },
    readFeedbackToken(token, exchange) {
      for (const { bidIn } of feedbackTokens) {
        const bid = bidIn(token, exchange);
        if (bid) return bid;
      }
      return undefined;
    },
  };
  return signer;
}

/** Creates and verifies tokens of versions 4 and 5 (docs/decisions/007 and 021). */
interface TokenSealer {
  /** Encrypts a bid; the returned function creates its token for a purpose. */
  seal(ref: BidRef): (purpose: Purpose) => string;
  /** Verifies and decrypts a token; undefined unless it was signed with this secret for this purpose. */
  open(purpose: Purpose, token: Buffer): BidRef | undefined;
}

/** Versions of tokens: for bids without a margin, and for bids whose payload ends with one. */
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
function createTokenSealer(secret: string): TokenSealer {
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
  /** The MACs of the token in `scratch`, concatenated in the order of purposes, with a character for each byte. */
  const macsOf = (length: number): string =>
    hash('blake2b512', keyed.subarray(0, HASH_BLOCK_BYTES + length), 'binary');

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
      if (!timingSafeEqual(Buffer.from(macFor(purpose, macsOf(length)), 'binary'), token.subarray(length)))
        return undefined;
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

function macFor(purpose: Purpose, macs: string): string {
  const at = PURPOSES.indexOf(purpose) * MAC_BYTES;
  return macs.slice(at, at + MAC_BYTES);
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
function tokensOf(bytes: Buffer, length: number, macs: string): (purpose: Purpose) => string {
  const rest = length % 3;
  const beginning = bytes.toString('base64url', 0, length - rest);
  ends.fill(0);
  for (let index = 0, at = 0; index < PURPOSES.length; index += 1, at += END_BYTES) {
    for (let byte = 0; byte < rest; byte += 1) ends[at + byte] = bytes[length - rest + byte]!;
    for (let byte = 0; byte < MAC_BYTES; byte += 1)
      ends[at + rest + byte] = macs.charCodeAt(index * MAC_BYTES + byte);
  }
  const encoded = ends.toString('base64url');
  const chars = Math.ceil(((rest + MAC_BYTES) * 4) / 3);
  return (purpose) => {
    const from = PURPOSES.indexOf(purpose) * END_CHARS;
    return beginning + encoded.slice(from, from + chars);
  };
}

/** 72 bits, as in other tokens; twelve characters. */
const INSTALL_MAC_BYTES = 9;
const INSTALL_MAC_CHARS = (INSTALL_MAC_BYTES / 3) * 4;

/** Creates and verifies the tokens by which Adjust's link callbacks report installs. */
interface InstallTokens {
  /** Creates the token of a click id: the id, followed by a MAC. */
  tokenOf(clickId: string): string;
  /** The click id of a token; undefined unless it was signed with this secret. */
  clickIdIn(token: string): string | undefined;
}

/**
 * Creates {@link InstallTokens}. Partners and devices see click ids, which cannot report anything by themselves; an
 * install token is created only where a link contains its macro. It is not a purpose of the token format, because the
 * digest that all purposes share has no room for an eighth.
 */
function createInstallTokens(secret: string): InstallTokens {
  const key = createHmac('sha256', secret).update('bidwell install tokens').digest();
  const macOf = (clickId: string): Buffer =>
    createHmac('sha256', key).update(clickId).digest().subarray(0, INSTALL_MAC_BYTES);
  return {
    tokenOf: (clickId) => clickId + macOf(clickId).toString('base64url'),
    clickIdIn(token) {
      const clickId = token.slice(0, -INSTALL_MAC_CHARS);
      const mac = Buffer.from(token.slice(-INSTALL_MAC_CHARS), 'base64url');
      return mac.length === INSTALL_MAC_BYTES && timingSafeEqual(mac, macOf(clickId)) ? clickId : undefined;
    },
  };
}
