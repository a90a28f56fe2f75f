import type { Db } from '../../../platform/postgres/transaction.ts';

/** Exchanges that are switched on. They belong to no company. */
export async function activeSsps(db: Db): Promise<{ slug: string; name: string }[]> {
  return db
    .selectFrom('ssps')
    .select(['slug', 'name'])
    .where('active', '=', true)
    .orderBy('name')
    .orderBy('slug')
    .execute();
}
