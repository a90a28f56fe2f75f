import type { Db } from '../../platform/postgres/transaction.ts';

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
