import type { BidRef, BidUrls } from '../model/event.ts';
import { createInstallTokens } from './install-token.ts';
import { createOlderTokenReader } from './older-tokens.ts';
import { chargesImpression } from './price.ts';
import type { Purpose } from './purpose.ts';
import { SEALED_VERSION, createTokenSealer } from './sealed-token.ts';

/** Makes and reads the signed tokens that carry a bid through trackers and postbacks. */
export interface Signer {
  /** Every address of a bid. */
  urlsFor(ref: BidRef, macros?: NoticeMacros): BidUrls;
  /** The id that a measurement partner echoes. */
  clickIdFor(ref: BidRef): string;
  /** The token that can report the install of this one click and nothing else: devices may see it. */
  installTokenFor(ref: BidRef): string;
  /** What a token of any version carries; undefined unless it was signed here for this very purpose. Never throws. */
  read(purpose: Purpose, token: string): BidRef | undefined;
  /** The bid whose install a token may report; undefined unless it was signed here. Never throws. */
  readInstallToken(token: string): BidRef | undefined;
}

/** What an exchange replaces in the addresses of its notices (OpenRTB 2.6, 4.4, unless it has its own). */
export interface NoticeMacros {
  price: string;
  loss: string;
}
const OPENRTB_MACROS: NoticeMacros = { price: '${AUCTION_PRICE}', loss: '${AUCTION_LOSS}' };

const TOKEN_CHARS_MAX = 900;

/**
 * Signs with `secret`; reads what was signed with it or with `previousSecret`, which is null where the secret was never
 * changed.
 */
export function createSigner(
  secret: string,
  publicUrl: string,
  previousSecret: string | null = null,
): Signer {
  const sealer = createTokenSealer(secret);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const readers = secrets.map((one) => ({
    open: one === secret ? sealer.open : createTokenSealer(one).open,
    openOlder: createOlderTokenReader(one),
  }));

  const installTokens = secrets.map(createInstallTokens);

  const signer: Signer = {
    urlsFor(ref, { price, loss } = OPENRTB_MACROS) {
      const token = sealer.seal(ref);
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
        installToken: () => installTokens[0]!.tokenOf(token('click-id')),
      };
    },
    clickIdFor: (ref) => sealer.seal(ref)('click-id'),
    installTokenFor: (ref) => installTokens[0]!.tokenOf(sealer.seal(ref)('click-id')),
    read(purpose, token) {
      if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // Base64 leaves spare bits in its last character; only the one canonical spelling is ours.
      if (bytes.length === 0 || bytes.toString('base64url') !== token) return undefined;
      for (const { open, openOlder } of readers) {
        const ref = bytes[0] === SEALED_VERSION ? open(purpose, bytes) : openOlder(purpose, bytes);
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
  };
  return signer;
}
