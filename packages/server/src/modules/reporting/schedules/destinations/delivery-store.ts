import { type Insertable, type Selectable, sql } from 'kysely';
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

/** Stores the outcome of a try, replacing the previous try. Does nothing for a destination that was removed meanwhile. */
export async function saveDelivery(
  db: Db,
  companyId: string,
  row: Omit<Insertable<ReportDeliveryTable>, 'company_uuid' | 'attempts'>,
): Promise<void> {
  const { run_uuid, destination_uuid, is_delivered, attempted_at, response_status, response_start, error } =
    row;
  await sql`
    insert into report_deliveries (run_uuid, destination_uuid, company_uuid, is_delivered, attempts, attempted_at,
      response_status, response_start, error)
    select ${run_uuid}::uuid, uuid, company_uuid, ${is_delivered}::boolean, 1, ${attempted_at}::timestamptz,
      ${response_status}::int, ${response_start}::text, ${error}::text
    from report_destinations where uuid = ${destination_uuid} and company_uuid = ${companyId}
      and exists (select 1 from report_runs where uuid = ${run_uuid} and company_uuid = ${companyId})
    on conflict (run_uuid, destination_uuid) do update set is_delivered = excluded.is_delivered,
      attempts = report_deliveries.attempts + 1, attempted_at = excluded.attempted_at,
      response_status = excluded.response_status, response_start = excluded.response_start,
      error = excluded.error`.execute(db);
}

/** Deletes the outcomes of a report, which is sent once more. */
export async function deleteDeliveries(db: Db, companyId: string, runId: string): Promise<void> {
  await db
    .deleteFrom('report_deliveries')
    .where('company_uuid', '=', companyId)
    .where('run_uuid', '=', runId)
    .execute();
}
