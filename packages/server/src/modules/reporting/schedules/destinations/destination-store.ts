import type { Selectable } from 'kysely';
import { anyOf } from '../../../../platform/postgres/client.ts';
import type { ReportDestinationTable } from '../../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../../platform/postgres/lock-company.ts';

export type DestinationRow = Selectable<ReportDestinationTable>;

/** The destinations of a company, in the order of their creation. */
export async function listDestinationRows(db: Db, companyId: string): Promise<DestinationRow[]> {
  return destinations(db, companyId).execute();
}

/** Those of `ids` that the company has. */
export async function findDestinationRows(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<DestinationRow[]> {
  return destinations(db, companyId).where('uuid', '=', anyOf(ids)).execute();
}

/** The same, locked against their removal until the transaction ends. */
export async function keepDestinationRows(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<DestinationRow[]> {
  return destinations(db, companyId).where('uuid', '=', anyOf(ids)).forKeyShare().execute();
}

/** One of them, locked until the transaction ends. */
export async function lockDestinationRow(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<DestinationRow | undefined> {
  return destinations(db, companyId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

const destinations = (db: Db, companyId: string) =>
  db
    .selectFrom('report_destinations')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at')
    .orderBy('uuid');

/** Locks a company until the transaction ends, against two additions at once, and returns the number of its destinations. */
export async function countDestinationsLocked(db: Db, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('report_destinations')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertDestination(
  db: Db,
  companyId: string,
  row: Omit<DestinationRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('report_destinations')
    .values({ ...row, company_uuid: companyId })
    .execute();
}

export async function deleteDestinationRow(db: Db, companyId: string, uuid: string): Promise<void> {
  await db
    .deleteFrom('report_destinations')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
