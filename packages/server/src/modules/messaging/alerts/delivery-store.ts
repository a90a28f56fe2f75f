import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { type Selectable, sql } from 'kysely';
import type { AlertChannelTable, AlertDeliveryTable } from '../../../platform/postgres/alert-tables.ts';
import { json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type DeliveryRow = Selectable<AlertDeliveryTable>;

/** Adds a delivery that is due at once; one with an `error` is never tried automatically. */
export async function insertDelivery(
  db: Db,
  companyId: string,
  delivery: { uuid: string; channelId: string; message: AlertMessage; at: Date; error: string | null },
): Promise<void> {
  const { uuid, channelId, message, at, error } = delivery;
  await db
    .insertInto('alert_deliveries')
    .values({
      uuid,
      company_uuid: companyId,
      channel_uuid: channelId,
      message: json(message),
      status: error === null ? 'waiting' : 'failed',
      attempts: 0,
      attempted_at: null,
      next_attempt_at: error === null ? at : null,
      response_status: null,
      response_start: null,
      error,
      created_at: at,
    })
    .execute();
}

/** The number of deliveries that wait, by channel of the company. */
export async function waitingByChannel(db: Db, companyId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('alert_deliveries')
    .select(['channel_uuid', (eb) => eb.fn.countAll().as('count')])
    .where('company_uuid', '=', companyId)
    .where('status', '=', 'waiting')
    .groupBy('channel_uuid')
    .execute();
  return new Map(rows.map(({ channel_uuid, count }) => [channel_uuid, Number(count)]));
}

/**
 * The latest deliveries to a channel, newest first; with `after` those that follow that delivery, none where it is deleted: what is older is
 * deleted as well.
 */
export async function listDeliveryRows(
  db: Db,
  companyId: string,
  { channelId, after, limit }: { channelId: string; after: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('channel_uuid', '=', channelId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, uuid) < (
          select one.created_at, one.uuid from alert_deliveries one
          where one.company_uuid = ${companyId} and one.channel_uuid = ${channelId} and one.uuid = ${after}::uuid)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** Makes a delivery that does not wait due at once, as if it had not been tried. False if it waits already. */
export async function restartDelivery(
  db: Db,
  companyId: string,
  { uuid, at }: { uuid: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_deliveries')
    .set({ status: 'waiting', attempts: 0, next_attempt_at: at, error: null })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('status', '!=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes that a delivery is tried, and reads it. Undefined for one that does not wait any more. */
export async function beginDelivery(
  db: Db,
  companyId: string,
  { uuid, attempts, at }: { uuid: string; attempts: number; at: Date },
): Promise<DeliveryRow | undefined> {
  return db
    .updateTable('alert_deliveries')
    .set({ attempts, attempted_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}

/** A delivery that waits, with its channel. */
export type WaitingDelivery = Pick<DeliveryRow, 'uuid' | 'attempts' | 'company_uuid' | 'channel_uuid'> &
  Pick<Selectable<AlertChannelTable>, 'type' | 'target'> & { next_attempt_at: Date };

/** Deliveries that wait and have no message, of all companies: a server of an earlier release has written them. */
export async function waitingWithoutMessage(db: Db, limit: number): Promise<WaitingDelivery[]> {
  const { rows } = await sql<WaitingDelivery>`
    select d.uuid, d.attempts, d.next_attempt_at, d.company_uuid, d.channel_uuid, c.type, c.target
    from alert_deliveries d join alert_channels c on c.uuid = d.channel_uuid
    where d.status = 'waiting' and d.next_attempt_at is not null and c.is_enabled and not exists (
      select from messages m where m.kind = 'alert' and m.about = d.uuid::text)
    limit ${limit}`.execute(db);
  return rows;
}

/** The outcome of a try of a delivery. */
export interface TriedDelivery {
  uuid: string;
  status: DeliveryRow['status'];
  nextAt: Date | null;
  responseStatus: number | null;
  responseStart: string | null;
  error: string | null;
}

export async function updateTried(db: Db, companyId: string, tried: TriedDelivery): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({
      status: tried.status,
      next_attempt_at: tried.nextAt,
      response_status: tried.responseStatus,
      response_start: tried.responseStart,
      error: tried.error,
    })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', tried.uuid)
    .execute();
}

/** Gives up the waiting deliveries of a channel. */
export async function failWaiting(
  db: Db,
  companyId: string,
  { channelId, error }: { channelId: string; error: string },
): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ status: 'failed', next_attempt_at: null, error })
    .where('company_uuid', '=', companyId)
    .where('channel_uuid', '=', channelId)
    .where('status', '=', 'waiting')
    .execute();
}

/** Deletes at most `rowsMax` deliveries of all companies from before an instant. Resolves to their number. */
export async function deleteDeliveriesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from alert_deliveries where uuid in (
      select uuid from alert_deliveries where created_at < ${before} limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
