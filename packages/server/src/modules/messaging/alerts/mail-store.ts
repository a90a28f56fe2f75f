import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A person of a company with due alerts. */
export interface DueReader {
  companyId: string;
  userId: string;
  email: string;
  companyName: string;
  timeZone: string;
}

/** An alert that is due to a person. */
export interface DueItem {
  notificationId: string;
  kind: string;
  title: string;
  text: string;
  entityType: string | null;
  entityUuid: string | null;
  createdAt: Date;
}

/** Adds an alert for a person, unless it is there. */
export async function insertMailItem(
  db: Db,
  companyId: string,
  item: { userId: string; notificationId: string; dueAt: Date },
): Promise<void> {
  await db
    .insertInto('alert_mail_items')
    .values({
      company_uuid: companyId,
      user_uuid: item.userId,
      notification_uuid: item.notificationId,
      due_at: item.dueAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The number of alerts that wait for each person of a company. */
export async function mailItemsByUser(db: Db, companyId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('alert_mail_items')
    .select(['user_uuid', (eb) => eb.fn.countAll().as('count')])
    .where('company_uuid', '=', companyId)
    .groupBy('user_uuid')
    .execute();
  return new Map(rows.map(({ user_uuid, count }) => [user_uuid, Number(count)]));
}

/**
 * People with a confirmed address and due alerts, whose last mail of the company was before `mailedBefore` and for whom no mail of it
 * waits, the oldest first. Crosses companies, since it is a job for all.
 */
export async function readersWithDue(
  db: Db,
  due: { now: Date; mailedBefore: Date; limit: number },
): Promise<Pick<DueReader, 'companyId' | 'userId' | 'email'>[]> {
  const { now, mailedBefore, limit } = due;
  const { rows } = await sql<Pick<DueReader, 'companyId' | 'userId' | 'email'>>`
    with due as (
      select company_uuid, user_uuid, min(due_at) as due_at
      from alert_mail_items where due_at <= ${now} group by company_uuid, user_uuid
    )
    select due.company_uuid as "companyId", due.user_uuid as "userId", u.email
    from due join users u on u.uuid = due.user_uuid
      left join alert_preferences p on p.company_uuid = due.company_uuid and p.user_uuid = due.user_uuid
    where (p.mailed_at is null or p.mailed_at <= ${mailedBefore}) and u.email_confirmed_at is not null
      and not exists (
        select from messages m
        where m.kind = 'alert_mail' and m.about = due.user_uuid::text and m.company_uuid = due.company_uuid)
    order by due.due_at limit ${limit}`.execute(db);
  return rows;
}

/** A person of a company with a confirmed address; undefined if there is none. */
export async function findDueReader(
  db: Db,
  companyId: string,
  userId: string,
): Promise<DueReader | undefined> {
  const { rows } = await sql<DueReader>`
    select c.uuid as "companyId", u.uuid as "userId", u.email, c.name as "companyName",
      coalesce(p.time_zone, c.time_zone) as "timeZone"
    from memberships m join users u on u.uuid = m.user_uuid join companies c on c.uuid = m.company_uuid
      left join alert_preferences p on p.company_uuid = m.company_uuid and p.user_uuid = m.user_uuid
    where m.company_uuid = ${companyId} and m.user_uuid = ${userId} and u.email_confirmed_at is not null`.execute(
    db,
  );
  return rows[0];
}

/** Alerts that are due to a person by an instant, the oldest first. */
export async function dueMailItems(
  db: Db,
  companyId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<DueItem[]> {
  const { rows } = await sql<DueItem>`
    select n.uuid as "notificationId", n.kind, n.title, n.text,
      n.entity_type as "entityType", n.entity_uuid as "entityUuid", n.created_at as "createdAt"
    from alert_mail_items i join notifications n on n.uuid = i.notification_uuid
    where i.company_uuid = ${companyId} and i.user_uuid = ${userId} and i.due_at <= ${now}
    order by n.created_at, n.uuid`.execute(db);
  return rows;
}

/** Deletes alerts of a person: those given, or all. */
export async function deleteMailItems(
  db: Db,
  companyId: string,
  { userId, notificationIds }: { userId: string; notificationIds?: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('alert_mail_items')
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .$if(notificationIds !== undefined, (query) =>
      query.where('notification_uuid', 'in', notificationIds ?? []),
    )
    .execute();
}
