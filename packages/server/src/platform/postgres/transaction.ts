import type { Transaction } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';
import { renewVersion } from './versions-store.ts';

/** A transaction in progress: its handle on the database, and what happens only once it has committed. */
export interface Tx {
  db: Transaction<Schema>;
  afterCommit(action: () => void): void;
  /** Says that entities of the company change: what was kept of them counts no more once this has committed. */
  changes(companyId: string): void;
}

/** What a store function works on: the database, or a transaction on it. */
export type Db = Database | Transaction<Schema>;

const lastStep = new AsyncLocalStorage<(db: Transaction<Schema>) => Promise<void>>();

/** Runs `work`; every transaction within it ends with `step`, which so commits or rolls back together with it. */
export function endingTransactionsWith<T>(
  step: (db: Transaction<Schema>) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  return lastStep.run(step, work);
}

/** Runs `work` in one transaction; a throw rolls everything back and nothing of `afterCommit` runs. */
export async function transact<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await db.transaction().execute(async (transaction) => {
    const changed = new Set<string>();
    const done = await work({
      db: transaction,
      afterCommit: (action) => actions.push(action),
      changes: (companyId) => changed.add(companyId),
    });
    // Last of all, and always in the same order: every transaction of a company wants this row, so none may wait for
    // anything else while holding it.
    for (const companyId of [...changed].sort()) await renewVersion(transaction, companyId);
    await lastStep.getStore()?.(transaction);
    return done;
  });
  for (const action of actions) action();
  return result;
}
