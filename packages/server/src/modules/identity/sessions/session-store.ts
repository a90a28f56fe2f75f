import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { sql } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { deleteSessionDetailsBefore } from '../sign-in/session-details.ts';
import { deleteExpiredChallenges } from '../passkeys/passkey-store.ts';
import { deleteMailCounts } from '../../messaging/public.ts';
import { deleteExpiredLoginSteps, hasFactor } from '../sign-in/factor-store.ts';
import { DAY_MS, SESSION_DAYS_MAX } from './access-tokens.ts';

/** The session of a refresh token. */
export interface RefreshSession {
  sessionId: string;
  userId: string;
  /** The company that the session acts for. */
  companyId: string;
  loggedInAt: Date;
  /** Whether single sign-on of the company began it: it is of no other company then. */
  bySso: boolean;
}

/** The company of a session; in rows of earlier releases it is the one in which the person registered. */
const companyOfToken = sql<string>`coalesce(refresh_tokens.company_uuid, users.company_uuid)`;

export async function insertRefreshToken(
  db: Db,
  token: {
    uuid: string;
    family_uuid: string;
    user_uuid: string;
    token_hash: string;
    created_at: Date;
    expires_at: Date;
    logged_in_at: Date;
    company_uuid: string;
    by_sso: boolean;
  },
): Promise<void> {
  await db.insertInto('refresh_tokens').values(token).execute();
}

/**
 * Locks the user of a token until the transaction ends: shared for renewals, exclusive (`update`) for ending
 * sessions. Without the lock, ending sessions could miss the token that a concurrent renewal is inserting.
 */
export async function lockUserOf(db: Db, tokenHash: string, lock: 'share' | 'update'): Promise<void> {
  await db
    .selectFrom('users')
    .innerJoin('refresh_tokens', 'refresh_tokens.user_uuid', 'users.uuid')
    .select('users.uuid')
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .$if(lock === 'share', (query) => query.forShare('users'))
    .$if(lock === 'update', (query) => query.forNoKeyUpdate('users'))
    .execute();
}

/**
 * Spends a valid token; undefined if it is unknown, spent, revoked or expired, or its user is no longer in the company. Atomic: of
 * two callers one succeeds.
 */
export async function spendRefreshToken(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<RefreshSession | undefined> {
  const spent = await db
    .updateTable('refresh_tokens')
    .set({ spent_at: now })
    .where('token_hash', '=', tokenHash)
    .where('spent_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['family_uuid', 'user_uuid', 'logged_in_at', 'by_sso'])
    .executeTakeFirst();
  if (!spent) return undefined;
  const membership = await db
    .selectFrom('refresh_tokens')
    .innerJoin('users', 'users.uuid', 'refresh_tokens.user_uuid')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_uuid', '=', 'users.uuid')
        .on('memberships.company_uuid', '=', sql<string>`${companyOfToken}`),
    )
    .select('memberships.company_uuid')
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return (
    membership && {
      sessionId: spent.family_uuid,
      userId: spent.user_uuid,
      companyId: membership.company_uuid,
      loggedInAt: spent.logged_in_at,
      bySso: spent.by_sso,
    }
  );
}

/** The people of sessions, also of ended ones and of those in which operators view a company. Crosses companies. */
export async function usersOfSessions(db: Db, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('refresh_tokens')
    .select('user_uuid')
    .where('family_uuid', '=', anyOf(sessionIds))
    .union(db.selectFrom('viewer_sessions').select('user_uuid').where('uuid', '=', anyOf(sessionIds)))
    .execute();
  return rows.map(({ user_uuid }) => user_uuid);
}

/** The permissions of a session, as far as they depend on its person and company. */
interface SessionStanding {
  loggedInAt: Date;
  suspended: boolean;
  unenrolled: boolean;
  role: CompanyRole;
  bySso: boolean;
}

/** A session that has not ended, by any process, of a person who is in its company; otherwise undefined. */
export async function findLiveSession(
  db: Db,
  { userId, companyId, sessionId }: { userId: string; companyId: string; sessionId: string },
): Promise<SessionStanding | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .innerJoin('users', 'users.uuid', 'refresh_tokens.user_uuid')
    .innerJoin('memberships', 'memberships.user_uuid', 'users.uuid')
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .select(['refresh_tokens.logged_in_at', 'refresh_tokens.by_sso', 'memberships.role'])
    .select(['companies.suspended_at', 'companies.second_factor_required', hasFactor.as('has_factor')])
    .where('memberships.company_uuid', '=', companyId)
    .where(companyOfToken, '=', companyId)
    .where('refresh_tokens.family_uuid', '=', sessionId)
    .where('refresh_tokens.user_uuid', '=', userId)
    .where('refresh_tokens.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      loggedInAt: row.logged_in_at,
      suspended: row.suspended_at !== null,
      // A person who signs in at the company's provider has passed the factors that the provider requires.
      unenrolled: row.second_factor_required && !row.has_factor && !row.by_sso,
      role: row.role,
      bySso: row.by_sso,
    }
  );
}

