import { developerDomain } from '@bidwell/contract/apps/advertiser-domain';
import { limits } from '@bidwell/contract/lib/limits';
import { z } from 'zod';
import { categoryOf } from './store-category.ts';
import { type StorePage, linkFact, ratingFact, sizeKbFact, textFact } from './store-facts.ts';
import { jsonOf } from '../../../platform/json-of.ts';

const LookupResponse = z.object({ results: z.array(z.record(z.string(), z.unknown())) });
const Genres = z.array(z.string()).catch([]);

/** Address of Apple's lookup API, which returns JSON; documented as the iTunes Search API. */
export function lookupAddress(storeId: string, country: string | null): string {
  const query = new URLSearchParams({ id: storeId, country: country ?? 'us', entity: 'software' });
  return `https://itunes.apple.com/lookup?${query.toString()}`;
}

/** Parses a response of the lookup. Null if it is invalid or does not contain the app. Never throws. */
export function readLookup(text: string, storeId: string): StorePage | null {
  const response = LookupResponse.safeParse(jsonOf(text));
  const app = response.data?.results.find((result) => result['trackId'] === Number(storeId));
  if (!app) return null;
  const bundleId = app['bundleId'];
  const genres = [app['primaryGenreName'], ...Genres.parse(app['genres'])];
  return {
    bundleId: typeof bundleId === 'string' && /^[\w.-]{1,150}$/.test(bundleId) ? bundleId : null,
    name: textFact(app['trackName'], limits.titleMax),
    description: textFact(app['description'], limits.descriptionMax),
    iconLink: linkFact(app['artworkUrl512']) ?? linkFact(app['artworkUrl100']),
    rating: ratingFact(app['averageUserRating']),
    sizeKb: sizeKbFact(app['fileSizeBytes']),
    advertiserDomain: developerDomain(app['sellerUrl']),
    category: categoryOf(genres.filter((genre) => typeof genre === 'string')),
  };
}
