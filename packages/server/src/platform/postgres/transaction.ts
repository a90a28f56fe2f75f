import type { Transaction } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

/** A transaction in progress: its handle on the database, and what happens only once it has committed. */
export interface Tx {
  db: Transaction<Schema>;
  afterCommit(action: () => void): void;
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
    const done = await work({ db: transaction, afterCommit: (action) => actions.push(action) });
    await lastStep.getStore()?.(transaction);
    return done;
  });
  for (const action of actions) action();
  return result;
}
