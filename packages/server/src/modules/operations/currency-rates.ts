import type { Context } from '../../context.ts';
import { Invalid } from '../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../changes/public.ts';
import { requireExpected } from '../../platform/expected-version.ts';
import { lockSetting } from '../../platform/postgres/locks.ts';

/** Exchange rates of the currencies in bid requests, in dollars. The dollar itself has none. */
export async function listRates(
  ctx: Context,
  operator: Operator,
): Promise<{ currency: string; dollars: number }[]> {
  requireOperatorPermission(operator, 'exchange.read');
  return listRateRows(ctx.db);
}

/** Sets the value of one currency unit in dollars, for floors and bids from now on. Throws Invalid for the dollar. */
export async function putRate(
  ctx: Context,
  operator: Operator,
  { currency, dollars }: { currency: string; dollars: number },
): Promise<{ currency: string; dollars: number }> {
  requireOperatorPermission(operator, 'exchange.write');
  if (currency === 'USD')
    throw new Invalid([{ field: 'currency', message: 'Rates are in dollars: the dollar itself has none' }]);
  await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, `rate ${currency}`);
    const before = (await listRateRows(tx.db)).find((rate) => rate.currency === currency);
    await requireExpected(() => before ?? null);
    await upsertRate(tx.db, currency, dollars, ctx.now());
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'currency rate',
      entityId: null,
      name: currency,
      ...(before && { before: { dollars: before.dollars } }),
      after: { dollars },
    });
  });
  ctx.onInstallationChanged();
  return { currency, dollars };
}

async function listRateRows(db: Db): Promise<{ currency: string; dollars: number }[]> {
  return db.selectFrom('currency_rates').select(['currency', 'dollars']).orderBy('currency').execute();
}

async function upsertRate(db: Db, currency: string, dollars: number, at: Date): Promise<void> {
  await db
    .insertInto('currency_rates')
    .values({ currency, dollars, updated_at: at })
    .onConflict((conflict) => conflict.column('currency').doUpdateSet({ dollars, updated_at: at }))
    .execute();
}
