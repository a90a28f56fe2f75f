import type { Selectable } from 'kysely';
import type { ViewerSessionTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

// Operators view the consoles of all companies; a code or a session names the company.

export type ViewerSessionRow = Selectable<ViewerSessionTable>;

/** The person of a company whose view operators get: its first owner. */
export async function firstUserOf(
  db: Db,
  companyId: string,
): Promise<{ uuid: string; login: string } | undefined> {
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

export async function insertViewerSession(
  db: Db,
  session: Omit<ViewerSessionRow, 'opened_at' | 'ended_at'>,
): Promise<void> {
  await db.insertInto('viewer_sessions').values(session).execute();
}

/** Marks the session of a code as opened; undefined if the code is unknown, older than `since` or used. Atomic. */
export async function openByCode(
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

export async function endViewerSessionRow(db: Db, uuid: string, now: Date): Promise<void> {
  await db
    .updateTable('viewer_sessions')
    .set({ ended_at: now })
    .where('uuid', '=', uuid)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends all sessions of an operator, also those that were not opened yet; returns them. */
export async function endViewerSessionRowsOf(db: Db, operatorId: string, now: Date): Promise<string[]> {
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
