import type { AppAdsState } from '@bidwell/contract/campaign-reports/bundles';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import type { Context } from '../../../context.ts';
import { untilAborted } from '../../../platform/concurrency/until-aborted.ts';
import { type RepeatingJob, repeat } from '../../../platform/jobs/repeat.ts';
import { fetchAppAds, sellerKey } from './app-ads.ts';
import {
  type FoundPage,
  findPageNames,
  findPublisherPages,
  savePublisherPage,
} from './publisher-page-store.ts';
import { createStorePageReader } from './store-page.ts';

/** What a publisher's app has on its page in the store. */
export interface PublisherPage {
  name: string | null;
  iconLink: string | null;
  /** What its developer's app-ads.txt file says of a seller; null where that is not known. */
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
  /** The pages that are known. Those that are not, or are old, are fetched in the background, one by one. */
  find(apps: readonly LinkedApp[]): Promise<ReadonlyMap<string, PublisherPage>>;
}

/** Names of publishers' apps on their pages in the stores, by bundle; those without a fetched page are absent. */
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
