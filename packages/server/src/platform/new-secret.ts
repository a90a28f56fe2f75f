import { randomBytes } from 'node:crypto';

/** A random secret of so many bytes in base64url. It does not begin with a hyphen, with which a command line would take it for an option. */
export function newSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  return secret.startsWith('-') ? newSecret(bytes) : secret;
}
