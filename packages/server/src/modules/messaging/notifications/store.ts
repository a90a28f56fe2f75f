import type { EntityType } from '@bidwell/contract/changes/schema';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { NotificationTable, Schema } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export interface NewNotification extends NotificationMessage {
  kind: string;
  entity?: { type: EntityType; uuid: string } | undefined;
  at: Date;
  /** The person of the company who alone gets it; everybody where it is left out. */
  userId?: string | undefined;
  /** A company gets at most one notification with the same key. */
  onceKey?: string | undefined;
}

/** Inserts a notification and returns its uuid; null if the company has one with the same `onceKey`. */
export async function insertNotification(
  db: Db,
  companyId: string,
  notification: NewNotification,
): Promise<string | null> {
  const inserted = await db
    .insertInto('notifications')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      user_uuid: notification.userId ?? null,
      kind: notification.kind,
      title: notification.title,
      text: notification.text,
      severity: notification.severity,
      entity_type: notification.entity?.type ?? null,
      entity_uuid: notification.entity?.uuid ?? null,
      read_at: null,
      once_key: notification.onceKey ?? null,
      created_at: notification.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst();
  if (!inserted) return null;
  // Alerts are derived from it: see the module `alerts`.
  await db
    .insertInto('alert_outbox')
    .values({ notification_uuid: inserted.uuid, company_uuid: companyId, created_at: notification.at })
    .execute();
  return inserted.uuid;
}

export async function hasOnceKey(db: Db, companyId: string, onceKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('once_key', '=', onceKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** The company's own, and those of a person; `reader` null is for those of the company alone. */
const readBy = (reader: string | null) => (eb: ExpressionBuilder<Schema, 'notifications'>) =>
  eb.or([eb('user_uuid', 'is', null), ...(reader === null ? [] : [eb('user_uuid', '=', reader)])]);

/** The latest notifications of a company and of a reader of it, newest first. */
export async function latestNotifications(
  db: Db,
  companyId: string,
  reader: string | null,
  limit: number,
): Promise<Selectable<NotificationTable>[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where(readBy(reader))
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** What the severity follows from of the unread ones among the latest notifications of a company, without those of single people. */
export async function unreadAmongLatest(
  db: Db,
  companyId: string,
  limit: number,
): Promise<Pick<Selectable<NotificationTable>, 'kind' | 'title' | 'severity'>[]> {
  const latest = db
    .selectFrom('notifications')
    .select(['kind', 'title', 'severity', 'read_at'])
    .where('company_uuid', '=', companyId)
    .where(readBy(null))
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .as('latest');
  return db.selectFrom(latest).select(['kind', 'title', 'severity']).where('read_at', 'is', null).execute();
}

/** Marks as read what of `uuids` the reader may see. */
export async function setRead(
  db: Db,
  companyId: string,
  { reader, uuids, at }: { reader: string | null; uuids: readonly string[]; at: Date },
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('company_uuid', '=', companyId)
    .where(readBy(reader))
    .where('uuid', 'in', uuids)
    .where('read_at', 'is', null)
    .execute();
}

/** Unread notices of the whole company that something later made untrue. */
export interface UntrueNotices {
  kind: string;
  /** All titles of the kind where it is left out. */
  titles?: readonly string[];
  /** Only the one with this key. */
  onceKey?: string;
}

/** Marks as read the unread ones of the whole company that are not true any more. Resolves to their uuids. */
export async function setUntrueRead(
  db: Db,
  companyId: string,
  { kind, titles, onceKey, at }: UntrueNotices & { at: Date },
): Promise<string[]> {
  const rows = await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('company_uuid', '=', companyId)
    .where(readBy(null))
    .where('kind', '=', kind)
    .$if(titles !== undefined, (query) => query.where('title', 'in', titles ?? []))
    .$if(onceKey !== undefined, (query) => query.where('once_key', '=', onceKey!))
    .where('read_at', 'is', null)
    .returning('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Deletes at most `rowsMax` notifications of all companies from before an instant. Resolves to their number. */
export async function deleteNotificationsBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  // By the index of each company: there is none of all companies by time.
  const { numAffectedRows } = await sql`
    delete from notifications where uuid in (
      select old.uuid from companies c cross join lateral (
        select uuid from notifications where company_uuid = c.uuid and created_at < ${before} limit ${rowsMax}
      ) as old limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
