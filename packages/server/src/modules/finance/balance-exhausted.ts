import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Micros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { lockCompanies, walletMicrosOf } from './store.ts';

/**
 * Notifies a company that its balance is used up, in the transaction whose debit took it from above its floor to the
 * floor or below: zero, or `creditMicros` below zero. Notifies again only after the balance was above it.
 */
export async function notifyWhenExhausted(
  ctx: Context,
  tx: Tx,
  companyId: string,
  {
    beforeMicros,
    afterMicros,
    creditMicros,
  }: { beforeMicros: Micros; afterMicros: Micros; creditMicros: Micros },
): Promise<void> {
  if (beforeMicros <= -creditMicros || afterMicros > -creditMicros) return;
  await notify(ctx, tx, companyId, {
    kind: 'balance',
    ...(creditMicros > 0 ? notificationMessages.creditExhausted : notificationMessages.balanceExhausted),
    entity: { type: 'company', uuid: companyId },
  });
}

/** Like {@link notifyWhenExhausted} for spend posted in this transaction: `debits` in micros by company. */
export async function notifyExhaustedCompanies(
  ctx: Context,
  tx: Tx,
  debits: ReadonlyMap<string, Micros>,
): Promise<void> {
  const companyIds = [...debits.keys()].sort();
  // Without locks, two concurrent postings would each miss the other's debit, and neither would see the balance reach
  // zero.
  const credits = await lockCompanies(tx.db, companyIds);
  const balances = await walletMicrosOf(tx.db, companyIds);
  for (const companyId of companyIds) {
    const afterMicros = balances.get(companyId) ?? 0;
    const beforeMicros = afterMicros + debits.get(companyId)!;
    const creditMicros = credits.get(companyId) ?? 0;
    await notifyWhenExhausted(ctx, tx, companyId, { beforeMicros, afterMicros, creditMicros });
  }
}
