import type { DeviceErasure, DeviceErasureInput } from '@bidwell/contract/operator/device-erasure';
import { operatorMessages } from '@bidwell/contract/operator/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import {
  type RemovedOfDevice,
  deleteErasedIds,
  hashesOfId,
  insertErasedIds,
  isShared,
  withHyphens,
} from '../../delivery/public.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { Conflict, Invalid, NotFound } from '../../platform/errors.ts';
import { type Operator, SERVER, requireOperatorPermission } from '../../platform/operator.ts';
import { deleteOlderThan } from '../../platform/postgres/delete-in-batches.ts';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { eraseFromAudiences, hasUploadsFrom } from '../catalog/public.ts';
import { recordAuditEntry } from '../changes/public.ts';
import { type Selectable, sql } from 'kysely';
import type { DeviceErasureTable } from '../../platform/postgres/schema.ts';

/**
 * Events that trackers were handling when the stored data was first removed are stored in the first half of this time. At its end the job
 * removes stored data once more and deletes the id.
 */
const ON_ITS_WAY_MS = 600_000;
/** Steps of an erasure between two of others. */
const STEPS_AT_ONCE = 20;

/** A failed erasure is tried again after two seconds, then after twice as long each time up to ten minutes: each try reads all audiences. */
const REST_MS = 2000;
const REST_MS_MAX = 600_000;

/** What a process knows of an open erasure: how often it failed in a row, until when it rests, and whether the audiences were read for it. */
interface Progress {
  failed: number;
  restsUntilMs: number;
  hasReadAudiences: boolean;
}
/** By the uuid of the erasure. */
export type OpenErasures = Map<string, Progress>;

/** The parts of delivery that an erasure needs. */
export interface ErasureCalls {
  removeDevice(erasureId: string, id: string, keysBefore: Date): Promise<RemovedOfDevice>;
  countedByAllMs(): Promise<number>;
}

/**
 * Erases a device or a person: from now on trackers store no event of it, and jobs remove the stored data. The id is stored encrypted
 * until they have. Throws Invalid, before anything is stored or removed, for a text that is no id of one device: one of an entity here, or
 * one that the postbacks of many clicks have, unless the operator confirms it.
 */
export async function eraseDevice(
  ctx: Context,
  operator: Operator,
  { id, even_if_shared: evenIfShared }: DeviceErasureInput,
): Promise<DeviceErasure> {
  requireOperatorPermission(operator, 'device.erase');
  if (await isOfEntity(ctx.db, id))
    throw refused('This is the id of something in this installation, not of a device');
  if (!evenIfShared && (await isShared(ctx.clickhouse, id, ctx.now())))
    throw refused(
      'More clicks have this in their postbacks than one device makes: it may be no id of a device. If it is one, set even_if_shared (--even-if-shared true)',
    );
  const uuid = uuidv7();
  return transact(ctx.db, async (tx) => {
    const hashes = await hashesOfId(tx.db, id);
    const row = await insertErasure(tx.db, {
      uuid,
      id_hash: hashes[0],
      device_id: ctx.encryption.encrypt(id, placeOf(uuid)),
      requested_at: ctx.now(),
    });
    await insertErasedIds(tx.db, uuid, hashes);
    await recordAuditEntry(ctx, tx, operator, { action: 'Asked to erase', ...auditedAs(row) });
    return presented(row);
  });
}

const refused = (message: string) => new Invalid([{ field: 'id', message }]);

/** The last erasures, with the counts that they have removed so far. */
export async function listDeviceErasures(ctx: Context, operator: Operator): Promise<DeviceErasure[]> {
  requireOperatorPermission(operator, 'device.erase');
  return (await listErasureRows(ctx.db)).map(presented);
}

/**
 * Takes an erasure back, as of a wrong id: postbacks of the device and its clicks count again from now on, unless another erasure names
 * it, and data that is not removed yet stays. Deleted data does not come back. Throws NotFound; Conflict where it was revoked before, or
 * an earlier release erased the device.
 */
export async function revokeDeviceErasure(
  ctx: Context,
  operator: Operator,
  { uuid }: { uuid: string },
): Promise<DeviceErasure> {
  requireOperatorPermission(operator, 'device.erase');
  return transact(ctx.db, async (tx) => {
    const erasure = await lockErasure(tx.db, uuid);
    if (!erasure) throw new NotFound('Erasure');
    if (erasure.revoked_at) throw new Conflict(operatorMessages.erasureRevoked);
    if (!(await deleteErasedIds(tx.db, uuid))) throw new Conflict(operatorMessages.erasureTooOld);
    const row = await revokeErasure(tx.db, uuid, ctx.now());
    await recordAuditEntry(ctx, tx, operator, { action: 'Revoked the erasure of', ...auditedAs(row) });
    return presented(row);
  });
}

