import type { Db } from '../../platform/postgres/transaction.ts';

/** A company. `version` changes with every change of its data. */
export interface Company {
  uuid: string;
  timeZone: string;
  version: string | null;
}

/** Loads all companies. */
export async function loadCompanies(db: Db): Promise<Company[]> {
  return db
    .selectFrom('companies')
    .leftJoin('company_versions', 'company_versions.company_uuid', 'companies.uuid')
    .select(['companies.uuid', 'companies.time_zone as timeZone', 'company_versions.version'])
    .execute();
}
