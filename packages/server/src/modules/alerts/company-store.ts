import type { Db } from '../../platform/postgres/transaction.ts';

/** The name of a company. */
export async function companyNameOf(db: Db, companyId: string): Promise<string> {
  const { name } = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return name;
}
