import type { NewPassword } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { Invalid } from '../../../platform/errors.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { countMail, mailKind, notify } from '../../messaging/public.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { sendConfirmation } from '../address-confirmation.ts';
import { hashPassword, assertNotGuessable } from './password.ts';
import { revokeSessionsOf } from '../sessions/session-store.ts';
import { companyOfUser } from '../people/membership-store.ts';
import { findUserByLogin, lockUser, updateUser, type UserRow } from '../store.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';

const HOUR_MS = 3_600_000;
/** Valid links of a user at once, so that a caller cannot fill the mailbox of another person. */
const LINKS_MAX = 3;
/** Requests that are looked up at once; further ones are dropped, since their callers do not wait. */
const LOOKUPS_MAX = 100;

/** Sends links for new passwords. */
export interface PasswordResets {
  /**
   * Sends a link to the user of a login, if there is one. Returns at once and does the rest later, so that neither the
   * response nor its time depends on whether the login exists.
   */
  request(login: string): void;
}

/** Sends links for new passwords by mail; null where the server sends no mail. */
export function passwordResets(ctx: Context): PasswordResets | null {
  const { log } = ctx;
  if (!ctx.mailer) return null;
  let lookups = 0;
  const sendLink = async (login: string): Promise<void> => {
    const user = await findUserByLogin(ctx.db, login);
    if (!user) return;
    // Nothing else is sent to an unconfirmed address; the page of its link says what to do next.
    if (!user.email_confirmed_at) {
      await sendConfirmation(ctx, { kind: 'person_address', uuid: user.uuid }, user.email);
      return;
    }
    const token = newSecretToken();
    const now = ctx.now();
    const reset = {
      token_hash: hashToken(token),
      user_uuid: user.uuid,
      created_at: now,
      expires_at: new Date(now.getTime() + HOUR_MS),
    };
    await transact(ctx.db, async (tx) => {
      // One at a time, so that requests at once do not exceed the limit together.
      await lockUser(tx.db, user.uuid);
      if (!(await insertReset(tx.db, reset, LINKS_MAX))) return;
      if (!(await countMail(tx.db, { to: user.email, kind: 'password', at: now }))) return;
      await passwordMails.queue(ctx, tx, {
        about: user.uuid,
        userId: user.uuid,
        to: user.email,
        content: { login: user.login, token },
        expiresAt: reset.expires_at,
      });
    });
  };
  return {
    request(login) {
      if (lookups >= LOOKUPS_MAX) {
        log.warn('a request for a new password was dropped: too many at once');
        return;
      }
      lookups += 1;
      void sendLink(login)
        .catch((err: unknown) => log.error({ err }, 'a request for a new password failed'))
        .finally(() => {
          lookups -= 1;
        });
    },
  };
}

/** Mails with a link for a new password, as long as the link works. */
export const passwordMails = mailKind<{ login: string; token: string }>({
  name: 'password',
  lane: 'awaited',
  async compose(ctx, { login, token }) {
    if (!(await findReset(ctx.db, hashToken(token), ctx.now()))) return null;
    const brand = await ctx.brand.current();
    return linkMail(login, linkOf(consoleUrlOf(brand, ctx.config), token), brand.settings.name);
  },
});

/**
 * Sets the password by a link that a caller at `address` has, and ends all sessions of the user. Notifies their company.
 * Throws Invalid for a link that was used, has expired or is unknown, and for a password that is easy to guess; RateLimited
 * and Unavailable as {@link hashPassword}.
 */
export async function resetPassword(
  ctx: Context,
  { token, password }: NewPassword,
  address: string,
  signal?: AbortSignal,
): Promise<void> {
  const tokenHash = hashToken(token);
  const known = await findReset(ctx.db, tokenHash, ctx.now());
  if (!known) throw linkError();
  assertNotGuessable(password, known);
  const hash = await hashPassword(password, address, signal);
  await transact(ctx.db, async (tx) => {
    const { uuid: userId, login } = known;
    const now = ctx.now();
    // Against a session that is renewed meanwhile, as for ending sessions.
    await lockUser(tx.db, userId);
    if (!(await spendReset(tx.db, tokenHash))) throw linkError();
    await deleteResetsOf(tx.db, userId);
    await updateUser(tx.db, userId, {
      password_hash: hash,
      one_time_password_until: null,
      updated_at: now,
    });
    const ended = await revokeSessionsOf(tx.db, userId, now);
    tx.afterCommit(() => ctx.onSessionsEnded(ended));
    const companyId = await companyOfUser(tx.db, userId);
    if (companyId === undefined) return;
    const author = { companyId, userId };
    await recordChange(ctx, tx, author, {
      entity: 'user',
      uuid: userId,
      name: login,
      before: {},
      after: { password: 'reset by e-mail' },
    });
    await notify(ctx, tx, companyId, {
      kind: 'company',
      ...notificationMessages.passwordResetByMail(login),
      entity: { type: 'company', uuid: companyId },
    });
  });
}

const linkError = () =>
  new Invalid([{ field: 'token', message: accountMessages.resetLink }], accountMessages.resetLink);

/** The token is in the fragment, which browsers send to no server and in no referrer. */
function linkOf(consoleUrl: string, token: string): string {
  return `${consoleUrl}/password-reset#${token}`;
}

/** The mail with the link. A login has only letters and dots, with which it may be a domain, and a token only URL-safe characters. */
function linkMail(login: string, link: string, product: string): Omit<Mail, 'to'> {
  const lines = [
    `Someone asked for a new password for the login ${unlinked(login)}.`,
    'Open this link within one hour to choose it:',
  ];
  const last = 'If it was not you, ignore this mail: your password stays as it is.';
  return {
    subject: `Choose a new password for ${product}`,
    text: `${lines.join('\n')}\n\n${link}\n\n${last}\n`,
    html: `<p>${lines.join('<br>')}</p>\n<p><a href="${link}">${link}</a></p>\n<p>${last}</p>\n`,
  };
}

// These queries are not restricted to a company: the login or the token determines the user.

/** Inserts a link of a user, unless the user has `max` links that are valid. False then. */
async function insertReset(
  db: Db,
  reset: { token_hash: string; user_uuid: string; created_at: Date; expires_at: Date },
  max: number,
): Promise<boolean> {
  const { count } = await db
    .selectFrom('password_resets')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('user_uuid', '=', reset.user_uuid)
    .where('expires_at', '>', reset.created_at)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) return false;
  await db.insertInto('password_resets').values(reset).execute();
  return true;
}

/** The user of a link that is valid; undefined otherwise. */
async function findReset(db: Db, tokenHash: string, now: Date): Promise<UserRow | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.uuid', 'password_resets.user_uuid')
    .selectAll('users')
    .where('password_resets.token_hash', '=', tokenHash)
    .where('password_resets.expires_at', '>', now)
    .executeTakeFirst();
}

/** Deletes a link. False if it is gone: of two callers one succeeds. */
async function spendReset(db: Db, tokenHash: string): Promise<boolean> {
  const spent = await db.deleteFrom('password_resets').where('token_hash', '=', tokenHash).executeTakeFirst();
  return spent.numDeletedRows === 1n;
}

/** Deletes all links of a user: their password or their e-mail address has changed. */
export async function deleteResetsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_uuid', '=', userId).execute();
}
