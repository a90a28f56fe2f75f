import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { normaliseBundle, withoutIdPrefix } from '@bidwell/contract/adsets/bundles';
import { isOwnDeepLink } from '@bidwell/contract/adsets/own-deep-link';
import { openHours } from '@bidwell/contract/adsets/hours';
import { flightMs } from '@bidwell/contract/campaigns/flight';
import { SCREEN_TYPES } from '@bidwell/contract/reference/schema';
import { languageCodeOf } from '@bidwell/contract/reference/language';
import { type TargetSettings, emptyTargetSettings } from '@bidwell/contract/targets/schema';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { categoryKeysOf } from '@bidwell/contract/reference/iab-taxonomies';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { lruCache } from '../../platform/lru-cache.ts';
import { type AudienceLookup, NO_AUDIENCES } from '../model/audience.ts';
import { createBitset, setBit, type Bitset } from '../model/bitset.ts';
import { compileCaps } from '../model/frequency.ts';
import { bidFactorsOf } from '../model/bid-factor.ts';
import { goalOf } from '../model/goal.ts';
import { mediaCpmMicros, multiplied } from '../model/price-rules.ts';
import { carrierTargets, cityTargets, postalTargets } from '../matching/place-keys.ts';
import { Matcher } from '../matching/matcher.ts';
import { versionOf } from '../matching/versions.ts';
import { type FormatResolver, formatResolver } from './creative-format.ts';
import type { Snapshot, FormatIndex } from './snapshot.ts';
import {
  type AdsetRow,
  type Candidate,
  type IncludeExclude,
  type CompiledAdset,
  type CompiledHours,
  type Creative,
  formatKeyOf,
  type CreativeFormat,
} from '../model/candidate.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Compiles rows of the database into a snapshot. Pure. */
export function compileSnapshot(
  rows: readonly AdsetRow[],
  audiences: AudienceLookup = NO_AUDIENCES,
): Snapshot {
  const shaped = formatResolver();
  return runToCompletion(
    snapshotCompilation(
      rows.map((row) => compileAdset(row, shaped)),
      audiences,
    ),
  );
}

/** Builds a snapshot and yields after each ad set, so that the caller can return to the event loop in between. */
export function* snapshotCompilation(
  adsets: readonly CompiledAdset[],
  audiences: AudienceLookup,
): Generator<undefined, Snapshot> {
  const creativeFormats = new FormatIndexBuilder(adsets.length);
  const matcher = new Matcher(adsets.length);
  const candidates: Candidate[] = [];
  const insecure = createBitset(adsets.length);
  let countsClocks = false;
  // Descending by the highest possible bid: the search for the highest bidder can then stop early.
  for (const adset of adsets.toSorted((a, b) => b.ceilingCpmMicros - a.ceilingCpmMicros)) {
    const candidate = candidateOf(adset, candidates.length);
    candidates.push(candidate);
    if (!candidate.isSecure) setBit(insecure, candidate.index);
    countsClocks ||= candidate.hours?.zone === 'device' && candidate.algorithm === 'Max installs';
    matcher.add(candidate);
    creativeFormats.add(candidate);
    yield;
  }
  return { candidates, matcher, byFormat: creativeFormats.index(), insecure, countsClocks, audiences };
}

const flights = lruCache<string, { fromMs: number; untilMs: number }>(5000);

/** The flight of an ad set's campaign. Cached: computing it takes longer than the rest of an ad set. */
function flightOf({ startDate, startTime = null, endDate, endTime = null, timeZone }: AdsetRow) {
  const key = `${startDate} ${startTime} ${endDate} ${endTime} ${timeZone}`;
  let flight = flights.get(key);
  if (!flight) {
    const dates = { start_date: startDate, start_time: startTime, end_date: endDate, end_time: endTime };
    flights.set(key, (flight = flightMs(dates, timeZone)));
  }
  return flight;
}

