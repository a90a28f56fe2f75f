import type { Config } from '../../../config/config.ts';
import { findBrand } from '../../../platform/brand/brand-store.ts';
import { consoleOrigins } from '../../../platform/brand/page-brand.ts';
import { type PublicAddress, publicUrlOf } from '../../../platform/http/public-url.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { ChallengeUse } from './challenge.ts';

/**
 * The id of the relying party (section 4 of Web Authentication, level 3): the host of the public address of the configuration, never that of a
 * call. Browsers offer passkeys on https and localhost only, and for no IP address.
 */
export function relyingPartyId(config: PublicAddress): string {
  return new URL(publicUrlOf(config)).hostname;
}

/**
 * The origins at which its passkeys are used: the public address and the domains of the brand, never that of a call; by operators also
 * the host of the public address at the port of the operator console.
 */
export async function acceptedOrigins(
  db: Db,
  config: PublicAddress & Pick<Config, 'admin'>,
  of: ChallengeUse['of'],
): Promise<string[]> {
  const origins = consoleOrigins(await findBrand(db), config);
  if (of === 'person' || !config.admin) return origins;
  const operators = new URL(publicUrlOf(config));
  operators.port = String(config.admin.port);
  return [...origins, operators.origin];
}