/** Revokes all tokens that descend from the same login as this one; returns the ended sessions. */
export async function revokeFamilyOf(db: Db, tokenHash: string, now: Date): Promise<string[]> {
  const ended = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('family_uuid', 'in', (query) =>
      query.selectFrom('refresh_tokens').select('family_uuid').where('token_hash', '=', tokenHash),
    )
    .returning('family_uuid')
    .execute();
  return [...new Set(ended.map((token) => token.family_uuid))];
}

/** Revokes all sessions of a token's user; returns them. */
export async function revokeUserOf(db: Db, tokenHash: string, now: Date): Promise<string[]> {
  const ended = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('user_uuid', 'in', (query) =>
      query.selectFrom('refresh_tokens').select('user_uuid').where('token_hash', '=', tokenHash),
    )
    .returning('family_uuid')
    .execute();
  return [...new Set(ended.map((token) => token.family_uuid))];
}

/** Revokes the sessions of a person that act for a company, all of them, all except `except`, or `only` one; returns them. */
export async function revokeSessionsIn(
  db: Db,
  companyId: string,
  userId: string,
  { now, except, only }: { now: Date; except?: string; only?: string },
): Promise<string[]> {
  const ended = await db
    .updateTable('refresh_tokens')
    .from('users')
    .set({ revoked_at: now })
    .whereRef('users.uuid', '=', 'refresh_tokens.user_uuid')
    .where('refresh_tokens.user_uuid', '=', userId)
    .where(companyOfToken, '=', companyId)
    .$if(except !== undefined, (query) => query.where('family_uuid', '!=', except!))
    .$if(only !== undefined, (query) => query.where('family_uuid', '=', only!))
    .where('revoked_at', 'is', null)
    .returning('family_uuid')
    .execute();
  return [...new Set(ended.map((token) => token.family_uuid))];
}

/** Revokes the sessions of a company that single sign-on began; returns them. */
export async function revokeSsoSessionsIn(db: Db, companyId: string, now: Date): Promise<string[]> {
  const ended = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: now })
    .where('company_uuid', '=', companyId)
    .where('by_sso', '=', true)
    .where('revoked_at', 'is', null)
    .returning('family_uuid')
    .execute();
  return [...new Set(ended.map((token) => token.family_uuid))];
}

/** The sessions of a company's people without a second factor, who did not sign in at its provider either. */
export async function unenrolledSessionsIn(db: Db, companyId: string, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('refresh_tokens')
    .innerJoin('memberships', 'memberships.user_uuid', 'refresh_tokens.user_uuid')
    .innerJoin('users', 'users.uuid', 'refresh_tokens.user_uuid')
    .select('refresh_tokens.family_uuid')
    .distinct()
    .where('memberships.company_uuid', '=', companyId)
    .where(companyOfToken, '=', companyId)
    .where(hasFactor, '=', false)
    .where('refresh_tokens.by_sso', '=', false)
    .where('refresh_tokens.revoked_at', 'is', null)
    .where('refresh_tokens.expires_at', '>', now)
    .execute();
  return rows.map(({ family_uuid }) => family_uuid);
}

/** Revokes one session of a person; false if it belongs to another person or has ended. */
export async function revokeSession(db: Db, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: now })
    .where('user_uuid', '=', userId)
    .where('family_uuid', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return revoked.numUpdatedRows > 0n;
}