/** An ad set's prices without the company's margin, as it can bid them at exchanges. */
function pricesOf({
  algorithm,
  app,
  goal,
  cpmMicros,
  cpiMicros,
  bundleCpmMicros,
  marginBasisPoints = 0,
  multipliers = [],
  multiplierAudiences,
  countries = [],
  hoursZone = 'company',
  timeZone,
}: AdsetRow) {
  const withoutMargin = (micros: Micros): Micros => mediaCpmMicros(micros, marginBasisPoints);
  const countryBids = new Map(
    countries.map(({ country, bet_cpm: cpm, bet_cpi: cpi }) => [
      country,
      {
        cpmMicros: cpm === null ? null : withoutMargin(toMicros(cpm)),
        cpiMicros: cpi === null ? null : withoutMargin(toMicros(cpi)),
      },
    ]),
  );
  const countryBudgets = new Map(
    countries.flatMap(({ country, daily_budget: dollars }) =>
      dollars ? [[country, toMicros(dollars)] as const] : [],
    ),
  );
  const factors = bidFactorsOf(multipliers, hoursZone, timeZone, multiplierAudiences);
  const highestMicros = [
    ...Object.values(bundleCpmMicros),
    ...countries.map(({ bet_cpm: cpm }) => (cpm === null ? 0 : toMicros(cpm))),
  ].reduce((a, b) => Math.max(a, b), cpmMicros);
  return {
    marginBasisPoints,
    cpmMicros: withoutMargin(cpmMicros),
    ceilingCpmMicros: multiplied(withoutMargin(highestMicros), factors?.highest ?? 1),
    countryBids,
    countryBudgets,
    factors,
    cpiMicros: cpiMicros === null ? null : withoutMargin(cpiMicros),
    goal: goalOf({ algorithm, appId: app.uuid, goal, cpmMicros, cpiMicros }, withoutMargin),
    bundleCpmMicros: new Map(
      Object.entries(bundleCpmMicros).map(([publisher, cpm]) => [
        withoutIdPrefix(normaliseBundle(publisher)),
        withoutMargin(cpm),
      ]),
    ),
  };
}

function compiledHours({ hours, hoursZone = 'company', timeZone }: AdsetRow): CompiledHours | null {
  return hours ? { zone: hoursZone, timeZone, open: openHours(hours) } : null;
}

