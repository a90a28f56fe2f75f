import type { Micros } from '@bidwell/contract/money';
import type { Engines } from '../../engines.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { lockCompanies, walletMicrosOf } from './store.ts';

/**
 * Tells a company that its balance is used up, in the transaction whose debit took it from above zero to zero or below:
 * once, until it has been above zero again.
 */
export async function tellWhenUsedUp(
  engines: Engines,
  tx: Tx,
  companyId: string,
  { beforeMicros, afterMicros }: { beforeMicros: Micros; afterMicros: Micros },
): Promise<void> {
  if (beforeMicros <= 0 || afterMicros > 0) return;
  await notify(engines, tx, companyId, {
    kind: 'balance',
    title: 'Balance used up',
    text: 'Your balance is used up. Your campaigns do not bid until you add funds.',
    entity: { type: 'company', uuid: companyId },
  });
}

/** The same for spend that this transaction has entered: micros by company. */
export async function tellWhoseSpendUsedUp(
  engines: Engines,
  tx: Tx,
  debits: ReadonlyMap<string, Micros>,
): Promise<void> {
  const companyIds = [...debits.keys()].sort();
  // Two postings at once would each see the balance without the other's debit, and neither see it reach zero.
  await lockCompanies(tx.db, companyIds);
  const balances = await walletMicrosOf(tx.db, companyIds);
  for (const companyId of companyIds) {
    const afterMicros = balances.get(companyId) ?? 0;
    const beforeMicros = afterMicros + debits.get(companyId)!;
    await tellWhenUsedUp(engines, tx, companyId, { beforeMicros, afterMicros });
  }
}
