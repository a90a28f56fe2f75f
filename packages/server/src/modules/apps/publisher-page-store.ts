import type { Db } from '../../platform/postgres/transaction.ts';

/** The page of a publisher's app in its store, as it was fetched; nulls where there was none. Belongs to no company. */
export interface PublisherPageRow {
  bundle: string;
  name: string | null;
  icon_link: string | null;
  fetched_at: Date;
}

/** The fetched pages among those of `bundles`, for reports of any company. */
export async function findPublisherPages(db: Db, bundles: readonly string[]): Promise<PublisherPageRow[]> {
  if (bundles.length === 0) return [];
  return db.selectFrom('publisher_pages').selectAll().where('bundle', 'in', bundles).execute();
}

/** Stores a fetched page in place of an earlier one. */
export async function savePublisherPage(db: Db, page: PublisherPageRow): Promise<void> {
  const { bundle: _bundle, ...fields } = page;
  await db
    .insertInto('publisher_pages')
    .values(page)
    .onConflict((conflict) => conflict.column('bundle').doUpdateSet(fields))
    .execute();
}

/** Deletes pages that were fetched before an instant: no report has asked for them since. */
export async function deletePublisherPages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('publisher_pages').where('fetched_at', '<', before).execute();
}
