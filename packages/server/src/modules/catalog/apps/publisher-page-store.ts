import { sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The page of a publisher's app in its store, as it was fetched; nulls where there was none. Belongs to no company. */
export interface PublisherPageRow {
  bundle: string;
  name: string | null;
  icon_link: string | null;
  fetched_at: Date;
  /** The sellers in the developer's app-ads.txt file; empty without a file, null where that is not known. */
  app_ads: string[] | null;
}

/** A fetched page, and which of the requested sellers are in the developer's app-ads.txt file. */
export interface FoundPage extends Omit<PublisherPageRow, 'app_ads'> {
  /** Number of sellers in the file, 0 without a file; null where that is not known. */
  app_ads_sellers: number | null;
  listed: string[];
}

/** The fetched pages among those of `bundles`, for reports of any company. */
export async function findPublisherPages(
  db: Db,
  bundles: readonly string[],
  sellers: readonly string[],
): Promise<FoundPage[]> {
  if (bundles.length === 0) return [];
  return db
    .selectFrom('publisher_pages')
    .select(['bundle', 'name', 'icon_link', 'fetched_at'])
    .select(sql<number | null>`cardinality(app_ads)`.as('app_ads_sellers'))
    .select(
      sql<string[]>`array(
        select one from unnest(app_ads) as one where one in (select jsonb_array_elements_text(${json(sellers)}))
      )`.as('listed'),
    )
    .where('bundle', 'in', bundles)
    .execute();
}

/** Names of publishers' apps by bundle as on their fetched pages; those without one are absent. */
export async function findPageNames(
  db: Db,
  bundles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (bundles.length === 0) return new Map();
  const rows = await db
    .selectFrom('publisher_pages')
    .select(['bundle', sql<string>`name`.as('name')])
    .where('bundle', 'in', sql<string>`(select jsonb_array_elements_text(${json(bundles)}))`)
    .where('name', 'is not', null)
    .execute();
  return new Map(rows.map(({ bundle, name }) => [bundle, name]));
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

/** Deletes pages that were fetched before an instant: no report has requested them since. */
export async function deletePublisherPages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('publisher_pages').where('fetched_at', '<', before).execute();
}
