import type { AlertSettings } from '@bidwell/contract/alerts/schema';
import { type Micros, toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { balanceLowMicrosOf, saveBalanceLow } from '../../messaging/public.ts';
import { recordChange } from '../../changes/public.ts';
import { notifyWhenLow } from './balance-exhausted.ts';
import { lockCompany } from '../store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** When the company is alerted. */
export async function readAlertSettings(ctx: Context, actor: Actor): Promise<AlertSettings> {
  requirePermission(actor, 'alert.read');
  return settingsOf(await lowMicrosOf(ctx.db, actor.companyId));
}

/** Changes when the company is alerted, and alerts it at once if its balance is that low already. Throws NotFound. */
export async function saveAlertSettings(
  ctx: Context,
  actor: Actor,
  input: AlertSettings,
): Promise<AlertSettings> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const lowMicros = input.balance_low === null ? null : toMicros(input.balance_low);
  return transact(ctx.db, async (tx) => {
    // Without the lock, a debit at the same time could miss the new amount while this misses the debit.
    const company = await lockCompany(tx.db, companyId);
    if (!company) throw new NotFound('Company');
    const beforeMicros = await lowMicrosOf(tx.db, companyId);
    await requireExpected(() => settingsOf(beforeMicros));
    await saveBalanceLow(tx.db, companyId, lowMicros);
    const after = settingsOf(lowMicros);
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name: company.name,
      action: 'update',
      before: { balance_low_alert: settingsOf(beforeMicros).balance_low },
      after: { balance_low_alert: after.balance_low },
    });
    await notifyWhenLow(ctx, tx, companyId, {
      beforeMicros,
      lowMicros,
      creditMicros: company.credit_limit_micros,
    });
    return after;
  });
}

const settingsOf = (lowMicros: Micros | null): AlertSettings => ({
  balance_low: lowMicros === null ? null : toDollars(lowMicros),
});

async function lowMicrosOf(db: Db, companyId: string): Promise<Micros | null> {
  return (await balanceLowMicrosOf(db, [companyId])).get(companyId) ?? null;
}
