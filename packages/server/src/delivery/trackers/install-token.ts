import { createHmac, timingSafeEqual } from 'node:crypto';

/** 72 bits, as in other tokens; twelve characters. */
const MAC_BYTES = 9;
const MAC_CHARS = (MAC_BYTES / 3) * 4;

/** Creates and verifies the tokens by which Adjust's link callbacks report installs. */
export interface InstallTokens {
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
