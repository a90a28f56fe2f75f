import type { Insertable, Selectable } from 'kysely';
import type { OperatorTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type OperatorRow = Selectable<OperatorTable>;

/** Operators by login, at most 1000. */
export async function listOperatorRows(db: Db): Promise<OperatorRow[]> {
  return db.selectFrom('operators').selectAll().orderBy('login').limit(1000).execute();
}

/** Whether any operator account exists. */
export async function hasOperators(db: Db): Promise<boolean> {
  return (await db.selectFrom('operators').select('uuid').limit(1).executeTakeFirst()) !== undefined;
}

export async function findOperator(db: Db, uuid: string): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

export async function findOperatorByLogin(db: Db, login: string): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('login', '=', login).executeTakeFirst();
}

/** Reads an operator and locks the row until the transaction ends. */
export async function lockOperator(db: Db, uuid: string): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

/** Locks all accounts of active admins, in a fixed order, and returns their ids. */
export async function lockActiveAdmins(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('operators')
    .select('uuid')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .orderBy('uuid')
    .forUpdate()
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Adds an operator. Undefined if the login is taken. */
export async function insertOperator(
  db: Db,
  row: Insertable<OperatorTable>,
): Promise<OperatorRow | undefined> {
  return db
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.column('login').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateOperator(
  db: Db,
  uuid: string,
  changes: Partial<Omit<OperatorRow, 'uuid'>>,
): Promise<OperatorRow> {
  return db
    .updateTable('operators')
    .set(changes)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function insertOperatorSession(
  db: Db,
  session: { uuid: string; token_hash: string; operator_uuid: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await db.deleteFrom('operator_sessions').where('expires_at', '<', session.created_at).execute();
  await db.insertInto('operator_sessions').values(session).execute();
}

/** The active operator of a session that has not expired, and the session's id. */
export async function findSessionOperator(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<(OperatorRow & { session_uuid: string }) | undefined> {
  return db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.uuid', 'operator_sessions.operator_uuid')
    .selectAll('operators')
    .select('operator_sessions.uuid as session_uuid')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('active', '=', true)
    .executeTakeFirst();
}

/** The sessions of an operator with their details, the last used first. */
export async function liveOperatorSessions(
  db: Db,
  operatorUuid: string,
  { now, limit }: { now: Date; limit: number },
) {
  return db
    .selectFrom('operator_sessions')
    .leftJoin('sessions', 'sessions.uuid', 'operator_sessions.uuid')
    .select(['operator_sessions.uuid', 'operator_sessions.created_at', 'user_agent', 'address'])
    .select(['last_used_at', 'confirmed_at'])
    .where('operator_uuid', '=', operatorUuid)
    .where('expires_at', '>', now)
    .orderBy(({ fn }) => fn.coalesce('last_used_at', 'operator_sessions.created_at'), 'desc')
    .limit(limit)
    .execute();
}

/** When a session of an operator began that has not ended. */
export async function startOfOperatorSession(
  db: Db,
  operatorUuid: string,
  { uuid, now }: { uuid: string; now: Date },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('operator_sessions')
    .select('created_at')
    .where('operator_uuid', '=', operatorUuid)
    .where('uuid', '=', uuid)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.created_at;
}

/** Ends one session of an operator; false if it belongs to another operator or has ended. */
export async function deleteOwnOperatorSession(
  db: Db,
  operatorUuid: string,
  { uuid, now }: { uuid: string; now: Date },
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('operator_sessions')
    .where('operator_uuid', '=', operatorUuid)
    .where('uuid', '=', uuid)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Ends all sessions of an operator but one; returns their number. */
export async function deleteOtherOperatorSessions(
  db: Db,
  operatorUuid: string,
  { uuid, now }: { uuid: string; now: Date },
): Promise<number> {
  const deleted = await db
    .deleteFrom('operator_sessions')
    .where('operator_uuid', '=', operatorUuid)
    .where('uuid', '!=', uuid)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

export async function deleteOperatorSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of an operator. */
export async function deleteSessionsOf(db: Db, operatorUuid: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('operator_uuid', '=', operatorUuid).execute();
}
