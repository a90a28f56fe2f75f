import type { Selectable } from 'kysely';
import type { CompanyTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type CompanyRow = Selectable<CompanyTable> & { logins: string[] };

/** All companies or one, at most 1000, with the logins of their users. */
export async function companiesWithLogins(db: Db, uuid?: string): Promise<CompanyRow[]> {
  const companies = await db
    .selectFrom('companies')
    .selectAll()
    .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid!))
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute();
  if (companies.length === 0) return [];
  const users = await db
    .selectFrom('users')
    .select(['company_uuid', 'login'])
    .where(
      'company_uuid',
      'in',
      companies.map((company) => company.uuid),
    )
    .execute();
  return companies.map((company) => ({
    ...company,
    logins: users.filter((user) => user.company_uuid === company.uuid).map((user) => user.login),
  }));
}

/** Sets or clears the time of suspension. False if there is no such company. */
export async function setSuspended(db: Db, uuid: string, suspendedAt: Date | null): Promise<boolean> {
  const result = await db
    .updateTable('companies')
    .set({ suspended_at: suspendedAt })
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function listRateRows(db: Db): Promise<{ currency: string; dollars: number }[]> {
  return db.selectFrom('currency_rates').select(['currency', 'dollars']).orderBy('currency').execute();
}

export async function upsertRate(db: Db, currency: string, dollars: number, at: Date): Promise<void> {
  await db
    .insertInto('currency_rates')
    .values({ currency, dollars, updated_at: at })
    .onConflict((conflict) => conflict.column('currency').doUpdateSet({ dollars, updated_at: at }))
    .execute();
}
