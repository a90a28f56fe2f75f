import type { WarehouseKind, WarehouseManifest } from '@bidwell/contract/warehouse/schema';
import { type Selectable, sql } from 'kysely';
import type { WarehouseExportTable, WarehouseRunTable } from '../../../platform/postgres/warehouse-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type ExportRow = Selectable<WarehouseExportTable>;
export type WarehouseRunRow = Selectable<WarehouseRunTable>;

/** The export of a company. */
export async function findExportRow(db: Db, companyId: string): Promise<ExportRow | undefined> {
  return db
    .selectFrom('warehouse_exports')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .executeTakeFirst();
}

/** Adds the export of a company, or changes where it goes, what it has, and whether it is on. */
export async function saveExportRow(db: Db, row: ExportRow): Promise<void> {
  const { destination_uuid, kinds, is_enabled } = row;
  await db
    .insertInto('warehouse_exports')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('company_uuid').doUpdateSet({ destination_uuid, kinds, is_enabled }),
    )
    .execute();
}

/** Removes the export of a company with its runs. */
export async function deleteExportRow(db: Db, companyId: string): Promise<void> {
  await db.deleteFrom('warehouse_runs').where('company_uuid', '=', companyId).execute();
  await db.deleteFrom('warehouse_exports').where('company_uuid', '=', companyId).execute();
}

/** Whether the export of a company stores its files at a destination. */
export async function isExportedTo(db: Db, companyId: string, destinationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('warehouse_exports')
    .select('company_uuid')
    .where('company_uuid', '=', companyId)
    .where('destination_uuid', '=', destinationId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Exports that are on, have no runs up to an instant yet and fewer than `waitingMax` that wait, locked until the transaction ends. Exports that
 * were planned longest ago come first.
 */
export async function lockDueExports(
  db: Db,
  { before, limit, waitingMax }: { before: Date; limit: number; waitingMax: number },
): Promise<ExportRow[]> {
  return db
    .selectFrom('warehouse_exports')
    .selectAll()
    .where('is_enabled', '=', true)
    .where('planned_until', '<', before)
    .where(
      (eb) =>
        eb
          .selectFrom('warehouse_runs')
          .select((runs) => runs.fn.countAll().as('waiting'))
          .whereRef('warehouse_runs.company_uuid', '=', 'warehouse_exports.company_uuid')
          .where('status', '=', 'waiting'),
      '<',
      waitingMax,
    )
    .orderBy('planned_until')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function setPlannedUntil(db: Db, companyId: string, until: Date): Promise<void> {
  await db
    .updateTable('warehouse_exports')
    .set({ planned_until: until })
    .where('company_uuid', '=', companyId)
    .execute();
}

/** An hour of a kind to be exported. */
interface NewRun {
  uuid: string;
  kind: WarehouseKind;
  storedFrom: Date;
  storedBefore: Date;
}

/** Adds a run. Resolves to whether there was none of its kind and hour. */
export async function insertWarehouseRun(
  db: Db,
  companyId: string,
  { uuid, kind, storedFrom, storedBefore }: NewRun,
): Promise<boolean> {
  const inserted = await db
    .insertInto('warehouse_runs')
    .values({
      uuid,
      company_uuid: companyId,
      kind,
      stored_from: storedFrom,
      stored_before: storedBefore,
      status: 'waiting',
      files: null,
      error: null,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'kind', 'stored_from']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** The runs of a company, newest first. */
export async function listWarehouseRunRows(
  db: Db,
  companyId: string,
  limit: number,
): Promise<WarehouseRunRow[]> {
  return db
    .selectFrom('warehouse_runs')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('stored_from', 'desc')
    .orderBy('kind')
    .limit(limit)
    .execute();
}

/** A run of a company, locked until the transaction ends. */
export async function lockWarehouseRun(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<WarehouseRunRow | undefined> {
  return db
    .selectFrom('warehouse_runs')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
}

/** The start of the oldest hour whose files are not all stored; null if all are. `isFailed` says whether some were given up. */
export async function firstUnstored(
  db: Db,
  companyId: string,
): Promise<{ storedFrom: Date | null; isFailed: boolean }> {
  const row = await db
    .selectFrom('warehouse_runs')
    .select((eb) => [
      eb.fn.min('stored_from').as('storedFrom'),
      sql<boolean>`coalesce(bool_or(status = 'failed'), false)`.as('isFailed'),
    ])
    .where('company_uuid', '=', companyId)
    .where('status', '<>', 'stored')
    .executeTakeFirstOrThrow();
  return { storedFrom: row.storedFrom, isFailed: row.isFailed };
}

/** Counts a try of a waiting run, and returns the run; undefined for one that is not waiting or was removed. */
export async function beginWarehouseRun(
  db: Db,
  companyId: string,
  uuid: string,
  attempts: number,
): Promise<WarehouseRunRow | undefined> {
  return db
    .updateTable('warehouse_runs')
    .set({ attempts })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}

/** Stores the outcome of a try. */
export async function updateWarehouseRun(
  db: Db,
  companyId: string,
  uuid: string,
  values: Partial<Pick<WarehouseRunRow, 'status' | 'attempts' | 'error' | 'finished_at'>> & {
    files?: WarehouseManifest['files'];
  },
): Promise<void> {
  const { files, ...rest } = values;
  await db
    .updateTable('warehouse_runs')
    .set({ ...rest, ...(files && { files: JSON.stringify(files) }) })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Deletes stored runs of hours before an instant, at most `limit`; resolves to their number. */
export async function deleteWarehouseRunsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('warehouse_runs')
    .where('uuid', 'in', (eb) =>
      eb
        .selectFrom('warehouse_runs')
        .select('uuid')
        .where('stored_from', '<', before)
        .where('status', '<>', 'waiting')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
