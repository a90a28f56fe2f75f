import { hash } from '@node-rs/argon2';

/** Argon2id with OWASP's second recommended parameters: 19 MiB, two passes. */
const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password; takes tens of milliseconds by design. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, passwordCost);
}
