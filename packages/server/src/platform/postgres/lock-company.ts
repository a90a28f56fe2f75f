import type { Db } from './transaction.ts';

/** Locks a company until the transaction ends, so that of two changes at once the second counts what the first has added. */
export async function lockCompanyRow(db: Db, companyId: string): Promise<void> {
  await db.selectFrom('companies').select('uuid').where('uuid', '=', companyId).forNoKeyUpdate().execute();
}
