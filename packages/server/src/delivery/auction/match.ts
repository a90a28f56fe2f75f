import { genresOf } from '@bidwell/contract/genres';
import { genresOfStore } from '@bidwell/contract/store-genres';
import type { ParsedApp, ParsedRequest } from '../openrtb/request.ts';
import { compareVersions, versionOf } from '../snapshot/compile.ts';
import type { Candidate, Choice } from '../snapshot/types.ts';
import type { NoBidReason } from './reasons.ts';

/** What of a request all ad sets look at, worked out once. */
export interface Audience {
  request: ParsedRequest;
  bundle: string;
  osVersion: number[] | null;
  model: string;
  deviceTypes: string[];
  connections: string[];
  /** The genres of the publisher's app; worked out when the first ad set asks. */
  genres: () => ReadonlySet<string>;
  blockedAdvertisers: ReadonlySet<string>;
  blockedApps: ReadonlySet<string>;
}

export function audienceOf(request: ParsedRequest): Audience {
  const { device, app } = request;
  let genres: ReadonlySet<string> | undefined;
  return {
    request,
    bundle: app?.bundle ?? '',
    osVersion: device.osVersion === '' ? null : versionOf(device.osVersion),
    model: device.model.toLowerCase(),
    // A phone and a tablet are mobiles too; each generation of the network is cellular.
    deviceTypes:
      device.type === 'Phone' || device.type === 'Tablet' ? [device.type, 'Mobile'] : [device.type],
    connections: device.connection.startsWith('Celular')
      ? [device.connection, 'Cellular']
      : [device.connection],
    genres: () => (genres ??= genresOfApp(app)),
    blockedAdvertisers: new Set(request.blockedAdvertisers),
    blockedApps: new Set(request.blockedApps),
  };
}

/** By the categories of the taxonomy, and by what the stores call them. */
function genresOfApp(app: ParsedApp | null): ReadonlySet<string> {
  const genres = genresOf(app?.categories ?? []);
  for (const name of app?.storeGenres ?? []) for (const genre of genresOfStore(name)) genres.add(genre);
  return genres;
}

/** Why an ad set's targeting does not fit the request; null when it does. */
export function mismatch(candidate: Candidate, audience: Audience, nowMs: number): NoBidReason | null {
  const { device, ssp } = audience.request;
  if (nowMs < candidate.runsFromMs || nowMs >= candidate.runsUntilMs) return 'campaign_not_running';
  if (device.os !== candidate.app.os) return 'os';
  if (candidate.os.size > 0 && !candidate.os.has(device.os)) return 'os';
  if (!admits(candidate.countries, device.country)) return 'country';
  if (!admits(candidate.exchanges, ssp)) return 'exchange';
  if (!oneOf(candidate.deviceTypes, audience.deviceTypes)) return 'device_type';
  if (!versionFits(candidate, audience.osVersion)) return 'os_version';
  if (candidate.models.size > 0 && !candidate.models.has(audience.model)) return 'device_model';
  if (!oneOf(candidate.connections, audience.connections)) return 'connection_type';
  if (!admits(candidate.languages, device.language)) return 'language';
  if (!genreFits(candidate.genres, audience)) return 'genre';
  if (candidate.bundles.exclude.has(audience.bundle)) return 'bundle_black_listed';
  if (candidate.bundles.include.size > 0 && !candidate.bundles.include.has(audience.bundle))
    return 'bundle_not_white_listed';
  return blocked(candidate, audience);
}

/** Why the publisher does not want this advertiser; null when it does. */
function blocked({ app, advertiserDomains }: Candidate, audience: Audience): NoBidReason | null {
  if (audience.blockedApps.has(app.bundleKey) || audience.blockedApps.has(app.ownBundleKey))
    return 'blocked_app';
  if (audience.blockedAdvertisers.size > 0 && oneOf(audience.blockedAdvertisers, advertiserDomains))
    return 'blocked_advertiser';
  if (audience.request.blockedCategories.length === 0) return null;
  const category = app.category.toUpperCase();
  const parent = category.split('-')[0]!;
  return audience.request.blockedCategories.some((blocked) => blocked === category || blocked === parent)
    ? 'blocked_category'
    : null;
}

/** An empty include list admits all; what is excluded never passes. */
function admits({ include, exclude }: Choice, value: string): boolean {
  return (include.size === 0 || include.has(value)) && !exclude.has(value);
}

function genreFits({ include, exclude }: Choice, { genres }: Audience): boolean {
  if (include.size === 0 && exclude.size === 0) return true;
  const own = [...genres()];
  return oneOf(include, own) && !own.some((genre) => exclude.has(genre));
}

/** True also when nothing is wanted in particular. */
function oneOf(wanted: ReadonlySet<string>, values: readonly string[]): boolean {
  return wanted.size === 0 || values.some((value) => wanted.has(value));
}

function versionFits({ osVersionMin, osVersionMax }: Candidate, version: number[] | null): boolean {
  if (!osVersionMin && !osVersionMax) return true;
  if (!version) return false;
  if (osVersionMin && compareVersions(version, osVersionMin) < 0) return false;
  // A maximum of 12 includes every 12.x: only as many parts as it names are compared.
  return !osVersionMax || compareVersions(version.slice(0, osVersionMax.length), osVersionMax) <= 0;
}
