import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { genresOfApp } from '../matching/request-profile.ts';
import type { ParsedRequest } from '../model/bid-request.ts';

/** Requests of the sample with one property in common, such as a country. */
export interface Share {
  value: string;
  requests: number;
}

const VALUES_MAX = 5;

/** The property of a request for which it leaves the funnel; '' for reasons that need no value. */
export function valueOf(exit: FunnelExit, { device, app, ssp, imps }: ParsedRequest): string {
  switch (exit) {
    case 'country':
      return device.country;
    case 'exchange':
      return ssp;
    case 'device_type':
      return device.type;
    case 'os_version':
      return device.osVersion;
    case 'device_model':
      return device.model;
    case 'connection_type':
      return device.connection;
    case 'language':
      return device.language;
    case 'genre':
      return genresOfApp(app)[0] ?? '';
    case 'bundle_black_listed':
    case 'bundle_not_white_listed':
      return app?.bundle ?? '';
    case 'no_matching_size': {
      const banner = imps.find((imp) => imp.banner)?.banner;
      const size = banner?.sizes[0] ?? banner?.screen;
      return size ? `${size.width}×${size.height}` : '';
    }
    case 'no_matching_format': {
      const [imp] = imps;
      return imp?.video ? 'video' : imp?.native ? 'native' : imp?.banner ? 'banner' : '';
    }
    default:
      return '';
  }
}

/** The counts of a key, empty ones where it has none yet. */
export function ofKey<Key, Value>(maps: Map<Key, Map<Value, number>>, key: Key): Map<Value, number> {
  let map = maps.get(key);
  if (!map) maps.set(key, (map = new Map()));
  return map;
}

/** The values with the highest counts, the highest first. */
export function mostFrequent(counts: ReadonlyMap<string, number>): Share[] {
  return [...counts]
    .map(([value, requests]) => ({ value, requests }))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, VALUES_MAX);
}
