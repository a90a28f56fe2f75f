import type { Db } from './transaction.ts';
import { sql } from 'kysely';

/** Locks a company until the transaction ends, so that the second of two concurrent changes counts what the first has added. */
export async function lockCompanyRow(db: Db, companyId: string): Promise<void> {
  await db.selectFrom('companies').select('uuid').where('uuid', '=', companyId).forNoKeyUpdate().execute();
}

/**
 * Locks a setting by its name until the transaction ends, so that the second of two concurrent changes sees what the first has stored, also
 * where no row exists yet.
 */
export async function lockSetting(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`setting ${name}`}, 0))`.execute(db);
}
