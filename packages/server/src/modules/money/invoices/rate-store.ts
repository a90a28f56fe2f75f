import type { Db } from '../../../platform/postgres/transaction.ts';

/** A rate for totals of invoices: units of the currency for one dollar, times a million. */
export interface RateRow {
  currency: string;
  day: string;
  per_dollar_millionths: number;
  source: string;
}

/** The last rate of each currency. */
export async function lastRates(db: Db): Promise<RateRow[]> {
  return db
    .selectFrom('invoice_rates')
    .distinctOn('currency')
    .selectAll()
    .orderBy('currency')
    .orderBy('day', 'desc')
    .execute();
}

/** The last rate of a currency from a first to a last day; undefined where there is none. */
export async function rateBetween(
  db: Db,
  currency: string,
  { first, last }: { first: string; last: string },
): Promise<RateRow | undefined> {
  return db
    .selectFrom('invoice_rates')
    .selectAll()
    .where('currency', '=', currency)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function saveRate(db: Db, rate: RateRow): Promise<void> {
  const { per_dollar_millionths, source } = rate;
  await db
    .insertInto('invoice_rates')
    .values(rate)
    .onConflict((conflict) =>
      conflict.columns(['currency', 'day']).doUpdateSet({ per_dollar_millionths, source }),
    )
    .execute();
}
