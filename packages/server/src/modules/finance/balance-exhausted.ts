import { notificationMessages } from '@bidwell/contract/messages';
import type { Micros } from '@bidwell/contract/money';
import type { Engines } from '../../engines.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { lockCompanies, walletMicrosOf } from './store.ts';

/**
 * Notifies a company that its balance is used up, in the transaction whose debit took it from above zero to zero or
 * below. Notifies again only after the balance was above zero.
 */
export async function notifyWhenExhausted(
  engines: Engines,
  tx: Tx,
  companyId: string,
  { beforeMicros, afterMicros }: { beforeMicros: Micros; afterMicros: Micros },
): Promise<void> {
  if (beforeMicros <= 0 || afterMicros > 0) return;
  await notify(engines, tx, companyId, {
    kind: 'balance',
    ...notificationMessages.balanceExhausted,
    entity: { type: 'company', uuid: companyId },
  });
}

/** Like {@link notifyWhenExhausted} for spend posted in this transaction: `debits` in micros by company. */
export async function notifyExhaustedCompanies(
  engines: Engines,
  tx: Tx,
  debits: ReadonlyMap<string, Micros>,
): Promise<void> {
  const companyIds = [...debits.keys()].sort();
  // Without locks, two concurrent postings would each miss the other's debit, and neither would see the balance reach
  // zero.
  await lockCompanies(tx.db, companyIds);
  const balances = await walletMicrosOf(tx.db, companyIds);
  for (const companyId of companyIds) {
    const afterMicros = balances.get(companyId) ?? 0;
    const beforeMicros = afterMicros + debits.get(companyId)!;
    await notifyWhenExhausted(engines, tx, companyId, { beforeMicros, afterMicros });
  }
}
