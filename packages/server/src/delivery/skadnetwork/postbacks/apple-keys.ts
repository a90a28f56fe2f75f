import { type KeyObject, createPublicKey } from 'node:crypto';

/** The keys that postbacks are verified with. */
export interface PostbackKeys {
  /** Keys for SKAdNetwork 2.1 and later, and for AdAttributionKit in production. */
  production: readonly KeyObject[];
  /** Keys for AdAttributionKit on development devices, by key id. */
  development: ReadonlyMap<string, KeyObject>;
}

/** The key id of AdAttributionKit's postbacks in production (Apple, "Verifying a postback"). */
export const PRODUCTION_KEY_ID = 'apple-cas-identifier/0';

/**
 * Apple's P-256 key of SKAdNetwork 2.1 and later ("Verifying an install-validation postback") and of AdAttributionKit in production.
 * The P-192 key of versions 1.0 and 2.0 is left out: devices send these versions only for ads that are signed for them, this server
 * signs none, and no postback that such a key signed has been published to test with.
 */
const PRODUCTION_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW6Af0lfx3gg==';

/**
 * Keys of development devices ("Verifying a postback"): for the whole flow, and for postbacks made in the developer settings.
 */
const DEVELOPMENT_KEYS = {
  'apple-development-identifier/0':
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRtSlLRsWit87i+vftD8AEqeQ==',
  'apple-development-identifier/1':
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6qWwF1BDFq+QHqKfH5u+wxHQ==',
} as const;

/**
 * Apple's published keys and, in production's place, `testKey` of simulated devices: SPKI in base64, null for none. Throws where it is
 * no key of P-256.
 */
export function postbackKeys(testKey: string | null): PostbackKeys {
  return {
    production: [PRODUCTION_KEY, ...(testKey === null ? [] : [testKey])].map(publicKeyOf),
    development: new Map(Object.entries(DEVELOPMENT_KEYS).map(([id, key]) => [id, publicKeyOf(key)])),
  };
}

/** Reads a public key of the curve P-256. Throws for any other. */
function publicKeyOf(spkiBase64: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(spkiBase64, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('A key of postbacks is not of the curve P-256.');
  return key;
}
