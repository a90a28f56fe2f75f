import type { Engines } from '../../engines.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import type { NewNotification } from './store.ts';
import { insertNotification } from './store.ts';

/** Tells a company something: a row in the transaction, and once committed a message to its open pages. */
export async function notify(engines: Engines, tx: Tx, companyId: string, news: Omit<NewNotification, 'at'>): Promise<void> {
  const uuid = await insertNotification(tx.db, companyId, { ...news, at: engines.now() });
  const { title, text } = news;
  tx.afterCommit(() => engines.realtime.toCompany(companyId, { type: 'notification', uuid, title, text }));
}
