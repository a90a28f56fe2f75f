import { genresOf } from '@bidwell/contract/genres';
import { genresOfStore } from '@bidwell/contract/store-genres';
import type { ParsedApp, ParsedRequest } from '../model/bid-request.ts';

/** What of a request all ad sets look at, worked out once. */
export interface Audience {
  request: ParsedRequest;
  bundle: string;
  model: string;
  deviceTypes: readonly string[];
  connections: readonly string[];
  genres: readonly string[];
}

export function audienceOf(request: ParsedRequest): Audience {
  const { device, app } = request;
  return {
    request,
    bundle: app?.bundle ?? '',
    model: device.model.toLowerCase(),
    // A phone and a tablet are mobiles too; each generation of the network is cellular.
    deviceTypes:
      device.type === 'Phone' || device.type === 'Tablet' ? [device.type, 'Mobile'] : [device.type],
    connections: device.connection.startsWith('Celular')
      ? [device.connection, 'Cellular']
      : [device.connection],
    genres: genresOfApp(app),
  };
}

const KEPT_MAX = 5000;
const KEY_CHARS_MAX = 500;
const kept = new Map<string, readonly string[]>();

/** The genres of an app; the same few lists of categories come again and again. */
function genresOfApp(app: ParsedApp | null): readonly string[] {
  if (!app) return [];
  const key = `${app.categories.join()}\n${app.storeGenres.join('\n')}`;
  const known = kept.get(key);
  if (known) return known;
  const genres = readGenres(app);
  // What an exchange sends may be long, and other each time.
  if (key.length > KEY_CHARS_MAX) return genres;
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, genres);
  return genres;
}

/** By the categories of the taxonomy, and by what the stores call them; in order. */
function readGenres({ categories, storeGenres }: ParsedApp): string[] {
  const genres = genresOf(categories);
  for (const name of storeGenres) for (const genre of genresOfStore(name)) genres.add(genre);
  return [...genres].sort();
}
