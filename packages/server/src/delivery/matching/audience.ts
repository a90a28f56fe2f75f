import { genresOf } from '@bidwell/contract/genres';
import { genresOfStore } from '@bidwell/contract/store-genres';
import type { ParsedApp, ParsedRequest } from '../openrtb/request.ts';

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

/** By the categories of the taxonomy, and by what the stores call them; in order. */
function genresOfApp(app: ParsedApp | null): string[] {
  const genres = genresOf(app?.categories ?? []);
  for (const name of app?.storeGenres ?? []) for (const genre of genresOfStore(name)) genres.add(genre);
  return [...genres].sort();
}
