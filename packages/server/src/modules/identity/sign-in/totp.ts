import { Secret, TOTP } from 'otpauth';
import type { Context } from '../../../context.ts';
import { EncryptionKeyMissing } from '../../../platform/encryption.ts';
import { Unavailable } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { NO_ACCOUNT, checkSecondFactor } from '../second-factor.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted too: clocks differ, and typing takes time. */
const WINDOW_STEPS = 1;

/** A new secret for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` URI of a secret, for a QR code (Google Authenticator, "Key Uri Format"); `issuer` is the name of the product. */
export function totpUri(secret: string, login: string, issuer: string): string {
  // Neither may have a colon, which separates them.
  const [label, name] = [login, issuer].map((text) => text.replaceAll(/[\s:]+/g, ' ').trim());
  return totpOf(secret, { login: label!, issuer: name! }).toString();
}

/**
 * The step of the code at this time, or null for a wrong code (RFC 6238). A step not after `lastStep` is rejected, since each
 * code is accepted once (RFC 6238, 5.2).
 */
function acceptedStep(secret: string, code: string, nowMs: number, lastStep: number): number | null {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  if (delta === null) return null;
  const step = totp.counter({ timestamp: nowMs }) + delta;
  return step > lastStep ? step : null;
}

/** The code of a secret at this time, as an authenticator app shows it. */
export function totpCode(secret: string, nowMs: number): string {
  return totpOf(secret).generate({ timestamp: nowMs });
}

function totpOf(
  secret: string,
  { login: label = '', issuer = '' }: { login?: string; issuer?: string } = {},
): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** The tables of accounts that have authenticator apps. */
type AccountTable = 'users' | 'operators';

/** An account with the stored values of its authenticator app. */
interface AppAccount {
  uuid: string;
  totp_secret: string | null;
  totp_last_step: number;
}

const placeOf = (table: AccountTable, row: string) => ({ table, column: 'totp_secret', row });

const DIGITS = /^\d{6}$/;

/** Whether this is a code of an authenticator app; other codes are recovery codes. */
export const isAppCode = (code: string): boolean => DIGITS.test(code);

/** The secret of an account's authenticator app as it is stored. */
export function sealedSecret(
  { encryption }: Pick<Context, 'encryption'>,
  table: AccountTable,
  { uuid }: Pick<AppAccount, 'uuid'>,
  secret: string,
): string {
  return encryption.encrypt(secret, placeOf(table, uuid));
}

/** A stored secret of an account. Throws Unavailable where this process lacks the key, which another one had. */
export function openedSecret(
  { encryption }: Pick<Context, 'encryption'>,
  table: AccountTable,
  { uuid }: Pick<AppAccount, 'uuid'>,
  stored: string,
): string {
  try {
    return encryption.decrypt(stored, placeOf(table, uuid));
  } catch (error) {
    throw error instanceof EncryptionKeyMissing ? new Unavailable(error.message) : error;
  }
}

/**
 * The step of a code of the account's authenticator app, which the caller stores as its last; null for a code that is wrong or not
 * accepted at present, as {@link checkSecondFactor} says, and without an account. The caller has locked the account's row and does not
 * roll back after null. Throws Unavailable as {@link openedSecret}.
 */
export async function stepOfAppCode(
  ctx: Pick<Context, 'encryption' | 'log' | 'now'>,
  db: Db,
  table: AccountTable,
  { account, code }: { account: AppAccount | undefined; code: string },
): Promise<number | null> {
  return checkSecondFactor(ctx, db, account?.uuid ?? NO_ACCOUNT, () => {
    if (!account?.totp_secret) return null;
    const secret = openedSecret(ctx, table, account, account.totp_secret);
    return acceptedStep(secret, code, ctx.now().getTime(), account.totp_last_step);
  });
}
