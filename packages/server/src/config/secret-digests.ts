import type { SecretDigests, OtherProcess } from '../platform/postgres/stores/process-secrets-store.ts';
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Config } from './config.ts';
import { ConfigError } from './environment.ts';

/** A secret of this process differs from the secret of another process on the same database; the message names both. */
export class SecretsDiffer extends ConfigError {}

/** Digests of a process's secrets. */
export interface OwnDigests {
  /** Digests of the secrets that its roles use. */
  digests: SecretDigests;
  /** Digest of SIGNING_SECRET_PREVIOUS; null without one. */
  previousSigning: string | null;
}

const derive = promisify<string, string, number, Buffer>(scrypt);
const DIGEST_BYTES = 16;

/** A digest of a secret that cannot be turned back, costly enough that a short secret cannot be guessed from it either. */
const digestOf = async (name: string, secret: string): Promise<string> =>
  (await derive(secret, `bidwell ${name}`, DIGEST_BYTES)).toString('base64url');

/** Computes the digests of the secrets that a process with these roles uses. */
export async function digestSecrets(config: Config): Promise<OwnDigests> {
  const used: [name: string, secret: string][] = [['SIGNING_SECRET', config.signingSecret]];
  if (config.roles.has('api'))
    used.push(['ACCESS_TOKEN_SECRET', config.accessTokenSecret], ['OPERATOR_TOKEN', config.operatorToken]);
  const digests = await Promise.all(used.map(async ([name, secret]) => [name, await digestOf(name, secret)]));
  const { previousSigningSecret: previous } = config;
  return {
    digests: Object.fromEntries(digests) as Record<string, string>,
    previousSigning: previous === null ? null : await digestOf('SIGNING_SECRET', previous),
  };
}

/**
 * Throws {@link SecretsDiffer} unless this process accepts everything that the others sign: each secret that both use is the
 * same, or the other's signing secret is this one's previous one.
 */
export function assertSameSecrets(
  { digests, previousSigning }: OwnDigests,
  others: readonly OtherProcess[],
): void {
  for (const other of others)
    for (const [name, digest] of Object.entries(digests)) {
      const theirs = other.digests[name];
      if (theirs === undefined || theirs === digest) continue;
      const isSigning = name === 'SIGNING_SECRET';
      if (isSigning && theirs === previousSigning) continue;
      const remedy = isSigning
        ? 'give this one the same, or theirs as SIGNING_SECRET_PREVIOUS'
        : 'give this one the same, or stop the others first';
      throw new SecretsDiffer(
        `${name} is not that of another process on this database (${other.process}, seen within the last minute): ${remedy}.`,
      );
    }
}
