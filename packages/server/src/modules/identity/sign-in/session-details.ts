import type { Selectable } from 'kysely';
import type { SessionTable } from '../../../platform/postgres/schema.ts';
import type { Db, Tx } from '../../../platform/postgres/transaction.ts';
import type { Context } from '../../../context.ts';
import { type Client, deviceText } from '../../../platform/http/auth/client.ts';
import { lruCache } from '../../../platform/lru-cache.ts';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { findUser, lockUser } from '../store.ts';
import type { LoginClient } from './login-client.ts';
import { notifyPerson } from './notify-person.ts';

// For people and operators; the id identifies an account of either kind.

export type SessionDetails = Selectable<SessionTable>;

/** Most devices that are remembered of an account; the least recently used one is deleted. */
const DEVICES_MAX = 20;

export async function insertSessionDetails(db: Db, details: SessionDetails): Promise<void> {
  await db.insertInto('sessions').values(details).execute();
}

export async function findSessionDetails(db: Db, uuid: string): Promise<SessionDetails | undefined> {
  return db.selectFrom('sessions').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

/** Sets where a session is used and when; inserts a row that an earlier release did not store. */
async function renewSessionDetails(db: Db, details: SessionDetails): Promise<void> {
  const { user_agent, address, last_used_at } = details;
  await db
    .insertInto('sessions')
    .values(details)
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ user_agent, address, last_used_at }))
    .execute();
}

/** Sets when the caller proved who they are; inserts a row that an earlier release did not store. */
export async function setConfirmed(db: Db, details: SessionDetails): Promise<void> {
  const { confirmed_at } = details;
  await db
    .insertInto('sessions')
    .values(details)
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ confirmed_at }))
    .execute();
}

/** Notes that a session was used, unless that is noted since `before`. */
async function noteUse(db: Db, uuid: string, now: Date, before: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('uuid', '=', uuid)
    .where('last_used_at', '<', before)
    .execute();
}

/** Moves the details of a session to the session that replaces it. */
export async function moveSessionDetails(db: Db, from: string, to: string): Promise<void> {
  await db.updateTable('sessions').set({ uuid: to }).where('uuid', '=', from).execute();
}

/** Remembers a device of an account; true if it was not known. The caller has locked the account. */
async function rememberDevice(
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

/** Deletes the details of sessions that were not used since `before`; returns the number of rows. */
export async function deleteSessionDetailsBefore(db: Db, before: Date): Promise<number> {
  const deleted = await db.deleteFrom('sessions').where('last_used_at', '<', before).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** A session's use is written once in this time at most, by all processes together. */
const NOTED_EVERY_MS = 5 * 60_000;

/** A process checks in the database at most once in this time whether to write it. */
const ASKED_EVERY_MS = 60_000;

/** Sessions for which a process remembers its last query. */
const REMEMBERED_MAX = 20_000;
const askedAtMs = lruCache<string, number>(REMEMBERED_MAX);

/** Notes that a session was used. The call itself does not fail if this write fails. */
export async function noteSessionUse(ctx: Context, sessionId: string): Promise<void> {
  const now = ctx.now();
  const nowMs = now.getTime();
  if (nowMs - (askedAtMs.get(sessionId) ?? -Infinity) < ASKED_EVERY_MS) return;
  askedAtMs.set(sessionId, nowMs);
  try {
    await noteUse(ctx.db, sessionId, now, new Date(nowMs - NOTED_EVERY_MS));
  } catch (err) {
    ctx.log.warn({ err }, 'the use of a session could not be noted');
  }
}

/** Notes from where a session is renewed. */
export async function noteRenewal(
  ctx: Context,
  db: Db,
  session: { sessionId: string; userId: string; loggedInAt: Date },
  { userAgent, address }: Client,
): Promise<void> {
  await renewSessionDetails(db, {
    uuid: session.sessionId,
    account_uuid: session.userId,
    user_agent: userAgent,
    address,
    started_at: session.loggedInAt,
    last_used_at: ctx.now(),
    confirmed_at: session.loggedInAt,
  });
}

/** A session that begins with a login. */
interface NewSession {
  sessionId: string;
  userId: string;
  companyId: string;
}

/** Time after the registration in which a person logs in with the devices that they have. */
const SETTLING_MS = 3_600_000;

/** Stores from where a person logged in. The person is notified of a device that is new to the account, from an
 * hour after the registration on. */
export async function noteLogin(
  ctx: Context,
  tx: Tx,
  { sessionId, userId, companyId }: NewSession,
  { userAgent, address, deviceHash }: LoginClient,
): Promise<void> {
  const now = ctx.now();
  await insertSessionDetails(tx.db, {
    uuid: sessionId,
    account_uuid: userId,
    user_agent: userAgent,
    address,
    started_at: now,
    last_used_at: now,
    confirmed_at: now,
  });
  await lockUser(tx.db, userId);
  const device = { account_uuid: userId, device_hash: deviceHash, last_used_at: now };
  const isNew = await rememberDevice(tx.db, device);
  const user = isNew ? await findUser(tx.db, companyId, userId) : undefined;
  if (!user || now.getTime() - user.created_at.getTime() < SETTLING_MS) return;
  const where = { device: deviceText(userAgent), address, at: now };
  await notifyPerson(ctx, tx, { userId, companyId }, (login) => notificationMessages.newDevice(login, where));
}
