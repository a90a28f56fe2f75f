import { compareVersions, versionOf } from '../matching/versions.ts';
import type { CompiledAdset, IncludeExclude } from '../model/candidate.ts';
import { type Chunk, type SampleColumns, type Terms, systemCodeOf } from './columns.ts';

/** For each property of the sample, which of its values an ad set targets. */
export interface TargetingTables {
  os: number;
  exchange: Uint8Array;
  country: Uint8Array;
  osVersion: Uint8Array;
  model: Uint8Array;
  deviceTypes: Uint8Array;
  connections: Uint8Array;
  language: Uint8Array;
  genres: Uint8Array;
  bundle: Uint8Array;
  terms: Uint8Array;
  /**
   * By the code of a request's terms, the languages that these allow for creatives, which are assumed to be in the language
   * of the device; null where they allow all, and for an ad set that targets no languages.
   */
  creativeLanguages: readonly (Uint8Array | null)[] | null;
}

/** The targeting of one ad set, as the matcher of the bidder applies it; flight dates are left out. */
export function targetingTables(adset: CompiledAdset, columns: SampleColumns): TargetingTables {
  return {
    os: adset.os.size > 0 && !adset.os.has(adset.app.os) ? -1 : systemCodeOf(adset.app.os),
    exchange: columns.exchange.table((value) => admits(adset.exchanges, [value])),
    country: columns.country.table((value) => admits(adset.countries, [value])),
    osVersion: columns.osVersion.table((value) => versionFits(adset, value)),
    model: columns.model.table((value) => isOneOf(adset.models, [value])),
    deviceTypes: columns.deviceTypes.table((values) => admits(adset.deviceTypes, values)),
    connections: columns.connections.table((values) => isOneOf(adset.connections, values)),
    language: columns.language.table((value) => admits(adset.languages, [value])),
    genres: columns.genres.table((values) => admits(adset.genres, values)),
    bundle: columns.bundle.table((value) => takesPublisher(adset, value)),
    terms: columns.terms.table((terms) => termsAllow(adset, terms)),
    creativeLanguages:
      adset.languages.include.size === 0
        ? null
        : columns.terms.values.map(({ languages }) =>
            languages.length === 0 ? null : columns.language.table((value) => languages.includes(value)),
          ),
  };
}

/** Whether an ad set targets a request of a chunk. */
export function targets(tables: TargetingTables, chunk: Chunk, row: number): boolean {
  return (
    chunk.os[row] === tables.os &&
    tables.country[chunk.country[row]!] === 1 &&
    tables.exchange[chunk.exchange[row]!] === 1 &&
    tables.osVersion[chunk.osVersion[row]!] === 1 &&
    tables.deviceTypes[chunk.deviceTypes[row]!] === 1 &&
    tables.connections[chunk.connections[row]!] === 1 &&
    tables.language[chunk.language[row]!] === 1 &&
    tables.genres[chunk.genres[row]!] === 1 &&
    tables.bundle[chunk.bundle[row]!] === 1 &&
    tables.model[chunk.model[row]!] === 1 &&
    tables.terms[chunk.terms[row]!] === 1 &&
    (tables.creativeLanguages?.[chunk.terms[row]!]?.[chunk.language[row]!] ?? 1) === 1
  );
}

function isOneOf(required: ReadonlySet<string>, values: readonly string[]): boolean {
  return required.size === 0 || values.some((value) => required.has(value));
}

function admits({ include, exclude }: IncludeExclude, values: readonly string[]): boolean {
  return isOneOf(include, values) && !values.some((value) => exclude.has(value));
}

/** Whether an ad set bids in a publisher's app: its lists allow it, and it is not the advertised app itself. */
function takesPublisher({ bundles, app }: CompiledAdset, bundle: string): boolean {
  if (bundle !== '' && (bundle === app.bundleKey || bundle === app.ownBundleKey)) return false;
  return !bundles.exclude.has(bundle) && isOneOf(bundles.include, [bundle]);
}

function versionFits({ osVersionMin: min, osVersionMax: max }: CompiledAdset, version: string): boolean {
  if (!min && !max) return true;
  if (version === '') return false;
  const parts = versionOf(version);
  if (min && compareVersions(parts, min) < 0) return false;
  // Only the parts that the maximum has are compared, so that 12 includes every 12.x.
  return !max || compareVersions(parts.slice(0, max.length), max) <= 0;
}

function termsAllow({ app, advertiserDomains, advertiserName }: CompiledAdset, terms: Terms): boolean {
  const { blockedApps, blockedAdvertisers, blockedCategories, allowedCategories } = terms;
  if (blockedApps.some((bundle) => bundle === app.bundleKey || bundle === app.ownBundleKey)) return false;
  if (blockedAdvertisers.some((domain) => advertiserDomains.includes(domain))) return false;
  if (blockedCategories.some((category) => app.categoryKeys.includes(category))) return false;
  if (allowedCategories && !allowedCategories.some((category) => app.categoryKeys.includes(category)))
    return false;
  return !terms.needsAdvertiser || advertiserName !== '';
}
