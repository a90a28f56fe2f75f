import type { StoreLink } from '@bidwell/contract/apps/store-link';
import type { Context } from '../../../context.ts';
import { TtlCache } from '../../../platform/ttl-cache.ts';
import { lookupAddress, readLookup } from './app-store-page.ts';
import { googlePlayAddress, readGooglePlay } from './google-play-page.ts';
import type { StorePage } from './store-facts.ts';

const CACHE_MS = 10 * 60_000;
const PAGES_MAX = 1000;
const appStore = new Set(['itunes.apple.com']);
const googlePlay = new Set(['play.google.com']);

/** Reads an app's page in its store. Null if store pages are off, or the page cannot be fetched or parsed. */
export type ReadStorePage = (link: StoreLink) => Promise<StorePage | null>;

/** Creates a reader of store pages that caches them for ten minutes. */
export function createStorePageReader({ fetchPage, log }: Pick<Context, 'fetchPage' | 'log'>): ReadStorePage {
  if (!fetchPage) return async () => null;
  const pages = new TtlCache<StorePage | null>(CACHE_MS, PAGES_MAX);
  const read = async ({ os, bundleId, country }: StoreLink) =>
    os === 'ios'
      ? readLookup(await fetchPage(lookupAddress(bundleId, country), appStore), bundleId)
      : readGooglePlay(await fetchPage(googlePlayAddress(bundleId), googlePlay));
  return async (link) => {
    try {
      return await pages.get(link.canonical, () => read(link));
    } catch (error) {
      log.info(
        { reason: (error as Error).message, link: link.canonical },
        'a store page could not be fetched',
      );
      return null;
    }
  };
}