/**
 * Removes the stored data of devices to be erased: at once, and ten minutes after that what was on its way, when all trackers have also
 * handed on the events of that time, and uploads and refreshes of audiences from before are imported or given up. One that fails is tried
 * again later, and others go on; throws an AggregateError after them.
 */
export async function carryOutErasures(
  ctx: Context,
  delivery: ErasureCalls,
  known: OpenErasures,
): Promise<void> {
  const nowMs = ctx.now().getTime();
  const waiting = [...known].filter(([, { restsUntilMs }]) => restsUntilMs > nowMs).map(([uuid]) => uuid);
  const open = await openErasures(ctx.db, waiting);
  const stillOpen = new Set([...waiting, ...open.map(({ uuid }) => uuid)]);
  for (const uuid of known.keys()) if (!stillOpen.has(uuid)) known.delete(uuid);
  const failures: unknown[] = [];
  for (const erasure of open) {
    const progress = known.get(erasure.uuid) ?? { failed: 0, restsUntilMs: 0, hasReadAudiences: false };
    known.set(erasure.uuid, progress);
    try {
      await carryOut(ctx, delivery, erasure, progress);
      progress.failed = 0;
      progress.restsUntilMs = 0;
    } catch (error) {
      failures.push(error);
      progress.failed += 1;
      progress.restsUntilMs = nowMs + backoffMs(REST_MS, progress.failed, REST_MS_MAX);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some erasures failed.');
}

async function carryOut(
  ctx: Context,
  delivery: ErasureCalls,
  erasure: ErasureRow,
  progress: Progress,
): Promise<void> {
  const { requested_at: requestedAt, removed_at: removedAt } = erasure;
  const isLast = removedAt !== null;
  if (isLast && !(await hasArrived(ctx, delivery, removedAt))) return;
  // An active person gives new keys all the time, so no pass would ever find none.
  const keysBefore = isLast ? new Date(requestedAt.getTime() + ON_ITS_WAY_MS) : requestedAt;
  if (!(await removeAll(ctx, delivery, erasure, { keysBefore, isLast, progress }))) return;
  if (isLast) await finish(ctx, erasure);
  else await markRemoved(ctx.db, erasure.uuid, ctx.now());
}

/** Whether all is stored that read data before it was removed: what trackers were handling, and imports and refreshes of audiences. */
async function hasArrived(ctx: Context, delivery: ErasureCalls, removedAt: Date): Promise<boolean> {
  const untilMs = removedAt.getTime() + ON_ITS_WAY_MS;
  return (
    ctx.now().getTime() >= untilMs &&
    (await delivery.countedByAllMs()) >= untilMs - ON_ITS_WAY_MS / 2 &&
    !(await hasUploadsFrom(ctx, removedAt))
  );
}

/** Deletes erasures that were finished before the setting for audit entries says. */
export async function deleteExpiredErasures(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, ctx.config.keptDays.auditEntries, deleteErasuresBefore);
}

/** Removes the stored data of the device; resolves to whether none is left. */
async function removeAll(
  ctx: Context,
  delivery: ErasureCalls,
  { uuid, device_id: stored }: ErasureRow,
  { keysBefore, isLast, progress }: { keysBefore: Date; isLast: boolean; progress: Progress },
): Promise<boolean> {
  if (stored === null) return true;
  const id = ctx.encryption.decrypt(stored, placeOf(uuid));
  const isComplete = await removeByStep(ctx, uuid, async () => delivery.removeDevice(uuid, id, keysBefore));
  // The rest may take many passes, and each reading of all audiences takes long.
  if (!progress.hasReadAudiences || (isLast && isComplete)) {
    await eraseFromAudiences(ctx, id, async () => addErasedAudiences(ctx.db, uuid, 1));
    progress.hasReadAudiences = true;
  }
  return isComplete;
}

/** Takes steps of an erasure; resolves to whether the last one found nothing. */
async function removeByStep(
  ctx: Context,
  uuid: string,
  takeStep: () => Promise<RemovedOfDevice>,
): Promise<boolean> {
  for (let step = 0; step < STEPS_AT_ONCE; step += 1) {
    const { isComplete, ...removed } = await takeStep();
    await addRemoved(ctx.db, uuid, removed);
    if (isComplete) return true;
    if (removed.postbacks === 0) return false;
  }
  return false;
}

async function finish(ctx: Context, { uuid }: ErasureRow): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const row = await finishErasure(tx.db, uuid, ctx.now());
    if (!row) return;
    const { postbacks, events, clicks, audiences } = row;
    await recordAuditEntry(ctx, tx, SERVER, {
      action: 'Erased',
      ...auditedAs(row),
      after: { postbacks, events, clicks, audiences },
    });
  });
}

