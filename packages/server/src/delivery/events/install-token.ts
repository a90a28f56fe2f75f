import { createHmac, timingSafeEqual } from 'node:crypto';

/** 72 bits, as of every other token; twelve characters. */
const MAC_BYTES = 9;
const MAC_CHARS = (MAC_BYTES / 3) * 4;

/** Makes and reads the tokens by which Adjust's link callbacks report installs. */
export interface InstallTokens {
  /** A click id that may report its own install: it is followed by a MAC of its own. */
  tokenOf(clickId: string): string;
  /** The click id in such a token; undefined unless it was signed with this secret. */
  clickIdIn(token: string): string | undefined;
}

/**
 * A click id is shown to partners and devices and can report nothing by itself; the token that can is made only where a
 * link asks for it. It is no purpose of the token's own format: the digest that all purposes share has no room for an eighth.
 */
export function createInstallTokens(secret: string): InstallTokens {
  const key = createHmac('sha256', secret).update('bidwell install tokens').digest();
  const macOf = (clickId: string): Buffer =>
    createHmac('sha256', key).update(clickId).digest().subarray(0, MAC_BYTES);
  return {
    tokenOf: (clickId) => clickId + macOf(clickId).toString('base64url'),
    clickIdIn(token) {
      const clickId = token.slice(0, -MAC_CHARS);
      const mac = Buffer.from(token.slice(-MAC_CHARS), 'base64url');
      return mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(clickId)) ? clickId : undefined;
    },
  };
}
