import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { passwordQueue } from '../../../platform/concurrency/cpu-queues.ts';
import data from './common-passwords.json' with { type: 'json' };
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { Invalid } from '../../../platform/errors.ts';

/** Argon2id with OWASP's second recommended parameters: 19 MiB, two passes. */
const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password; takes tens of milliseconds by design, when it is the caller's turn, unless `signal` aborts before that.
 * `caller` is the address of an anonymous caller, or the id of a person. Throws RateLimited and Unavailable as
 * {@link passwordQueue} does.
 */
export async function hashPassword(password: string, caller: string, signal?: AbortSignal): Promise<string> {
  return passwordQueue.run(caller, () => hash(password, passwordCost), { signal });
}

/** Whether a password matches a hash; takes as long, and is false, without one. Waits and throws as {@link hashPassword}. */
export async function isPassword(
  passwordHash: string | undefined,
  password: string,
  caller: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const check = () => verify(passwordHash ?? DECOY, password);
  const right = await passwordQueue.run(caller, check, { signal });
  return passwordHash !== undefined && right;
}

/** To verify against for an unknown login. */
const DECOY = hashOfNothing();

/** A hash of no password, with the same cost as real ones: of an account without a password. */
export function hashOfNothing(): string {
  const { memoryCost, timeCost, parallelism } = passwordCost;
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${random(16)}$${random(32)}`;
}

/** The 10,000 most common passwords of at least six characters, in lower case. The data file names their source. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(data.passwords);

/** Throws Invalid for a common password, and for one equal to the user's login or e-mail address. */
export function assertNotGuessable(
  password: string,
  { login, email }: { login: string; email: string },
): void {
  const guess = password.toLowerCase();
  const invalid = (message: string) => new Invalid([{ field: 'password', message }]);
  if (COMMON_PASSWORDS.has(guess)) throw invalid(accountMessages.passwordCommon);
  const own = [login, email, email.split('@')[0]!].map((text) => text.toLowerCase());
  if (own.includes(guess)) throw invalid(accountMessages.passwordOwn);
}