/** Compiles an ad set's row for the auction. Pure, except for the cache in `shaped`. */
export function compileAdset(row: AdsetRow, shaped: FormatResolver): CompiledAdset {
  // A target that an earlier release stored, or a row that it wrote to disk, lacks later fields.
  const target = { ...emptyTargetSettings, ...row.target };
  const flight = flightOf(row);
  const bundle = exchangeBundle(row.app);
  const icons = row.creatives.filter(isIcon).map(({ file }) => file);
  // An image without https would break secure markup.
  const iconLink = row.app.iconLink !== null && isSecure(row.app.iconLink) ? row.app.iconLink : null;
  // Apps created before the domain was required use the store's host, until the company sets its own.
  const advertiserDomain = row.app.advertiserDomain ?? storeHost(row.app.storeLink);
  return {
    adsetId: row.adsetId,
    companyId: row.companyId,
    timeZone: row.timeZone,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    reEngagement: row.reEngagement ?? false,
    advertiserName: row.advertiserName?.trim() ?? '',
    runsFromMs: flight.fromMs,
    runsUntilMs: flight.untilMs,
    hours: compiledHours(row),
    app: {
      uuid: row.app.uuid,
      name: row.app.name,
      iconLink,
      rating: row.app.rating,
      os: row.app.os,
      bundle,
      bundleKey: normaliseBundle(bundle),
      ownBundleKey: withoutIdPrefix(normaliseBundle(row.app.bundle)),
      category: row.app.category,
      categoryKeys: categoryKeysOf(row.app.category),
    },
    advertiserDomain,
    advertiserDomains: withParents(advertiserDomain),
    // Absent from rows that an older version wrote to disk.
    clickUrl: row.clickUrl ?? '',
    viewUrl: row.viewUrl,
    deepLink: row.deepLink && isOwnDeepLink(row.deepLink, row.app.advertiserDomain) ? row.deepLink : null,
    isSecure: viewUrlsOf(row).every((url) => url === '' || isSecure(url)),
    algorithm: row.algorithm,
    ...pricesOf(row),
    dailyBudgetMicros: row.dailyBudgetMicros || null,
    totalBudgetMicros: row.totalBudgetMicros || null,
    caps: compileCaps(row),
    sourceIdentifier:
      row.sourceIdentifiers?.find(({ itemId }) => row.app.os === 'ios' && String(itemId) === bundle)
        ?.number ?? null,
    productPageId: row.productPageId ?? null,
    overlay: row.overlay ?? null,
    audiences: row.audiences ?? null,
    creatives: shaped(row.creatives, row.app, iconLink !== null || icons.length > 0),
    icons,
    bundles: { include: bundleSet(row.whiteList), exclude: bundleSet(row.blackList) },
    os: lowerSet(target.device_os),
    osVersionMin: target.device_min_os_version === null ? null : versionOf(target.device_min_os_version),
    osVersionMax: target.device_max_os_version === null ? null : versionOf(target.device_max_os_version),
    models: lowerSet(target.device_models),
    deviceTypes: deviceTypesOf(target.device_types),
    connections: new Set(target.device_connection_types),
    exchanges: choice(target.exchange_include, target.exchange_exclude, lower),
    genres: choice(target.genre_include, target.genre_exclude, (genre) => genre),
    languages: choice(target.language_include, target.language_exclude, languageKeyOf),
    countries: choice(target.location_include, target.location_exclude, (code) => code.toUpperCase()),
    ...placesOf(target),
  };
}

function placesOf(target: TargetSettings) {
  return {
    regions: choice(target.region_include, target.region_exclude, (code) => code.toUpperCase()),
    cities: cityTargets(target.city_include, target.city_exclude),
    postalCodes: postalTargets(target.postal_include, target.postal_exclude),
    carriers: carrierTargets(target.carrier_include, target.carrier_exclude),
    circles: { include: target.radius_include, exclude: target.radius_exclude },
    placementKinds: new Set<string>(target.placement_kinds),
    deviceIds: new Set<string>(target.device_id === 'any' ? [] : [target.device_id]),
  };
}

/** Televisions and other screens match only a target that names them. */
function deviceTypesOf(named: readonly string[]): IncludeExclude {
  return { include: new Set(named), exclude: new Set(named.length === 0 ? SCREEN_TYPES : []) };
}

/** The view URLs of an ad set's ads: the URLs of its creatives, or of the tracking link for creatives without one. */
function viewUrlsOf({ viewUrl, creatives }: AdsetRow): string[] {
  return creatives.length === 0 ? [viewUrl] : creatives.map((creative) => creative.viewUrl ?? viewUrl);
}

function isSecure(url: string): boolean {
  return /^https:/i.test(url);
}

function isIcon({ type, file }: Creative): boolean {
  return type === 'Native' && file.width === file.height;
}

/** Exchanges identify an iOS app by its App Store number, even if the advertiser gave a bundle id. */
function exchangeBundle({ os, bundle, storeLink }: AdsetRow['app']): string {
  const store = os === 'ios' ? parseStoreLink(storeLink) : null;
  return store?.os === 'ios' ? store.bundleId : bundle;
}

function storeHost(storeLink: string): string {
  return canParseUrl(storeLink) ? new URL(storeLink).hostname : '';
}

/** A domain and its parent domains without the top level: `apps.apple.com` and `apple.com`, not `com`. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
}

function choice(include: string[], exclude: string[], normalise: (text: string) => string): IncludeExclude {
  return { include: new Set(include.map(normalise)), exclude: new Set(exclude.map(normalise)) };
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** A language as bid requests are read. */
function languageKeyOf(code: string): string {
  return languageCodeOf(code) || lower(code);
}

