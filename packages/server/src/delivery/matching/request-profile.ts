import { genresOf } from '@bidwell/contract/reference/genres';
import { genresOfStore } from '@bidwell/contract/apps/store-genres';
import { memoizeText } from '../../platform/memoize-text.ts';
import type { ParsedApp, ParsedDevice, ParsedRequest } from '../model/bid-request.ts';

/** The properties of a request that have few combinations of values, for which results are memoised. */
export interface CommonProfile {
  request: {
    ssp: string;
    device: Pick<ParsedDevice, 'os' | 'country' | 'type' | 'connection' | 'language'>;
  };
  deviceTypes: readonly string[];
  connections: readonly string[];
}

/** Properties of a request that targeting is matched against, computed once per request. */
export interface RequestProfile extends CommonProfile {
  request: ParsedRequest;
  bundle: string;
  /** Ids of the publisher's app: its bundle, and the id in its store URL where that is another. */
  publisherIds: readonly string[];
  model: string;
  genres: readonly string[];
}

export function commonProfileOf(request: CommonProfile['request']): CommonProfile {
  const { type, connection } = request.device;
  return { request, deviceTypes: deviceTypesOf(type), connections: connectionsOf(connection) };
}

export function requestProfileOf(request: ParsedRequest): RequestProfile {
  const { device, app } = request;
  return {
    request,
    bundle: app?.bundle ?? '',
    publisherIds: publisherIdsOf(app),
    model: device.model.toLowerCase(),
    deviceTypes: deviceTypesOf(device.type),
    connections: connectionsOf(device.connection),
    genres: genresOfApp(app),
  };
}

function publisherIdsOf(app: ParsedApp | null): readonly string[] {
  if (!app) return [];
  return app.storeId === '' ? [app.bundle] : [app.bundle, app.storeId];
}

/** Phones and tablets also match Mobile. */
const deviceTypesOf = memoizeText((type) =>
  type === 'Phone' || type === 'Tablet' ? [type, 'Mobile'] : [type],
);

/** Each network generation also matches Cellular. */
const connectionsOf = memoizeText((connection) =>
  connection.startsWith('Celular') ? [connection, 'Cellular'] : [connection],
);

const MEMO_MAX = 5000;
const KEY_CHARS_MAX = 500;
const memo = new Map<string, readonly string[]>();

/** The names of an app's genres, sorted and cached: few distinct lists of categories occur. */
export function genresOfApp(app: ParsedApp | null): readonly string[] {
  if (!app) return [];
  const key = `${app.categories.join()}\n${app.storeGenres.join('\n')}`;
  const known = memo.get(key);
  if (known) return known;
  const genres = readGenres(app);
  // Bounds the cache's memory: the lists come from exchanges and may be long.
  if (key.length > KEY_CHARS_MAX) return genres;
  if (memo.size >= MEMO_MAX) memo.clear();
  memo.set(key, genres);
  return genres;
}

/** Genres by IAB category and by store genre, sorted. */
function readGenres({ categories, storeGenres }: ParsedApp): string[] {
  const genres = genresOf(categories);
  for (const name of storeGenres) for (const genre of genresOfStore(name)) genres.add(genre);
  return [...genres].sort();
}