const placeOf = (uuid: string) => ({ table: 'device_erasures', column: 'device_id', row: uuid });

/** A hash stands for the id. */
const auditedAs = ({ uuid, id_hash: name }: ErasureRow) => ({ entity: 'device', entityId: uuid, name });

function presented(row: ErasureRow): DeviceErasure {
  const { uuid, id_hash, requested_at, finished_at, revoked_at, ...counts } = row;
  return {
    uuid,
    id_hash,
    requested_at: requested_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
    postbacks: counts.postbacks,
    events: counts.events,
    clicks: counts.clicks,
    audiences: counts.audiences,
  };
}

// Erasures are the installation's: a device may have postbacks of several companies.

type ErasureRow = Selectable<DeviceErasureTable>;

/** Whether a text names an entity that postbacks may name: by its id, or an in-app event or an app by its name in them. */
async function isOfEntity(db: Db, text: string): Promise<boolean> {
  const id = withHyphens(text);
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from companies where uuid::text = lower(${id})
      union all select from apps where uuid::text = lower(${id}) or lower(bundle_id) = lower(${text})
      union all select from campaigns where uuid::text = lower(${id})
      union all select from adsets where uuid::text = lower(${id})
      union all select from tracking_links where uuid::text = lower(${id})
      union all select from creatives where uuid::text = lower(${id})
      union all select from creative_groups where uuid::text = lower(${id})
      union all select from app_event_names where lower(name) = lower(${text})
    ) as found`.execute(db);
  return rows[0]!.found;
}

async function insertErasure(
  db: Db,
  erasure: Pick<ErasureRow, 'uuid' | 'id_hash' | 'device_id' | 'requested_at'>,
): Promise<ErasureRow> {
  return db.insertInto('device_erasures').values(erasure).returningAll().executeTakeFirstOrThrow();
}

const LISTED_MAX = 100;

/** The newest ones first. */
async function listErasureRows(db: Db): Promise<ErasureRow[]> {
  return db
    .selectFrom('device_erasures')
    .selectAll()
    .orderBy('requested_at', 'desc')
    .limit(LISTED_MAX)
    .execute();
}

/** Unfinished erasures except some: first the ones without any removal so far, then the oldest. */
async function openErasures(db: Db, except: readonly string[]): Promise<ErasureRow[]> {
  return db
    .selectFrom('device_erasures')
    .selectAll()
    .where('finished_at', 'is', null)
    .where(sql<boolean>`uuid <> all (${except}::uuid[])`)
    .orderBy('removed_at', (of) => of.asc().nullsFirst())
    .orderBy('requested_at')
    .limit(LISTED_MAX)
    .execute();
}

/** Adds the removed counts. */
async function addRemoved(
  db: Db,
  uuid: string,
  { postbacks, events, clicks }: Pick<ErasureRow, 'postbacks' | 'events' | 'clicks'>,
): Promise<void> {
  await sql`
    update device_erasures
    set postbacks = postbacks + ${postbacks}, events = events + ${events}, clicks = clicks + ${clicks}
    where uuid = ${uuid}`.execute(db);
}

/** Adds the audiences that had the person. */
async function addErasedAudiences(db: Db, uuid: string, audiences: number): Promise<void> {
  await sql`update device_erasures set audiences = audiences + ${audiences} where uuid = ${uuid}`.execute(db);
}

/** Notes that all stored data is removed; events on their way may follow. */
async function markRemoved(db: Db, uuid: string, at: Date): Promise<void> {
  await db.updateTable('device_erasures').set({ removed_at: at }).where('uuid', '=', uuid).execute();
}

/** Finishes an erasure and deletes its id. Resolves to its row; undefined where it was revoked. */
async function finishErasure(db: Db, uuid: string, at: Date): Promise<ErasureRow | undefined> {
  return db
    .updateTable('device_erasures')
    .set({ finished_at: at, device_id: null })
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** An erasure, locked until the transaction ends; undefined for none. */
async function lockErasure(db: Db, uuid: string): Promise<ErasureRow | undefined> {
  return db.selectFrom('device_erasures').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

/** Notes that an erasure was revoked, which ends it, and deletes its id. Resolves to its row. */
async function revokeErasure(db: Db, uuid: string, at: Date): Promise<ErasureRow> {
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

/** When an erasure was last requested; null for never. */
export async function lastErasureAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('device_erasures')
    .select((of) => of.fn.max('requested_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Deletes at most `rowsMax` finished erasures from before an instant. Resolves to their number. */
async function deleteErasuresBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from device_erasures where uuid in (
      select uuid from device_erasures where requested_at < ${before} and finished_at is not null
      order by requested_at limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
