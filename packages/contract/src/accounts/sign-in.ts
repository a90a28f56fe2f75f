import { z } from 'zod';
import { ungroupedCode } from './typed-code.ts';
import { accountMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { limits } from '../lib/limits.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { PasskeyAssertion } from './passkey.ts';

/** Minutes after a login, or after {@link Confirmation}, in which one may change how one signs in. */
export const CONFIRMED_MINUTES = 10;

/** Most sessions that are listed, the last used first. */
export const SESSIONS_MAX = 100;

/** A session of the caller. */
export const SignInSession = z.object({
  uuid: Uuid,
  /** Names, such as Firefox and Windows; null where the browser did not say, and for sessions of an earlier release. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The IP address of the login or the last renewal; null for sessions of an earlier release. */
  address: z.string().nullable(),
  /** The company that it acts for; null for an operator's. */
  company_name: z.string().nullable(),
  started_at: Timestamp,
  /** Written once in five minutes at most. */
  last_used_at: Timestamp,
  /** Whether it is the session of this call. */
  is_current: z.boolean(),
});
export type SignInSession = z.infer<typeof SignInSession>;

/** Until when the caller may change how they sign in without a new {@link Confirmation}; may be past. */
export const ConfirmedUntil = z.object({ confirmed_until: Timestamp });
export type ConfirmedUntil = z.infer<typeof ConfirmedUntil>;

/** Recovery codes that an account gets at once. */
export const RECOVERY_CODES = 10;

/** A code of an authenticator app, six digits, or a recovery code. */
const Code = z
  .string()
  .max(200, accountMessages.codeInvalid)
  .overwrite(ungroupedCode)
  .min(6, accountMessages.codeInvalid)
  .max(40, accountMessages.codeInvalid);

// Not trimmed: a space may be part of a password.
const password = z
  .string()
  .min(1, messages.required)
  .max(limits.passwordMax, `At most ${limits.passwordMax} characters`);

/** Proves again who makes the calls of a session, by the password, a code of the second factor, or a passkey. */
export const Confirmation = z.union([
  z.object({ password }),
  z.object({ code: Code }),
  z.object({ passkey: PasskeyAssertion }),
]);
export type Confirmation = z.infer<typeof Confirmation>;

export const CodeInput = z.object({ code: Code });
export type CodeInput = z.infer<typeof CodeInput>;

/** How the caller signs in, in addition to the password. */
export const SecondFactors = ConfirmedUntil.extend({
  /** Whether a code of an authenticator app is required at the login. */
  has_authenticator: z.boolean(),
  /** Passkeys of the caller, each of which is a second factor too. */
  passkeys: z.number().int(),
  /** Recovery codes that were not used. */
  recovery_codes: z.number().int(),
  /** Whether no code is accepted after ten wrong ones in a row. */
  is_locked: z.boolean(),
});
export type SecondFactors = z.infer<typeof SecondFactors>;

/** The secret for an authenticator app, which counts once a code of it was given. `uri` is for a QR code, `secret` for typing. */
export const NewAuthenticator = z.object({ secret: z.string(), uri: z.string() });
export type NewAuthenticator = z.infer<typeof NewAuthenticator>;

/** Codes that each replace the second factor once; they are shown only here. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
