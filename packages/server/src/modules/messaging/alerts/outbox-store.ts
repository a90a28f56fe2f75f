import type { NotificationSeverity } from '@bidwell/contract/notifications/severity';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A notification of which no alerts are written yet. */
export interface OutboxRow {
  uuid: string;
  companyId: string;
  companyName: string;
  /** The person whose own it is; null for one of the company. */
  userId: string | null;
  kind: string;
  title: string;
  text: string;
  severity: NotificationSeverity | null;
  entityType: string | null;
  entityId: string | null;
  createdAt: Date;
}

/**
 * Takes notifications out of the outbox in a transaction, the oldest `perCompany` of each company, `limit` in all. Crosses
 * companies, since it is a job for all.
 */
export async function takeFromOutbox(
  db: Db,
  { limit, perCompany }: { limit: number; perCompany: number },
): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    with places as (
      select notification_uuid,
        row_number() over (partition by company_uuid order by created_at, notification_uuid) as place
      from alert_outbox
    ), chosen as (
      select o.notification_uuid from alert_outbox o join places on places.notification_uuid = o.notification_uuid
      where place <= ${perCompany} order by place, o.created_at limit ${limit} for update of o skip locked
    ), taken as (
      delete from alert_outbox o using chosen where o.notification_uuid = chosen.notification_uuid
      returning o.notification_uuid
    )
    select n.uuid, n.company_uuid as "companyId", c.name as "companyName", n.user_uuid as "userId", n.kind, n.title, n.text, n.severity,
      n.entity_type as "entityType", n.entity_uuid as "entityId", n.created_at as "createdAt"
    from taken join notifications n on n.uuid = taken.notification_uuid
      join companies c on c.uuid = n.company_uuid
    order by n.created_at, n.uuid`.execute(db);
  return rows;
}
