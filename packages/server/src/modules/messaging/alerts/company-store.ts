import type { Db } from '../../../platform/postgres/transaction.ts';

/** The name of a company; undefined where there is none. */
export async function companyNameOf(db: Db, companyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.name;
}
