import { adsetMessages } from '@bidwell/contract/adsets/messages';
import type { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { languageCodeOf } from '@bidwell/contract/reference/language';
import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import { IAB_CATEGORIES } from '@bidwell/contract/reference/iab-categories';
import { REGIONS_FOUND_MAX } from '@bidwell/contract/reference/endpoints';
import type { ReferenceItem, Region } from '@bidwell/contract/reference/schema';
import { iso31661 } from 'iso-3166';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { regions, regionsOf, searchRegions } from './regions.ts';
import {
  algorithms,
  connectionTypes,
  deviceTypes,
  languages,
  storeGenres,
  subRegions,
  operatingSystems,
  phoneModels,
} from './lists.ts';

/** Valid values of a list in targets, by their lower-case spelling, and the noun for one of them. */
export interface ReferenceList {
  noun: string;
  values: ReadonlyMap<string, string>;
}

/** Fields of a target whose values come from a reference list. */
export type ListField = keyof typeof fixed | 'exchange_include' | 'exchange_exclude';

const listOf = (noun: string, items: readonly { value: string }[]): ReferenceList => ({
  noun,
  values: new Map(items.map(({ value }) => [value.toLowerCase(), value])),
});

/** Countries by both codes of ISO 3166-1. Stored as the two-letter code. */
const countries: ReferenceList = {
  noun: 'country',
  values: new Map(
    iso31661.flatMap(({ alpha2, alpha3 }) => [
      [alpha2.toLowerCase(), alpha2],
      [alpha3.toLowerCase(), alpha2],
    ]),
  ),
};
const regionCodes = listOf('region', regions);
/** The lists of countries and regions that cities and postal codes name. */
export const placeLists = { countries, regions: regionCodes };
const genres = listOf('genre', storeGenres);
/** Languages by their codes, also by those that other systems use for them. */
const languageCodes: ReferenceList = {
  noun: 'language',
  values: new Map([
    ...['in', 'iw', 'ji', 'fil'].map((code) => [code, languageCodeOf(code)] as const),
    ...listOf('language', languages).values,
  ]),
};
const fixed = {
  device_connection_types: listOf('connection type', connectionTypes),
  device_models: listOf('phone model', phoneModels),
  device_os: listOf('operating system', operatingSystems),
  device_types: listOf('device type', deviceTypes),
  genre_include: genres,
  genre_exclude: genres,
  language_include: languageCodes,
  language_exclude: languageCodes,
  location_include: countries,
  location_exclude: countries,
  region_include: regionCodes,
  region_exclude: regionCodes,
} satisfies Partial<Record<keyof TargetSettings, ReferenceList>>;

/** The reference list for each list field of a target. */
export async function referenceLists(db: Db): Promise<Readonly<Record<ListField, ReferenceList>>> {
  const exchanges = listOf(
    'exchange',
    (await activeSsps(db)).map(({ slug }) => ({ value: slug })),
  );
  return { ...fixed, exchange_include: exchanges, exchange_exclude: exchanges };
}

/** Throws Invalid where multipliers name an exchange that is not switched on and that they did not name `before`. */
export async function requireExchanges(
  db: Db,
  multipliers: readonly BidMultiplier[],
  before: readonly BidMultiplier[],
): Promise<void> {
  const namedIn = (all: readonly BidMultiplier[]) =>
    all.filter(({ dimension }) => dimension === 'exchange').map(({ value }) => value);
  const previous = new Set(namedIn(before));
  const added = namedIn(multipliers).filter((value) => !previous.has(value));
  if (added.length === 0) return;
  const known = (await activeSsps(db)).map(({ slug }) => slug);
  const unknown = added.find((value) => !known.some((slug) => slug.toLowerCase() === value));
  if (unknown !== undefined)
    throw new Invalid([{ field: 'bid_multipliers', message: adsetMessages.exchangeUnknown(unknown, known) }]);
}

/** The lists that change with a release only. */
const releaseLists = {
  sub_regions: subRegions,
  languages,
  connection_types: connectionTypes,
  device_types: deviceTypes,
  store_genres: storeGenres,
  iab_categories: IAB_CATEGORIES,
  phone_models: phoneModels,
  operating_systems: operatingSystems,
  algorithms,
  banner_resolutions: bannerResolutions,
};
export type ReleaseLists = typeof releaseLists;

/** Reads a list that changes with a release only. */
export function readReleaseList<Name extends keyof ReleaseLists>(
  _ctx: Context,
  actor: Actor,
  name: Name,
): ReleaseLists[Name] {
  requirePermission(actor, 'reference.read');
  return releaseLists[name];
}

/** The regions of countries by their two-letter codes, or of all countries; with `search` the first that have its words. */
export function listRegions(
  _ctx: Context,
  actor: Actor,
  { countries: codes, search = '' }: { countries?: string[] | undefined; search?: string | undefined },
): Region[] {
  requirePermission(actor, 'reference.read');
  const all = codes ? regionsOf(codes) : regions;
  return search === '' ? [...all] : searchRegions(search, all, REGIONS_FOUND_MAX);
}

/** The exchanges that are switched on, as values of targets. */
export async function listExchanges(ctx: Context, actor: Actor): Promise<ReferenceItem[]> {
  requirePermission(actor, 'reference.read');
  return (await activeSsps(ctx.db)).map(({ slug, name }) => ({ value: slug, name }));
}

/** Exchanges that are switched on. They belong to no company. */
async function activeSsps(db: Db): Promise<{ slug: string; name: string }[]> {
  return db
    .selectFrom('ssps')
    .select(['slug', 'name'])
    .where('active', '=', true)
    .orderBy('name')
    .orderBy('slug')
    .execute();
}
