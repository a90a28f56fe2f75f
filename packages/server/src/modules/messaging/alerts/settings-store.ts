import type { Micros } from '@bidwell/contract/lib/money';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The balances, in micros, at which companies want an alert; companies without one are left out. */
export async function balanceLowMicrosOf(
  db: Db,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  const rows = await db
    .selectFrom('alert_settings')
    .select(['company_uuid', 'balance_low_micros'])
    .where('company_uuid', '=', anyOf(companyIds))
    .where('balance_low_micros', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.company_uuid, row.balance_low_micros!]));
}

/** Stores the balance, in micros, at which a company wants an alert; null for none. */
export async function saveBalanceLow(db: Db, companyId: string, micros: Micros | null): Promise<void> {
  const values = { balance_low_micros: micros };
  await db
    .insertInto('alert_settings')
    .values({ company_uuid: companyId, ...values })
    .onConflict((conflict) => conflict.column('company_uuid').doUpdateSet(values))
    .execute();
}
