import { sql } from 'kysely';
import type { Database } from '../client.ts';

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
