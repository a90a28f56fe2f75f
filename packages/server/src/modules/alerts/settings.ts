import type { AlertSettings } from '@bidwell/contract/alerts/schema';
import { type Micros, toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { type Db, transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import { companyNameOf } from './company-store.ts';
import { balanceLowMicrosOf, saveBalanceLow } from './settings-store.ts';

/** When the company is alerted. */
export async function readAlertSettings(ctx: Context, actor: Actor): Promise<AlertSettings> {
  requirePermission(actor, 'alert.read');
  return settingsOf(ctx.db, actor.companyId);
}

/** Changes when the company is alerted. */
export async function saveAlertSettings(
  ctx: Context,
  actor: Actor,
  input: AlertSettings,
): Promise<AlertSettings> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await settingsOf(tx.db, companyId);
    await saveBalanceLow(tx.db, companyId, input.balance_low === null ? null : toMicros(input.balance_low));
    const after = await settingsOf(tx.db, companyId);
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name: (await companyNameOf(tx.db, companyId)) ?? '',
      action: 'update',
      before: { balance_low_alert: before.balance_low },
      after: { balance_low_alert: after.balance_low },
    });
    return after;
  });
}

async function settingsOf(db: Db, companyId: string): Promise<AlertSettings> {
  const micros: Micros | undefined = (await balanceLowMicrosOf(db, [companyId])).get(companyId);
  return { balance_low: micros === undefined ? null : toDollars(micros) };
}
