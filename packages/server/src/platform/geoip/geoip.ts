import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Reader, Response } from 'mmdb-lib';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { repeat } from '../jobs/repeat.ts';
import { lruCache } from '../lru-cache.ts';

/** Where an address is by a database of addresses; '' for what it does not say. */
export interface AddressPlace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The code of the region within the country, as in ISO 3166-2. */
  region: string;
  city: string;
  postalCode: string;
}

/** A database of addresses in MaxMind's format, which an operator brings. */
export interface GeoIp {
  /** Where an address is; null if that is not known, or while no database could be read. Never throws. */
  lookup(address: string): AddressPlace | null;
  /** Reads the file if it has changed. A file that cannot be read is logged, and the last one that could stays in use. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

const REFRESH_MS = 60_000;
/** Databases of cities have about 100 MB. Two of them are in memory while one replaces the other. */
const FILE_BYTES_MAX = 1024 ** 3;
const CACHED_MAX = 50_000;
const UNKNOWN: AddressPlace = { country: '', region: '', city: '', postalCode: '' };

/**
 * Opens the database of the file `path`, and looks every minute whether the file has changed. A missing or broken file is
 * logged, and stops nothing.
 */
export async function openGeoIp({
  path,
  log,
  registry,
}: {
  path: string;
  log: Logger;
  registry: Registry;
}): Promise<GeoIp> {
  const built = new Gauge({
    name: 'bidwell_geoip_built_seconds',
    help: 'When the database of GEOIP_DATABASE in use was built, Unix seconds; 0 while none could be read',
    registers: [registry],
  });
  built.set(0);
  const cache = lruCache<string, AddressPlace>(CACHED_MAX);
  let reader: Reader<Response> | null = null;
  let version = '';
  let failure = '';
  const refresh = async (): Promise<void> => {
    try {
      const { mtimeMs, size } = await stat(path);
      const found = `${mtimeMs} ${size}`;
      if (found === version) return;
      version = found;
      if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
      // Only servers with such a database need its reader.
      const mmdb = await import('mmdb-lib');
      const opened = new mmdb.Reader<Response>(await readFile(path));
      // A damaged file often opens, and fails at the first look-up.
      opened.get('192.0.2.1');
      reader = opened;
      cache.clear();
      const { buildEpoch, databaseType } = opened.metadata;
      built.set(buildEpoch.getTime() / 1000);
      failure = '';
      log.info({ path, databaseType, buildEpoch }, 'the database of GEOIP_DATABASE is in use');
    } catch (err) {
      const reason = String(err);
      // A file that stays away is named once, not every minute.
      if (reason === failure) return;
      failure = reason;
      const state = reader ? 'the last one that could be read stays in use' : 'bids go on without one';
      log.error({ err, path }, `the database of GEOIP_DATABASE could not be read; ${state}`);
    }
  };
  await refresh();
  const job = repeat(REFRESH_MS, 'look for a new database of addresses', log, refresh);
  return {
    lookup(address) {
      if (reader === null || address === '') return null;
      const known = cache.get(address);
      if (known) return known === UNKNOWN ? null : known;
      const place = placeIn(reader, address) ?? UNKNOWN;
      cache.set(address, place);
      return place === UNKNOWN ? null : place;
    },
    refresh,
    stop: async () => job.stop(),
  };
}

function placeIn(reader: Reader<Response>, address: string): AddressPlace | null {
  if (isIP(address) === 0) return null;
  try {
    return placeOf(reader.get(address));
  } catch {
    // A damaged part of the file.
    return null;
  }
}

/** The fields of MaxMind's databases, which other vendors' have too. */
interface AddressRecord {
  country?: { iso_code?: unknown };
  subdivisions?: { iso_code?: unknown }[];
  city?: { names?: { en?: unknown } };
  postal?: { code?: unknown };
}

function placeOf(found: unknown): AddressPlace | null {
  if (typeof found !== 'object' || found === null) return null;
  const { country, subdivisions, city, postal }: AddressRecord = found;
  const place = {
    country: textOf(country?.iso_code),
    region: textOf(subdivisions?.[0]?.iso_code),
    city: textOf(city?.names?.en),
    postalCode: textOf(postal?.code),
  };
  return place.country === '' ? null : place;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
