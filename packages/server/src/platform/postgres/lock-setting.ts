import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/**
 * Locks a setting by its name until the transaction ends, so that of two changes at once the second sees what the first has stored, also
 * where no row exists yet.
 */
export async function lockSetting(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`setting ${name}`}, 0))`.execute(db);
}
