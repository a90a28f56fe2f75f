import { type Transaction, sql } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

/** A transaction in progress: its database handle, and actions that run only after the commit. */
export interface Tx {
  db: Transaction<Schema>;
  afterCommit(action: () => void): void;
  /** Marks the company's entities as changed; the commit invalidates their cached responses. */
  changes(companyId: string): void;
}

/** Database handle of store functions: the database, or a transaction on it. */
export type Db = Database | Transaction<Schema>;

const finalStep = new AsyncLocalStorage<(db: Transaction<Schema>) => Promise<void>>();

/** Runs `work`; every transaction within it ends with `step`, which commits or rolls back together with it. */
export function withFinalStep<T>(
  step: (db: Transaction<Schema>) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  return finalStep.run(step, work);
}

/** Runs `work` in one transaction. A throw rolls everything back, and no `afterCommit` action runs. */
export async function transact<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await db.transaction().execute(async (transaction) => {
    const changed = new Set<string>();
    const done = await work({
      db: transaction,
      afterCommit: (action) => actions.push(action),
      changes: (companyId) => changed.add(companyId),
    });
    // Last, and in a fixed order: every transaction of a company updates this row, so none may wait for another lock
    // while holding it.
    for (const companyId of [...changed].sort()) await renewVersion(transaction, companyId);
    await finalStep.getStore()?.(transaction);
    return done;
  });
  for (const action of actions) action();
  return result;
}

/** The version of the company's entities; null when none was ever changed. */
export async function versionOf(db: Database, companyId: string): Promise<string | null> {
  const row = await db
    .selectFrom('company_versions')
    .select('version')
    .where('company_uuid', '=', companyId)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Gives the company a new version: random, because a counter could repeat one after a backup is restored. */
export async function renewVersion(db: Database, companyId: string): Promise<void> {
  const version = sql<string>`gen_random_uuid()`;
  await db
    .insertInto('company_versions')
    .values({ company_uuid: companyId, version })
    .onConflict((conflict) => conflict.column('company_uuid').doUpdateSet({ version }))
    .execute();
}
