import type { Insertable, Selectable } from 'kysely';
import type { OperatorTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type OperatorRow = Selectable<OperatorTable>;

/** Operators by login, at most 1000. */
export async function listOperatorRows(db: Db): Promise<OperatorRow[]> {
  return db.selectFrom('operators').selectAll().orderBy('login').limit(1000).execute();
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
  session: { token_hash: string; operator_uuid: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await db.deleteFrom('operator_sessions').where('expires_at', '<', session.created_at).execute();
  await db.insertInto('operator_sessions').values(session).execute();
}

/** The active operator of a session that has not expired. */
export async function findSessionOperator(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<OperatorRow | undefined> {
  return db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.uuid', 'operator_sessions.operator_uuid')
    .selectAll('operators')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('active', '=', true)
    .executeTakeFirst();
}

export async function deleteOperatorSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of an operator. */
export async function deleteSessionsOf(db: Db, operatorUuid: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('operator_uuid', '=', operatorUuid).execute();
}
