import { createPublicKey } from 'node:crypto';
import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';

/** The key of simulated devices; null for none. Not in production: whoever has its private half can make up installs. Throws {@link ConfigError}. */
export function testKeyOf({ INSTALL_POSTBACK_TEST_KEY: key, NODE_ENV }: Environment): string | null {
  if (!key) return null;
  if (NODE_ENV === 'production')
    throw new ConfigError(
      'INSTALL_POSTBACK_TEST_KEY is set, which NODE_ENV=production does not allow: set NODE_ENV=development.',
    );
  if (!isP256(key))
    throw new ConfigError(
      'INSTALL_POSTBACK_TEST_KEY is not valid, but should be a public key of the curve P-256, as SPKI in base64.',
    );
  return key;
}

function isP256(spkiBase64: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spkiBase64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