function bundleSet(bundles: string[]): Set<string> {
  return new Set(bundles.map((bundle) => withoutIdPrefix(normaliseBundle(bundle))));
}

function lowerSet(texts: string[]): Set<string> {
  return new Set(texts.map(lower));
}

/**
 * The ad set at an index of a snapshot. The properties are listed because V8 gives each copy by `{ ...adset, index }` a
 * hidden class of its own, so that all reads in the auction would be megamorphic.
 */
function candidateOf(adset: CompiledAdset, index: number): Candidate {
  return {
    index,
    adsetId: adset.adsetId,
    companyId: adset.companyId,
    timeZone: adset.timeZone,
    campaignId: adset.campaignId,
    campaignName: adset.campaignName,
    reEngagement: adset.reEngagement,
    advertiserName: adset.advertiserName,
    runsFromMs: adset.runsFromMs,
    runsUntilMs: adset.runsUntilMs,
    hours: adset.hours,
    app: adset.app,
    advertiserDomain: adset.advertiserDomain,
    advertiserDomains: adset.advertiserDomains,
    clickUrl: adset.clickUrl,
    viewUrl: adset.viewUrl,
    deepLink: adset.deepLink,
    isSecure: adset.isSecure,
    algorithm: adset.algorithm,
    marginBasisPoints: adset.marginBasisPoints,
    cpmMicros: adset.cpmMicros,
    ceilingCpmMicros: adset.ceilingCpmMicros,
    cpiMicros: adset.cpiMicros,
    goal: adset.goal,
    dailyBudgetMicros: adset.dailyBudgetMicros,
    totalBudgetMicros: adset.totalBudgetMicros,
    caps: adset.caps,
    sourceIdentifier: adset.sourceIdentifier,
    productPageId: adset.productPageId,
    overlay: adset.overlay,
    audiences: adset.audiences,
    creatives: adset.creatives,
    icons: adset.icons,
    bundles: adset.bundles,
    bundleCpmMicros: adset.bundleCpmMicros,
    countryBids: adset.countryBids,
    countryBudgets: adset.countryBudgets,
    factors: adset.factors,
    os: adset.os,
    osVersionMin: adset.osVersionMin,
    osVersionMax: adset.osVersionMax,
    models: adset.models,
    deviceTypes: adset.deviceTypes,
    connections: adset.connections,
    exchanges: adset.exchanges,
    genres: adset.genres,
    languages: adset.languages,
    countries: adset.countries,
    regions: adset.regions,
    cities: adset.cities,
    postalCodes: adset.postalCodes,
    carriers: adset.carriers,
    circles: adset.circles,
    placementKinds: adset.placementKinds,
    deviceIds: adset.deviceIds,
  };
}

/** Groups ad sets by the creative formats of their creatives. */
class FormatIndexBuilder {
  readonly #size: number;
  readonly #slots = new Map<CreativeFormat, Bitset>();

  constructor(size: number) {
    this.#size = size;
  }

  add({ index, creatives }: Candidate): void {
    for (const { creativeFormat } of creatives) {
      let bits = this.#slots.get(creativeFormat);
      if (!bits) this.#slots.set(creativeFormat, (bits = createBitset(this.#size)));
      setBit(bits, index);
    }
  }

  index(): FormatIndex {
    const slots = [...this.#slots].map(([creativeFormat, adsets]) => ({
      creativeFormat,
      formatKey: formatKeyOf(creativeFormat),
      adsets,
    }));
    const ofType = (type: CreativeFormat['type']) =>
      slots.filter(({ creativeFormat }) => creativeFormat.type === type);
    return {
      Banner: ofType('Banner'),
      Video: ofType('Video'),
      Playable: ofType('Playable'),
      Native: ofType('Native'),
    };
  }
}
