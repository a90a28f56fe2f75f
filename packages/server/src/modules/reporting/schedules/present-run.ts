import type { ReportRun } from '@bidwell/contract/report-schedules/schema';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type DeliveryRow, deliveriesOfRuns } from './destinations/delivery-store.ts';
import type { RunRow } from './run-store.ts';

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
