import { type Migration, sql } from 'kysely';

/**
 * When the request that holds an idempotency key was last seen running, by the clock of the database: a process that was killed renews
 * none. Null for keys of releases before.
 */
export const renewedKeys: Migration = {
  async up(db) {
    for (const table of ['idempotency_keys', 'operator_idempotency_keys'])
      await sql`alter table ${sql.table(table)} add column renewed_at timestamptz`.execute(db);
  },
};
