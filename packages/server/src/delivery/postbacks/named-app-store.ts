import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** An app of a company, and the name by which it was looked up. */
export interface CompanyApp {
  companyId: string;
  appId: string;
  name: string;
}

/**
 * The apps of companies by their id, package name or store id, in lower case. Works across companies, since a batch of postbacks
 * does.
 */
export async function findCompanyApps(
  db: Db,
  named: readonly Pick<CompanyApp, 'companyId' | 'name'>[],
): Promise<CompanyApp[]> {
  if (named.length === 0) return [];
  const { rows } = await sql<CompanyApp>`
    select a.company_uuid as "companyId", a.uuid as "appId", n.name
    from json_to_recordset(${JSON.stringify(named)}::json) as n("companyId" uuid, name text)
    join apps a on a.company_uuid = n."companyId" and (lower(a.bundle_id) = n.name or a.uuid::text = n.name)
    where a.deleted_at is null`.execute(db);
  return rows;
}
