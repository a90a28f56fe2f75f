import type { ChargeOn } from '@bidwell/contract/operator/schema';
import type { BidRef, BidUrls } from '../model/event.ts';
import { createInstallTokens } from './install-token.ts';
import { chargesImpression } from './price.ts';
import type { Purpose } from './purpose.ts';
import { createTokenSealer } from './sealed-token.ts';

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
}

/** Macros that an exchange replaces in the URLs of its notices (OpenRTB 2.6, 4.4, unless it has its own). */
export interface NoticeMacros {
  price: string;
  loss: string;
}

/** A bid's token for each purpose. */
export type BidTokens = (purpose: Purpose) => string;

const OPENRTB_MACROS: NoticeMacros = { price: '${AUCTION_PRICE}', loss: '${AUCTION_LOSS}' };

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

  const signer: Signer = {
    urlsFor: (ref, macros) => signer.urlsWith(sealer.seal(ref), ref.chargeOn, macros),
    tokensFor: (ref) => sealer.seal(ref),
    urlsWith(token, chargeOn, { price, loss } = OPENRTB_MACROS) {
      // One token for all video events: most markup has none of them, a video's has ten.
      let video: string | undefined;
      const at = (purpose: Purpose) => `${publicUrl}/t/${purpose}/${token(purpose)}`;
      return {
        win: `${at('win')}?price=${price}`,
        billing: `${at('billing')}?price=${price}`,
        loss: `${at('loss')}?reason=${loss}&price=${price}&mtw=\${AUCTION_MIN_TO_WIN}`,
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
  };
  return signer;
}
