import type { EntityType } from '@bidwell/contract/changes/schema';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { NotificationTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export interface NewNotification extends NotificationMessage {
  kind: string;
  entity?: { type: EntityType; uuid: string } | undefined;
  at: Date;
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

export async function latestNotifications(
  db: Db,
  companyId: string,
  limit: number,
): Promise<Selectable<NotificationTable>[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** Marks the company's notifications among `uuids` as read. */
export async function setRead(db: Db, companyId: string, uuids: readonly string[], at: Date): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .where('read_at', 'is', null)
    .execute();
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
