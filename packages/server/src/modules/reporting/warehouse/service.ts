import { warehouseApiMessages } from '@bidwell/contract/warehouse/api-messages';
import { warehouseMessages } from '@bidwell/contract/warehouse/messages';
import {
  WAREHOUSE_RUNS_LISTED,
  type SavedWarehouseExport,
  type WarehouseExportInput,
  type WarehouseRun,
} from '@bidwell/contract/warehouse/schema';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { keepDestinationRows } from '../schedules/destinations/destination-store.ts';
import { exportableUntil, queueWarehouseRun } from './export-run.ts';
import {
  type ExportRow,
  type WarehouseRunRow,
  deleteExportRow,
  findExportRow,
  firstUnstored,
  listWarehouseRunRows,
  lockWarehouseRun,
  saveExportRow,
  updateWarehouseRun,
} from './warehouse-store.ts';

/** The export of the company, and how far it is. */
export async function warehouseExportOf(ctx: Context, actor: Actor): Promise<SavedWarehouseExport> {
  requirePermission(actor, 'report_schedule.read');
  return presentExport(ctx.db, actor.companyId);
}

/**
 * Begins the export of the company's events with the present hour, or changes it. An export that is switched on again goes on where it was
 * switched off. Throws Invalid for a destination that is no bucket of the company.
 */
export async function saveWarehouseExport(
  ctx: Context,
  actor: Actor,
  input: WarehouseExportInput,
): Promise<SavedWarehouseExport> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { db } = tx;
    await lockCompanyRow(db, companyId);
    await requireExpected(async () => presentExport(db, companyId));
    const before = await findExportRow(db, companyId);
    const [destination] = await keepDestinationRows(db, companyId, [input.destination_uuid]);
    if (destination?.type !== 's3')
      throw new Invalid([{ field: 'destination_uuid', message: warehouseMessages.destination }]);
    const now = ctx.now();
    const row: ExportRow = {
      planned_until: exportableUntil(now),
      created_at: now,
      ...before,
      company_uuid: companyId,
      ...input,
    };
    await saveExportRow(db, row);
    await recordChange(ctx, tx, actor, {
      entity: 'warehouse_export',
      uuid: companyId,
      name: destination.name,
      ...(before && { before: loggedFields(before) }),
      after: loggedFields(row),
    });
    return presentExport(db, companyId);
  });
}

/** Ends the export of the company. What waits is not stored any more. Throws NotFound. */
export async function deleteWarehouseExport(ctx: Context, actor: Actor): Promise<void> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    await lockCompanyRow(tx.db, companyId);
    await requireExpected(async () => presentExport(tx.db, companyId));
    const before = await findExportRow(tx.db, companyId);
    if (!before) throw new NotFound('Export');
    await deleteExportRow(tx.db, companyId);
    await recordChange(ctx, tx, actor, {
      entity: 'warehouse_export',
      uuid: companyId,
      name: '',
      before: loggedFields(before),
    });
  });
}

/** The latest runs of the company's export, newest first. */
export async function listWarehouseRuns(ctx: Context, actor: Actor): Promise<WarehouseRun[]> {
  requirePermission(actor, 'report_schedule.read');
  const rows = await listWarehouseRunRows(ctx.db, actor.companyId, WAREHOUSE_RUNS_LISTED);
  return rows.map(presentRun);
}

/** Stores the files of a run again. Throws NotFound, and Conflict where they wait already. */
export async function repeatWarehouseRun(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<WarehouseRun> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const run = await lockWarehouseRun(tx.db, companyId, uuid);
    if (!run) throw new NotFound('Files');
    if (run.status === 'waiting') throw new Conflict(warehouseApiMessages.runWaits);
    const waiting = { status: 'waiting', attempts: 0, error: null, finished_at: null } as const;
    await updateWarehouseRun(tx.db, companyId, uuid, waiting);
    await queueWarehouseRun(ctx, tx, companyId, uuid);
    return presentRun({ ...run, ...waiting });
  });
}

async function presentExport(db: Db, companyId: string): Promise<SavedWarehouseExport> {
  const row = await findExportRow(db, companyId);
  if (!row) return { export: null, planned_until: null, stored_until: null };
  const { storedFrom, isFailed } = await firstUnstored(db, companyId);
  const { destination_uuid, kinds, is_enabled, planned_until, created_at } = row;
  return {
    export: { destination_uuid, kinds, is_enabled, created_at: created_at.toISOString() },
    planned_until: planned_until.toISOString(),
    stored_until: isFailed ? null : (storedFrom ?? planned_until).toISOString(),
  };
}

function presentRun(row: WarehouseRunRow): WarehouseRun {
  const { uuid, kind, stored_from, stored_before, status, attempts, files, error, finished_at } = row;
  const sumOf = (value: 'rows' | 'bytes') =>
    files === null ? null : files.reduce((sum, file) => sum + file[value], 0);
  return {
    uuid,
    kind,
    stored_from: stored_from.toISOString(),
    stored_before: stored_before.toISOString(),
    status,
    attempts,
    files: files?.length ?? null,
    rows: sumOf('rows'),
    bytes: sumOf('bytes'),
    error,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

const loggedFields = ({ destination_uuid, kinds, is_enabled }: ExportRow) => ({
  destination_uuid,
  kinds,
  is_enabled,
});
