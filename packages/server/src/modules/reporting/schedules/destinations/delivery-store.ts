import { type Selectable, sql } from 'kysely';
import { groupBy } from '../../../../platform/group-by.ts';
import { anyOf } from '../../../../platform/postgres/client.ts';
import type { ReportDeliveryTable } from '../../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../../platform/postgres/transaction.ts';

/** A delivery with the name of its destination. */
export type DeliveryRow = Selectable<ReportDeliveryTable> & { name: string };

/** The outcomes of reports at their destinations, by report. */
export async function deliveriesOfRuns(
  db: Db,
  companyId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryRow[]>> {
  const rows = await db
    .selectFrom('report_deliveries')
    .innerJoin('report_destinations', 'report_destinations.uuid', 'report_deliveries.destination_uuid')
    .selectAll('report_deliveries')
    .select('report_destinations.name')
    .where('report_deliveries.company_uuid', '=', companyId)
    .where('run_uuid', '=', anyOf(runIds))
    .orderBy('report_destinations.created_at')
    .orderBy('report_destinations.uuid')
    .execute();
  return groupBy(rows, (row) => row.run_uuid);
}

/** What identifies a delivery. */
type DeliveryKey = Pick<DeliveryRow, 'run_uuid' | 'destination_uuid'>;

/**
 * Notes that a report is sent to a destination, before it is: the log counts a try that ends with the process. Until its outcome is stored it
 * has no error. Does nothing for a destination that was removed meanwhile.
 */
export async function beginDelivery(
  db: Db,
  companyId: string,
  { run_uuid, destination_uuid, at }: DeliveryKey & { at: Date },
): Promise<void> {
  await sql`
    insert into report_deliveries (run_uuid, destination_uuid, company_uuid, is_delivered, attempts, attempted_at)
    select ${run_uuid}::uuid, uuid, company_uuid, false, 1, ${at}::timestamptz
    from report_destinations where uuid = ${destination_uuid} and company_uuid = ${companyId}
      and exists (select 1 from report_runs where uuid = ${run_uuid} and company_uuid = ${companyId})
    on conflict (run_uuid, destination_uuid) do update set is_delivered = false,
      attempts = report_deliveries.attempts + 1, attempted_at = excluded.attempted_at,
      response_status = null, response_start = null, error = null`.execute(db);
}

/** Stores the outcome of the try that has begun. Does nothing for a destination that was removed meanwhile. */
export async function endDelivery(
  db: Db,
  companyId: string,
  {
    run_uuid,
    destination_uuid,
    ...outcome
  }: DeliveryKey & Pick<DeliveryRow, 'is_delivered' | 'response_status' | 'response_start' | 'error'>,
): Promise<void> {
  await db
    .updateTable('report_deliveries')
    .set(outcome)
    .where('company_uuid', '=', companyId)
    .where('run_uuid', '=', run_uuid)
    .where('destination_uuid', '=', destination_uuid)
    .execute();
}

/** Deletes the outcomes of a report, which is sent once more. */
export async function deleteDeliveries(db: Db, companyId: string, runId: string): Promise<void> {
  await db
    .deleteFrom('report_deliveries')
    .where('company_uuid', '=', companyId)
    .where('run_uuid', '=', runId)
    .execute();
}
