import { type Selectable, sql } from 'kysely';
import type { DeviceErasureTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

// Erasures are the installation's: a device may have postbacks of several companies.

export type ErasureRow = Selectable<DeviceErasureTable>;

const LISTED_MAX = 100;

/** Whether a text names an entity that postbacks may name: by its id, or an in-app event or an app by its name in them. */
export async function isOfEntity(db: Db, text: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from companies where uuid::text = lower(${text})
      union all select from apps where uuid::text = lower(${text}) or lower(bundle_id) = lower(${text})
      union all select from campaigns where uuid::text = lower(${text})
      union all select from adsets where uuid::text = lower(${text})
      union all select from tracking_links where uuid::text = lower(${text})
      union all select from creatives where uuid::text = lower(${text})
      union all select from creative_groups where uuid::text = lower(${text})
      union all select from app_event_names where lower(name) = lower(${text})
    ) as found`.execute(db);
  return rows[0]!.found;
}

export async function insertErasure(
  db: Db,
  erasure: Pick<ErasureRow, 'uuid' | 'id_hash' | 'device_id' | 'requested_at'>,
): Promise<ErasureRow> {
  return db.insertInto('device_erasures').values(erasure).returningAll().executeTakeFirstOrThrow();
}

/** The newest ones first. */
export async function listErasureRows(db: Db): Promise<ErasureRow[]> {
  return db
    .selectFrom('device_erasures')
    .selectAll()
    .orderBy('requested_at', 'desc')
    .limit(LISTED_MAX)
    .execute();
}

/** Those that are not finished: first those of which nothing may be removed yet, then the oldest. */
export async function openErasures(db: Db): Promise<ErasureRow[]> {
  return db
    .selectFrom('device_erasures')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('removed_at', (of) => of.asc().nullsFirst())
    .orderBy('requested_at')
    .limit(LISTED_MAX)
    .execute();
}

/** Adds what was removed. */
export async function addRemoved(
  db: Db,
  uuid: string,
  { postbacks, events, clicks }: Pick<ErasureRow, 'postbacks' | 'events' | 'clicks'>,
): Promise<void> {
  await sql`
    update device_erasures
    set postbacks = postbacks + ${postbacks}, events = events + ${events}, clicks = clicks + ${clicks}
    where uuid = ${uuid}`.execute(db);
}

/** Notes that all that was stored is removed; what was on its way may follow. */
export async function markRemoved(db: Db, uuid: string, at: Date): Promise<void> {
  await db.updateTable('device_erasures').set({ removed_at: at }).where('uuid', '=', uuid).execute();
}

/** Finishes an erasure and deletes its id. Resolves to its row; undefined where it was revoked. */
export async function finishErasure(db: Db, uuid: string, at: Date): Promise<ErasureRow | undefined> {
  return db
    .updateTable('device_erasures')
    .set({ finished_at: at, device_id: null })
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** An erasure, locked until the transaction ends; undefined for none. */
export async function lockErasure(db: Db, uuid: string): Promise<ErasureRow | undefined> {
  return db.selectFrom('device_erasures').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

/** Notes that an erasure was revoked, which ends it, and deletes its id. Resolves to its row. */
export async function revokeErasure(db: Db, uuid: string, at: Date): Promise<ErasureRow> {
  return db
    .updateTable('device_erasures')
    .set((of) => ({
      revoked_at: at,
      finished_at: of.fn.coalesce('finished_at', of.val(at)),
      device_id: null,
    }))
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** When an erasure was last asked for; null for never. */
export async function lastErasureAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('device_erasures')
    .select((of) => of.fn.max('requested_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Deletes at most `rowsMax` finished erasures from before an instant. Resolves to their number. */
export async function deleteErasuresBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from device_erasures where uuid in (
      select uuid from device_erasures where requested_at < ${before} and finished_at is not null
      order by requested_at limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
