import { type PublicAddress, publicUrlOf } from '../../../platform/http/public-url.ts';

/** For whom passkeys are made: the domain, and the one origin from which they are used. */
interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The relying party (section 4 of Web Authentication, level 3): the public address of the configuration, never that of a call. Browsers
 * offer passkeys on https and localhost only, and for no IP address.
 */
export function relyingPartyOf(config: PublicAddress): RelyingParty {
  const { hostname, origin } = new URL(publicUrlOf(config));
  return { id: hostname, origin };
}
