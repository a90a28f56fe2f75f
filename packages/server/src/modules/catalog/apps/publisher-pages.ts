import type { AppAdsState } from '@bidwell/contract/campaign-reports/bundles';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import type { Context } from '../../../context.ts';
import { untilAborted } from '../../../platform/concurrency/time-limits.ts';
import { type RepeatingJob, repeat } from '../../../platform/jobs/repeat.ts';
import { createStorePageReader } from './app-store-listing.ts';
import { PageUnavailable } from '../../../platform/outbound/fetch-page.ts';
import { sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The page of a publisher's app in the store. */
export interface PublisherPage {
  name: string | null;
  iconLink: string | null;
  /** The state of a seller in its developer's app-ads.txt file; null where that is not known. */
  appAdsOf: (seller: Seller) => AppAdsState | null;
}

interface Seller {
  domain: string;
  id: string;
}

/** A publisher's app with its sellers, and its store link; '' where that is not known. */
interface LinkedApp {
  bundle: string;
  storeLink: string;
  sellers: readonly Seller[];
}

/** The pages of publishers' apps in the stores, fetched once for all companies. */
export interface PublisherPages extends RepeatingJob {
  /** The known pages. Unknown and old pages are fetched in the background, one by one. */
  find(apps: readonly LinkedApp[]): Promise<ReadonlyMap<string, PublisherPage>>;
}

/** Names of publishers' apps on their pages in the stores, by bundle; apps without a fetched page are absent. */
export async function publisherPageNames(
  { db }: Context,
  bundles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return findPageNames(db, bundles);
}

/** A page is fetched again after this time; one that could not be read sooner. */
const FRESH_MS = 30 * 86_400_000;
const RETRY_MS = 86_400_000;
/** One page is requested of a store in this time. */
const FETCH_EVERY_MS = 1000;
const WAITING_MAX = 500;

/** Starts to fetch pages of publishers' apps where store pages are on. */
export function startPublisherPages(ctx: Context): PublisherPages {
  const { db, log, now } = ctx;
  const readPage = createStorePageReader(ctx);
  const waiting = new Map<string, string>();
  const job = repeat(FETCH_EVERY_MS, 'fetch pages of publishers', log, async (stopping) => {
    const [next] = waiting;
    if (!next) return;
    const [bundle, storeLink] = next;
    try {
      await untilAborted(fetchPage(bundle, storeLink), stopping);
    } finally {
      // A page that fails is requested again with the next report, and does not hold up the others.
      waiting.delete(bundle);
    }
  });
  async function fetchPage(bundle: string, storeLink: string): Promise<void> {
    const link = parseStoreLink(storeLink);
    const page = link && (await readPage(link));
    const domain = page?.advertiserDomain;
    await savePublisherPage(db, {
      bundle,
      name: page?.name ?? null,
      icon_link: page?.iconLink ?? null,
      app_ads: domain ? await fetchAppAds(ctx, domain) : null,
      fetched_at: now(),
    });
  }
  return {
    stop: () => job.stop(),
    async find(apps) {
      const rows = await findPublisherPages(
        db,
        apps.map(({ bundle }) => bundle),
        apps.flatMap(({ sellers }) => sellers.map(sellerKey)),
      );
      const pages = new Map(rows.map((row) => [row.bundle, row]));
      for (const { bundle, storeLink } of apps) {
        const page = pages.get(bundle);
        const ageMs = page ? now().getTime() - page.fetched_at.getTime() : Infinity;
        const isOld = ageMs > (page?.name ? FRESH_MS : RETRY_MS);
        if (ctx.fetchPage && storeLink !== '' && isOld && waiting.size < WAITING_MAX)
          waiting.set(bundle, storeLink);
      }
      return new Map(
        rows.map((row) => [
          row.bundle,
          { name: row.name, iconLink: row.icon_link, appAdsOf: (seller: Seller) => stateOf(row, seller) },
        ]),
      );
    },
  };
}

function stateOf({ app_ads_sellers: sellers, listed }: FoundPage, seller: Seller): AppAdsState | null {
  if (sellers === null) return null;
  if (sellers === 0) return 'no_file';
  return listed.includes(sellerKey(seller)) ? 'listed' : 'not_listed';
}

/** Longest domain and account that are stored, with the spaces around them. */
const ENTRY_CHARS_MAX = 200;

/** A seller as an entry of a file names it: the domain of the advertising system and the account there. Pure. */
export function sellerKey({ domain, id }: { domain: string; id: string }): string {
  return `${domain.trim().toLowerCase()},${id.trim().toLowerCase()}`;
}

/**
 * The authorized sellers of an app-ads.txt file (IAB Tech Lab, ads.txt 1.1, 3.4) as {@link sellerKey}s: lines of a domain, an
 * account and DIRECT or RESELLER. Comments, variables and other lines are left out. Pure.
 */
export function readAppAds(text: string): string[] {
  const sellers = new Set<string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [domain = '', id = '', relation = ''] = line.split('#', 1)[0]!.split(',');
    if (!/^\s*(direct|reseller)\s*(;|$)/i.test(relation)) continue;
    // PostgreSQL stores no NUL.
    if (line.includes('\0')) continue;
    const isEntry = domain.includes('.') && id.trim() !== '' && domain.length + id.length <= ENTRY_CHARS_MAX;
    if (isEntry) sellers.add(sellerKey({ domain, id }));
  }
  return [...sellers];
}

/**
 * The authorized sellers of a developer's app-ads.txt file; empty where there is none, null where that is not known. Never
 * throws.
 */
async function fetchAppAds(
  { fetchPage, log }: Pick<Context, 'fetchPage' | 'log'>,
  domain: string,
): Promise<string[] | null> {
  if (!fetchPage) return null;
  try {
    const hosts = new Set([domain, `www.${domain}`]);
    const text = await fetchPage(`https://${domain}/app-ads.txt`, hosts);
    // Many websites respond to unknown addresses with a page.
    return /^\s*</.test(text) ? [] : readAppAds(text);
  } catch (error) {
    const { status, message } = error as PageUnavailable;
    if (error instanceof PageUnavailable && (status === 404 || status === 410)) return [];
    log.info({ reason: message, domain }, 'an app-ads.txt file could not be fetched');
    return null;
  }
}

/** The page of a publisher's app in its store, as it was fetched; nulls where there was none. Belongs to no company. */
interface PublisherPageRow {
  bundle: string;
  name: string | null;
  icon_link: string | null;
  fetched_at: Date;
  /** The sellers in the developer's app-ads.txt file; empty without a file, null where that is not known. */
  app_ads: string[] | null;
}

/** A fetched page, and which of the requested sellers are in the developer's app-ads.txt file. */
interface FoundPage extends Omit<PublisherPageRow, 'app_ads'> {
  /** Number of sellers in the file, 0 without a file; null where that is not known. */
  app_ads_sellers: number | null;
  listed: string[];
}

/** The fetched pages of `bundles`, for reports of any company. */
async function findPublisherPages(
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

/** Names of publishers' apps by bundle as on their fetched pages; apps without a page are absent. */
async function findPageNames(db: Db, bundles: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
async function savePublisherPage(db: Db, page: PublisherPageRow): Promise<void> {
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