/** A session of a person that can be renewed; fields that an earlier release did not store are null. */
interface LiveSession {
  uuid: string;
  companyName: string;
  startedAt: Date;
  lastUsedAt: Date;
  userAgent: string | null;
  address: string | null;
}

/** The sessions of a person that have not ended, in one company or in all to which they belong (null), the last used first. */
export async function liveSessionsOf(
  db: Db,
  userId: string,
  { companyId, now, limit }: { companyId: string | null; now: Date; limit: number },
): Promise<LiveSession[]> {
  return db
    .selectFrom('refresh_tokens')
    .innerJoin('users', 'users.uuid', 'refresh_tokens.user_uuid')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_uuid', '=', 'users.uuid')
        .on('memberships.company_uuid', '=', sql<string>`${companyOfToken}`),
    )
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .leftJoin('sessions', 'sessions.uuid', 'refresh_tokens.family_uuid')
    .select(['refresh_tokens.family_uuid as uuid', 'refresh_tokens.logged_in_at as startedAt'])
    .select(['companies.name as companyName', 'sessions.user_agent as userAgent', 'sessions.address'])
    .select(sql<Date>`greatest(refresh_tokens.created_at, sessions.last_used_at)`.as('lastUsedAt'))
    .where('refresh_tokens.user_uuid', '=', userId)
    .where('refresh_tokens.spent_at', 'is', null)
    .where('refresh_tokens.revoked_at', 'is', null)
    .where('refresh_tokens.expires_at', '>', now)
    .$if(companyId !== null, (query) => query.where('memberships.company_uuid', '=', companyId!))
    .orderBy('lastUsedAt', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** Revokes all sessions of a user; returns them. */
export async function revokeSessionsOf(db: Db, userId: string, now: Date): Promise<string[]> {
  return revokeOtherSessions(db, userId, null, now);
}

/** Revokes all sessions of a user except one; returns them. */
export async function revokeOtherSessions(
  db: Db,
  userId: string,
  currentSessionId: string | null,
  now: Date,
): Promise<string[]> {
  const ended = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: now })
    .where('user_uuid', '=', userId)
    .$if(currentSessionId !== null, (query) => query.where('family_uuid', '!=', currentSessionId!))
    .where('revoked_at', 'is', null)
    .returning('family_uuid')
    .execute();
  return [...new Set(ended.map((token) => token.family_uuid))];
}

/** Inserts a pass. False if its challenge has been used. */
export async function insertCaptchaPass(
  db: Db,
  pass: { pass_hash: string; challenge_hash: string; expires_at: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('captcha_passes')
    .values(pass)
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Marks a valid pass as spent. False if it is unknown, spent or expired. */
export async function spendCaptchaPass(db: Db, passHash: string, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('captcha_passes')
    .set({ spent_at: now })
    .where('pass_hash', '=', passHash)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}

/**
 * Deletes expired captcha passes, refresh tokens, links for new passwords, invitations, sign-ins, begun logins, answered challenges,
 * details of sessions and counts of mails of former days; returns the number of rows.
 */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<number> {
  const passes = await db.deleteFrom('captcha_passes').where('expires_at', '<', now).executeTakeFirst();
  const tokens = await db.deleteFrom('refresh_tokens').where('expires_at', '<', now).executeTakeFirst();
  const resets = await db.deleteFrom('password_resets').where('expires_at', '<', now).executeTakeFirst();
  const invitations = await db.deleteFrom('invitations').where('expires_at', '<', now).executeTakeFirst();
  const signIns = await db.deleteFrom('sso_sign_ins').where('expires_at', '<', now).executeTakeFirst();
  const deleted = [passes, tokens, resets, invitations, signIns].map(({ numDeletedRows }) =>
    Number(numDeletedRows),
  );
  const details = await deleteSessionDetailsBefore(db, new Date(now.getTime() - SESSION_DAYS_MAX * DAY_MS));
  const steps = await deleteExpiredLoginSteps(db, now);
  const mailCounts = await deleteMailCounts(db, now);
  const challenges = await deleteExpiredChallenges(db, now);
  return deleted.reduce((sum, count) => sum + count, details + steps + mailCounts + challenges);
}
