import { sql } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** What the storage of a company follows from. */
export interface StorageRow {
  uuid: string;
  usedBytes: number;
  /** What operators set; null for the quota of the settings. */
  ownQuotaBytes: number | null;
  /** Whether one of its apps is approved, or was. */
  hasApproved: boolean;
}

/** The storage of companies, in any order; several, since operators list them. */
export async function storageRows(db: Db, companyIds: readonly string[]): Promise<StorageRow[]> {
  const { rows } = await sql<StorageRow>`
    select c.uuid, c.storage_quota_bytes::float8 as "ownQuotaBytes",
      (select coalesce(sum(f.size_bytes), 0)::float8 from files f where f.company_uuid = c.uuid) as "usedBytes",
      exists (select 1 from apps a where a.company_uuid = c.uuid
        and (a.status = 'Approved' or a.approved is not null)) as "hasApproved"
    from companies c where c.uuid = ${anyOf(companyIds)}`.execute(db);
  return rows;
}

/** Makes others that store files of the company wait until the transaction ends. */
export async function lockStorage(db: Db, companyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('storage ' || ${companyId}::text, 0))`.execute(db);
}
