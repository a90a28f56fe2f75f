import type { Selectable } from 'kysely';
import type { SessionTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

// Of people and operators; an account is known by its id, whatever its kind.

export type SessionDetails = Selectable<SessionTable>;

/** Most devices that are remembered of an account; the one that was not used for longest is forgotten. */
const DEVICES_MAX = 20;

export async function insertSessionDetails(db: Db, details: SessionDetails): Promise<void> {
  await db.insertInto('sessions').values(details).execute();
}

export async function findSessionDetails(db: Db, uuid: string): Promise<SessionDetails | undefined> {
  return db.selectFrom('sessions').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

/** Sets where a session is used and when; inserts what an earlier release did not store. */
export async function renewSessionDetails(db: Db, details: SessionDetails): Promise<void> {
  const { user_agent, address, last_used_at } = details;
  await db
    .insertInto('sessions')
    .values(details)
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ user_agent, address, last_used_at }))
    .execute();
}

/** Sets when the caller proved who they are; inserts what an earlier release did not store. */
export async function setConfirmed(db: Db, details: SessionDetails): Promise<void> {
  const { confirmed_at } = details;
  await db
    .insertInto('sessions')
    .values(details)
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ confirmed_at }))
    .execute();
}

/** Notes that a session was used, unless that is noted since `before`. */
export async function noteUse(db: Db, uuid: string, now: Date, before: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('uuid', '=', uuid)
    .where('last_used_at', '<', before)
    .execute();
}

/** Gives what is known of a session to the one that replaces it. */
export async function moveSessionDetails(db: Db, from: string, to: string): Promise<void> {
  await db.updateTable('sessions').set({ uuid: to }).where('uuid', '=', from).execute();
}

/** Remembers a device of an account; true if it was not known. The caller has locked the account. */
export async function rememberDevice(
  db: Db,
  device: { account_uuid: string; device_hash: string; last_used_at: Date },
): Promise<boolean> {
  const { account_uuid: account, device_hash: hash, last_used_at } = device;
  const known = await db
    .updateTable('known_devices')
    .set({ last_used_at })
    .where('account_uuid', '=', account)
    .where('device_hash', '=', hash)
    .executeTakeFirst();
  if (known.numUpdatedRows > 0n) return false;
  await db
    .deleteFrom('known_devices')
    .where('account_uuid', '=', account)
    .where('device_hash', 'in', (query) =>
      query
        .selectFrom('known_devices')
        .select('device_hash')
        .where('account_uuid', '=', account)
        .orderBy('last_used_at', 'desc')
        .offset(DEVICES_MAX - 1),
    )
    .execute();
  await db.insertInto('known_devices').values(device).execute();
  return true;
}

/** Deletes what is known of sessions that were not used since `before`; returns the number of rows. */
export async function deleteSessionDetailsBefore(db: Db, before: Date): Promise<number> {
  const deleted = await db.deleteFrom('sessions').where('last_used_at', '<', before).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
