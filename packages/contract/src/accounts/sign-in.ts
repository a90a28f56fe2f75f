import { z } from 'zod';
import { messages } from '../text/messages.ts';
import { limits } from '../lib/limits.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

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

/** Proves again who makes the calls of a session. */
export const Confirmation = z.object({
  // Not trimmed: a space may be part of a password.
  password: z
    .string(messages.required)
    .min(1, messages.required)
    .max(limits.passwordMax, `At most ${limits.passwordMax} characters`),
});
export type Confirmation = z.infer<typeof Confirmation>;
