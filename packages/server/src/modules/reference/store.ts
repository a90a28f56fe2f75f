import type { Db } from '../../platform/postgres/transaction.ts';

/** The exchanges that send traffic now; they are the platform's, not a company's. */
export async function activeSsps(db: Db): Promise<{ slug: string; name: string }[]> {
  return db
    .selectFrom('ssps')
    .select(['slug', 'name'])
    .where('active', '=', true)
    .orderBy('name')
    .orderBy('slug')
    .execute();
}
