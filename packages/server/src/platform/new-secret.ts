import { randomBytes } from 'node:crypto';

/** A random secret of `bytes` bytes in base64url. It never begins with a hyphen: a command line would read it as an option. */
export function newSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  return secret.startsWith('-') ? newSecret(bytes) : secret;
}
