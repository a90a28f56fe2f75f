import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A person of a company, to whom something is due. */
export interface DueReader {
  companyId: string;
  userId: string;
  email: string;
  companyName: string;
  timeZone: string;
}

/** An alert that was claimed for a mail. */
export interface ClaimedItem {
  notificationId: string;
  attempts: number;
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
 * People with a confirmed address to whom something is due and whose last mail of the company was before `mailedBefore`: of each company one before a
 * second of another. Crosses companies, since it is a job for all.
 */
export async function readersWithDue(
  db: Db,
  due: { now: Date; mailedBefore: Date; limit: number },
): Promise<DueReader[]> {
  const { now, mailedBefore, limit } = due;
  const { rows } = await sql<DueReader>`
    with due as (
      select company_uuid, user_uuid, min(due_at) as due_at,
        row_number() over (partition by company_uuid order by min(due_at)) as place
      from alert_mail_items where due_at <= ${now} group by company_uuid, user_uuid
    )
    select due.company_uuid as "companyId", due.user_uuid as "userId", u.email, c.name as "companyName",
      coalesce(p.time_zone, c.time_zone) as "timeZone"
    from due join users u on u.uuid = due.user_uuid join companies c on c.uuid = due.company_uuid
      left join alert_preferences p on p.company_uuid = due.company_uuid and p.user_uuid = due.user_uuid
    where (p.mailed_at is null or p.mailed_at <= ${mailedBefore}) and u.email_confirmed_at is not null
    order by due.place, due.due_at limit ${limit}`.execute(db);
  return rows;
}

/** Claims what is due to a person until `until`, when it may be tried again. Oldest first. */
export async function claimMailItems(
  db: Db,
  companyId: string,
  claim: { userId: string; now: Date; until: Date },
): Promise<ClaimedItem[]> {
  const { userId, now, until } = claim;
  const { rows } = await sql<ClaimedItem>`
    with claimed as (
      update alert_mail_items set due_at = ${until}, attempts = attempts + 1
      where company_uuid = ${companyId} and user_uuid = ${userId} and due_at <= ${now}
      returning notification_uuid, attempts
    )
    select n.uuid as "notificationId", claimed.attempts, n.kind, n.title, n.text,
      n.entity_type as "entityType", n.entity_uuid as "entityUuid", n.created_at as "createdAt"
    from claimed join notifications n on n.uuid = claimed.notification_uuid
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

/** Moves the next try of claimed alerts. */
export async function delayMailItems(
  db: Db,
  companyId: string,
  { userId, notificationIds, dueAt }: { userId: string; notificationIds: readonly string[]; dueAt: Date },
): Promise<void> {
  await db
    .updateTable('alert_mail_items')
    .set({ due_at: dueAt })
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .where('notification_uuid', 'in', notificationIds)
    .execute();
}
