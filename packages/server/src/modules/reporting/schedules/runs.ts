import { REPORT_RUNS_LISTED, type ReportRun } from '@bidwell/contract/report-schedules/schema';
import { companyAlertApiMessages } from '@bidwell/contract/alerts/api-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { latestPeriod } from './due-times.ts';
import { deleteDeliveries, type DeliveryRow, deliveriesOfRuns } from './destinations/delivery-store.ts';
import { queueReport } from './report-messages.ts';
import { deleteRunsBefore, insertRun, listRunRows, restartRun, type RunRow } from './run-store.ts';
import { findOwned, lockOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** Retention of reports of schedules, in days: longer than the longest period, so that none is sent again. */
const RUN_DAYS = 90;

/** The latest fifty reports of a schedule, newest first. Throws NotFound. */
export async function listReportRuns(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<ReportRun[]> {
  requirePermission(actor, 'report_schedule.read');
  const { companyId } = actor;
  if (!(await findOwned(ctx.db, 'report_schedules', companyId, uuid))) throw new NotFound('Report');
  const rows = await listRunRows(ctx.db, companyId, { scheduleId: uuid, limit: REPORT_RUNS_LISTED });
  return presentRuns(ctx.db, companyId, rows);
}

/**
 * Sends the report of the latest complete period to all recipients and destinations, also if it was sent before or the schedule is off. Throws
 * NotFound, and Conflict where it waits already.
 */
export async function sendReportNow(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<ReportRun> {
  requirePermission(actor, 'report_schedule.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { db } = tx;
    const schedule = await lockOwned(db, 'report_schedules', companyId, uuid);
    if (!schedule) throw new NotFound('Report');
    const at = ctx.now();
    const timeZone = await timeZoneOf(db, companyId);
    const period = latestPeriod(at, { ...schedule, timeZone });
    const run = { scheduleId: uuid, period, at };
    const row =
      (await insertRun(db, companyId, { uuid: uuidv7(), ...run })) ?? (await restartRun(db, companyId, run));
    if (!row) throw new Conflict(companyAlertApiMessages.alertWaits);
    await deleteDeliveries(db, companyId, row.uuid);
    await queueReport(ctx, tx, row);
    const [sent] = await presentRuns(db, companyId, [row]);
    return sent!;
  });
}

/** Deletes reports of schedules that are older than ninety days. */
export async function deleteExpiredRuns(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, RUN_DAYS, deleteRunsBefore);
}

/** Reports of schedules as responses have them, in their order. */
export async function presentRuns(db: Db, companyId: string, rows: readonly RunRow[]): Promise<ReportRun[]> {
  const ids = rows.map(({ uuid }) => uuid);
  const deliveries = await deliveriesOfRuns(db, companyId, ids);
  return rows.map((row) => presentRun(row, deliveries.get(row.uuid) ?? []));
}

function presentRun(row: RunRow, deliveries: readonly DeliveryRow[]): ReportRun {
  const { uuid, start_date, end_date, status, attempts, rows, mailed_to, error } = row;
  return {
    uuid,
    start_date,
    end_date,
    status,
    attempts,
    rows,
    mailed: mailed_to.length,
    deliveries: deliveries.map((delivery) => ({
      destination_uuid: delivery.destination_uuid,
      name: delivery.name,
      is_delivered: delivery.is_delivered,
      attempts: delivery.attempts,
      attempted_at: delivery.attempted_at.toISOString(),
      response_status: delivery.response_status,
      response_start: delivery.response_start,
      error: delivery.error,
    })),
    error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
