import { type Selectable, sql } from 'kysely';
import { json } from '../../platform/postgres/client.ts';
import type { AuditEntryTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { pageOfLog } from './log-store.ts';

// The audit log is the installation's: operators see that of all companies.

type AuditRow = Selectable<AuditEntryTable>;

export async function insertAuditEntries(db: Db, entries: readonly AuditRow[]): Promise<void> {
  await db
    .insertInto('operator_acts')
    .values(
      entries.map((entry) => ({
        ...entry,
        before: entry.before && json(entry.before),
        after: entry.after && json(entry.after),
      })),
    )
    .execute();
}

/** A page of the audit log, newest first, of all or on one company, and the number of all of them. */
export async function listAuditRows(
  db: Db,
  companyId: string | undefined,
  page: { page: number; limit: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  return pageOfLog(db, companyId, { table: 'operator_acts', columns: sql<AuditRow>`*` }, page);
}

/** Deletes at most `rowsMax` entries from before an instant. Resolves to their number. */
export async function deleteAuditEntriesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from operator_acts where uuid in (
      select uuid from operator_acts where created_at < ${before} order by created_at limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
