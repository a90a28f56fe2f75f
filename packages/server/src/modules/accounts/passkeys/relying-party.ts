import { findBrand } from '../../../platform/brand/brand-store.ts';
import { consoleOrigins } from '../../../platform/brand/page-brand.ts';
import { type PublicAddress, publicUrlOf } from '../../../platform/http/public-url.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/**
 * The id of the relying party (section 4 of Web Authentication, level 3): the host of the public address of the configuration, never that of a
 * call. Browsers offer passkeys on https and localhost only, and for no IP address.
 */
export function relyingPartyId(config: PublicAddress): string {
  return new URL(publicUrlOf(config)).hostname;
}

/** The origins at which its passkeys are used: the public address and the domains of the brand, never that of a call. */
export async function acceptedOrigins(db: Db, config: PublicAddress): Promise<string[]> {
  return consoleOrigins(await findBrand(db), config);
}
