import { OPERATOR_CONSOLE } from '@bidwell/contract/lib/endpoint';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import type { ViewerSession } from '@bidwell/contract/accounts/viewer';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import type { Tx, Db } from '../../../platform/postgres/transaction.ts';
import { hashToken, newSecretToken, readAccessToken, signAccessToken } from './access-tokens.ts';
import type { Selectable } from 'kysely';
import type { ViewerSessionTable } from '../../../platform/postgres/schema.ts';

const SESSION_SECONDS = 3600;
/** Lifetime of a code, in which the operator's browser exchanges it. */
const CODE_MS = 60_000;

/** A session that is prepared for an operator: the code that opens it, and the person whose view it is. */
export interface PreparedViewer {
  code: string;
  login: string;
}

/** Prepares a read-only session of a company for an operator; null is the holder of OPERATOR_TOKEN. Throws NotFound. */
export async function prepareViewerSession(
  ctx: Context,
  tx: Tx,
  { companyId, operatorId }: { companyId: string; operatorId: string | null },
): Promise<PreparedViewer> {
  const person = await firstUserOf(tx.db, companyId);
  if (!person) throw new NotFound('User');
  const code = newSecretToken();
  const now = ctx.now();
  await insertViewerSession(tx.db, {
    uuid: uuidv7(),
    operator_uuid: operatorId,
    company_uuid: companyId,
    user_uuid: person.uuid,
    code_hash: hashToken(code),
    created_at: now,
    expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
  });
  return { code, login: person.login };
}

/** Exchanges a code for its session. Throws Unauthenticated for one that is unknown, used or older than a minute. */
export async function openViewerSession(ctx: Context, code: string): Promise<ViewerSession> {
  const now = ctx.now();
  const row = await openByCode(ctx.db, hashToken(code), {
    now,
    since: new Date(now.getTime() - CODE_MS),
  });
  if (!row) throw new Unauthenticated(operatorApiMessages.viewerCode);
  const session: Session = {
    sessionId: row.uuid,
    userId: row.user_uuid,
    companyId: row.company_uuid,
    role: 'viewer',
  };
  const seconds = Math.floor((row.expires_at.getTime() - now.getTime()) / 1000);
  return {
    access_token: await signAccessToken(ctx.config.accessTokenSecret, session, now, seconds),
    expires_at: row.expires_at.toISOString(),
    user_id: row.user_uuid,
    company_name: row.company_name,
    return_path: ctx.config.admin === null ? `${OPERATOR_CONSOLE}/companies/${row.company_uuid}` : null,
  };
}

/** Ends the session of an operator's access token. Ignores any other token. */
export async function endViewerSession(ctx: Context, token: string): Promise<void> {
  const read = await readAccessToken(ctx.config.accessTokenSecret, token, ctx.now());
  if (typeof read === 'string' || read.session.role !== 'viewer') return;
  const { sessionId } = read.session;
  await endViewerSessionRow(ctx.db, sessionId, ctx.now());
  ctx.onSessionsEnded([sessionId]);
}

/** Ends all sessions of an operator, whose account no longer gives the right to them. */
export async function endViewerSessionsOf(ctx: Context, tx: Tx, operatorId: string): Promise<void> {
  const ended = await endViewerSessionRowsOf(tx.db, operatorId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
}

// Operators view the consoles of all companies; a code or a session names the company.

type ViewerSessionRow = Selectable<ViewerSessionTable>;

/** The person of a company whose view operators get: its first owner. */
async function firstUserOf(db: Db, companyId: string): Promise<{ uuid: string; login: string } | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_uuid', 'users.uuid')
    .select(['users.uuid', 'users.login'])
    .where('memberships.company_uuid', '=', companyId)
    .where('memberships.role', '=', 'owner')
    .orderBy('memberships.created_at')
    .orderBy('users.uuid')
    .limit(1)
    .executeTakeFirst();
}

async function insertViewerSession(
  db: Db,
  session: Omit<ViewerSessionRow, 'opened_at' | 'ended_at'>,
): Promise<void> {
  await db.insertInto('viewer_sessions').values(session).execute();
}

/** Marks the session of a code as opened; undefined if the code is unknown, older than `since` or used. Atomic. */
async function openByCode(
  db: Db,
  codeHash: string,
  { now, since }: { now: Date; since: Date },
): Promise<(ViewerSessionRow & { company_name: string }) | undefined> {
  const opened = await db
    .updateTable('viewer_sessions')
    .set({ opened_at: now })
    .where('code_hash', '=', codeHash)
    .where('opened_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>', since)
    .returningAll()
    .executeTakeFirst();
  if (!opened) return undefined;
  const { name } = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', opened.company_uuid)
    .executeTakeFirstOrThrow();
  return { ...opened, company_name: name };
}

/** Whether a session was opened and has not ended. */
export async function isViewerSessionLive(db: Db, uuid: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('viewer_sessions')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('opened_at', 'is not', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

async function endViewerSessionRow(db: Db, uuid: string, now: Date): Promise<void> {
  await db
    .updateTable('viewer_sessions')
    .set({ ended_at: now })
    .where('uuid', '=', uuid)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends all sessions of an operator, also those that were not opened yet; returns them. */
async function endViewerSessionRowsOf(db: Db, operatorId: string, now: Date): Promise<string[]> {
  const ended = await db
    .updateTable('viewer_sessions')
    .set({ ended_at: now })
    .where('operator_uuid', '=', operatorId)
    .where('ended_at', 'is', null)
    .returning('uuid')
    .execute();
  return ended.map(({ uuid }) => uuid);
}

/** Deletes expired sessions; returns the number of rows. */
export async function deleteExpiredViewerSessions(db: Db, now: Date): Promise<number> {
  const deleted = await db.deleteFrom('viewer_sessions').where('expires_at', '<', now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
