import type { Micros } from '@bidwell/contract/lib/money';
import { ceilingCpmMicrosOf, floorOf } from '../auction/price.ts';
import { factorOf } from '../model/bid-factor.ts';
import { multiplied } from '../model/price-rules.ts';
import { formatNoBidReason } from '../auction/formats.ts';
import type { ParsedImp } from '../model/bid-request.ts';
import {
  type CompiledAdset,
  type CreativeFormat,
  formatKeyOf,
  type IncludeExclude,
} from '../model/candidate.ts';
import { type Chunk, type SampleColumns, type Terms, systemCodeOf } from './columns.ts';
import { NO_LEVEL } from '../funnel/request-sample.ts';
import { type Opportunities, byPerson, grow, noOpportunities } from './opportunities.ts';
import { type KnownPeople, VERDICTS, audienceVerdicts, knownPeople } from './people.ts';
import { type DeviceTime, hourOfDay, isOpen, zoneClock } from '../matching/hours-stage.ts';
import { POSTAL_AREA_CHARS } from '../funnel/sample-fields.ts';
import { isWithin } from '../matching/geo-distance.ts';
import { takesPlacement } from '../matching/placement-kind.ts';
import { compareVersions, versionOf } from '../matching/versions.ts';

/** An ad set of the same company that runs already and may have the higher value for an impression. */
export interface Rival {
  adset: CompiledAdset;
  /** Share of the requests that reach it for which it has money and is not paced away, 0 to 1. */
  activeShare: number;
}

/** Installs per impression of an ad set in a market. */
export type InstallRateOf = (
  adset: CompiledAdset,
  placement: { format: string; bundle: string; country: string },
) => number;

/** A publisher's app and a country. */
export interface Place {
  bundle: string;
  country: string;
}

/**
 * The most that an install may cost for an ad set with a target, media cost in micros; 1 for an ad set without one, whose algorithm
 * sets one price.
 */
export type InstallMicrosOf = (adset: CompiledAdset, place: Place) => number;

/** Value of an impression to a rival, micros per thousand. */
export type RivalValueOf = (adset: CompiledAdset, installRate: number, place: Place) => Micros;

/** Inputs of {@link replay} besides the sample. */
export interface ReplayInput {
  adset: CompiledAdset;
  rivals: readonly Rival[];
  installRateOf: InstallRateOf;
  installMicrosOf: InstallMicrosOf;
  rivalValueOf: RivalValueOf;
  /** Requests before it are left out, Unix ms. */
  fromMs: number;
  /** Start of a day of the sample, from which days are counted, Unix ms. */
  dayStartMs: number;
}

/** The sample seen by one ad set. */
export interface Replayed {
  /** Requests that match, with a creative that fits, and the sum of the squares of their weights, by person. */
  matching: number;
  squares: number;
  samples: number;
  /** Whether frequency caps are counted; null for an ad set without any. */
  countsCaps: boolean | null;
  /** Share of the matching requests whose people its audiences allow, 0 to 1; null without audiences, and where they are not counted. */
  audienceShare: number | null;
  /** Matching requests by day from `dayStartMs` on. */
  byDay: ReadonlyMap<number, number>;
  opportunities: Opportunities;
}

const DAY_MS = 86_400_000;
/** Requests after which the replay may be interrupted. */
const YIELD_EVERY = 1024;
/** Codes of a dictionary are below it. */
const CODES = 65_536;

/** Formats of an ad set's creatives that fit a placement. */
interface Fitting {
  /** See {@link formatKeyOf}, and its index among all keys of the replay. */
  key: string;
  keyIndex: number;
  creativeFormat: CreativeFormat;
}

interface Compiled {
  adset: CompiledAdset;
  tables: TargetingTables;
  /** For each placement. */
  fitting: readonly (readonly Fitting[])[];
  /** See {@link audienceVerdicts}. */
  verdicts: Uint8Array | null;
  /** Install rates that were requested, by format, publisher's app and country. */
  rates: Map<number, number>;
}

/**
 * Replays the sample against the targeting and the creatives of an ad set that need not run. Pure. It applies the rules
 * of the auction: the first imp of a request that fits gets the bid. Yields every thousand requests.
 */
export function* replay(columns: SampleColumns, input: ReplayInput): Generator<undefined, Replayed> {
  const keys = new Map<string, number>();
  const own = compiled(input.adset, columns, keys);
  const rivals = input.rivals.map(({ adset, activeShare }) => ({
    ...compiled(adset, columns, keys),
    share: activeShare,
  }));
  const { caps } = input.adset;
  const isMatching = (chunk: Chunk, row: number): boolean =>
    chunk.atMs[row]! >= input.fromMs && targets(own.tables, chunk, row) && firstFitting(own, chunk, row) >= 0;
  const people = yield* knownPeople(columns, { hasCaps: caps !== null, verdicts: own.verdicts }, isMatching);
  const collector = new Collector(columns, input, people);
  let sinceYield = 0;
  for (const chunk of columns.chunks) {
    for (let row = 0; row < chunk.size; row += 1) {
      sinceYield += 1;
      if (sinceYield >= YIELD_EVERY) {
        sinceYield = 0;
        yield;
      }
      if (chunk.atMs[row]! < input.fromMs || !targets(own.tables, chunk, row)) continue;
      const imp = firstFitting(own, chunk, row);
      if (imp >= 0) collector.add(own, rivals, chunk, row, imp);
    }
  }
  const replayed = collector.result();
  return people.level === null
    ? replayed
    : { ...replayed, opportunities: yield* byPerson(replayed.opportunities) };
}

function compiled(adset: CompiledAdset, columns: SampleColumns, keys: Map<string, number>): Compiled {
  const formats = [...new Set(adset.creatives.map(({ creativeFormat }) => creativeFormat))];
  return {
    adset,
    tables: targetingTables(adset, columns),
    fitting: columns.placement.values.map((imp) => fittingOf(adset, formats, imp, keys)),
    verdicts: audienceVerdicts(adset.audiences, columns),
    rates: new Map(),
  };
}

function fittingOf(
  adset: CompiledAdset,
  formats: readonly CreativeFormat[],
  imp: ParsedImp,
  keys: Map<string, number>,
): readonly Fitting[] {
  if ((imp.secure && !adset.isSecure) || !takesPlacement(adset, imp)) return [];
  return formats
    .filter((creativeFormat) => formatNoBidReason(imp, creativeFormat) === null)
    .map((creativeFormat) => {
      const key = formatKeyOf(creativeFormat);
      if (!keys.has(key)) keys.set(key, keys.size);
      return { key, keyIndex: keys.get(key)!, creativeFormat };
    });
}

/** The index of the first imp of a request that a creative fits; -1 for none. */
function firstFitting({ fitting }: Compiled, chunk: Chunk, row: number): number {
  for (let imp = chunk.impsFrom[row]!; imp < chunk.impsFrom[row + 1]!; imp += 1)
    if (fitting[chunk.imps.placement[imp]!]!.length > 0) return imp;
  return -1;
}

/** The people of matching requests, numbered from 1, and the weight of each. */
class People {
  readonly #numbers = new Map<number, number>();
  readonly #weights = [0];
  #squares = 0;

  get size(): number {
    return this.#numbers.size;
  }

  /** Adds a request; `person` is 0 for one without a person. */
  add(person: number, weight: number): void {
    if (person === 0) {
      this.#squares += weight * weight;
      return;
    }
    const number = this.#numbers.get(person);
    if (number !== undefined) {
      this.#weights[number]! += weight;
      return;
    }
    this.#numbers.set(person, this.#weights.length);
    this.#weights.push(weight);
  }

  numberOf(person: number): number {
    return person === 0 ? 0 : this.#numbers.get(person)!;
  }

  /** The sum of the squares of the weights, by person: all requests of a person are in the sample, or none. */
  squares(): number {
    return this.#weights.reduce((sum, weight) => sum + weight * weight, this.#squares);
  }
}

class Collector {
  readonly #columns: SampleColumns;
  readonly #input: ReplayInput;
  readonly #known: KnownPeople;
  readonly #people = new People();
  readonly #clock = zoneClock();
  readonly #markets = new Map<number, number>();
  /** By publisher's app and country. */
  readonly #installMicros = new Map<number, number>();
  readonly #found = noOpportunities();
  readonly #byDay = new Map<number, number>();
  #matching = 0;
  #samples = 0;

  constructor(columns: SampleColumns, input: ReplayInput, known: KnownPeople) {
    this.#columns = columns;
    this.#input = input;
    this.#known = known;
  }

  add(
    own: Compiled,
    rivals: readonly (Compiled & { share: number })[],
    chunk: Chunk,
    row: number,
    imp: number,
  ): void {
    const weight = chunk.weight[row]!;
    const day = Math.floor((chunk.atMs[row]! - this.#input.dayStartMs) / DAY_MS);
    this.#matching += weight;
    this.#people.add(chunk.person[row]!, weight);
    this.#samples += 1;
    this.#byDay.set(day, (this.#byDay.get(day) ?? 0) + weight);
    const bidWeight = this.#bidWeightOf(own, chunk, row);
    if (bidWeight === 0) return;
    const rival = this.#highestRival(rivals, chunk, row, imp);
    const fitting = own.fitting[chunk.imps.placement[imp]!]!;
    const formats =
      own.adset.algorithm === 'Manual CPM'
        ? this.#highest(own.adset, fitting, chunk, row)
        : [this.#likeliest(own, fitting, chunk, row)];
    const found = this.#found;
    for (const fit of formats) {
      if (found.size >= found.market.length) grow(found);
      const at = found.size;
      found.market[at] = this.#marketOf(chunk, row, fit);
      found.weight[at] = bidWeight / formats.length;
      found.floorCpmMicros[at] = this.#floorOf(chunk, imp, fit.creativeFormat);
      found.ownCpmMicros[at] = this.#ownCpmMicros(own.adset, chunk, row);
      found.factor[at] = this.#factorOf(own.adset, fit, chunk, row);
      found.installRate[at] = this.#rateOf(own, fit, chunk, row);
      found.installMicros[at] = this.#installMicrosOf(own.adset, chunk, row);
      found.rivalCpmMicros[at] = rival.cpmMicros;
      found.rivalShare[at] = rival.share;
      found.request[at] = this.#samples;
      found.atMs[at] = chunk.atMs[row]!;
      found.person[at] = this.#known.level === null ? 0 : this.#people.numberOf(chunk.person[row]!);
      found.size += 1;
    }
  }

  result(): Replayed {
    this.#found.people = this.#known.level === null ? 0 : this.#people.size;
    return {
      matching: this.#matching,
      squares: this.#people.squares(),
      samples: this.#samples,
      countsCaps: this.#input.adset.caps && this.#known.level !== null,
      audienceShare: this.#known.audienceShare,
      byDay: this.#byDay,
      opportunities: this.#found,
    };
  }

  /** The number of requests for which a matching one stands where people matter; 0 leaves it out. */
  #bidWeightOf({ adset: { caps }, verdicts }: Compiled, chunk: Chunk, row: number): number {
    const { level: whole, audienceShare, scale } = this.#known;
    const weight = chunk.weight[row]! * scale;
    if (verdicts && audienceShare !== null && verdicts[chunk.memberships[row]!] !== VERDICTS.allowed)
      return 0;
    if (!caps || whole === null) return weight;
    const level = chunk.level[row]!;
    if (level === NO_LEVEL) return 0;
    if (chunk.person[row] === 0) return caps.skipsWithoutId ? 0 : weight;
    if (level > whole) return weight;
    return chunk.personLevel[row]! < whole ? 0 : weight * 2 ** (whole - level);
  }

  #floorOf(chunk: Chunk, imp: number, creativeFormat: CreativeFormat): Micros {
    const placement = this.#columns.placement.values[chunk.imps.placement[imp]!]!;
    const floorCpmMicros = chunk.imps.floorCpmMicros[imp]!;
    const { video } = placement;
    if (!video || (video.durationFloors.length === 0 && video.floorPerSecondCpmMicros === 0))
      return floorCpmMicros;
    return floorOf({ ...placement, floorCpmMicros }, creativeFormat);
  }

  #marketOf(chunk: Chunk, row: number, { key, keyIndex }: Fitting): number {
    const [exchange, country] = [chunk.exchange[row]!, chunk.country[row]!];
    const isSecondPrice = chunk.auctionType[row] !== 1;
    const id = (keyIndex * CODES + exchange) * CODES * 2 + country * 2 + Number(isSecondPrice);
    let market = this.#markets.get(id);
    if (market === undefined) {
      market = this.#found.markets.length;
      this.#markets.set(id, market);
      this.#found.markets.push({
        exchange: this.#columns.exchange.values[exchange]!,
        country: this.#columns.country.values[country]!,
        format: key,
        isSecondPrice,
      });
    }
    return market;
  }

  #placeOf(chunk: Chunk, row: number): Place {
    return {
      bundle: this.#columns.bundle.values[chunk.bundle[row]!]!,
      country: this.#columns.country.values[chunk.country[row]!]!,
    };
  }

  /** The CPM bid for a publisher or a country; 0 where the ad set has its own. */
  #ownCpmMicros(adset: CompiledAdset, chunk: Chunk, row: number): Micros {
    if (adset.bundleCpmMicros.size === 0 && adset.countryBids.size === 0) return 0;
    const { bundle, country } = this.#placeOf(chunk, row);
    return ceilingCpmMicrosOf({ ...adset, cpmMicros: 0 }, bundle, country);
  }

  #factorOf({ factors }: CompiledAdset, { key }: Fitting, chunk: Chunk, row: number): number {
    if (!factors) return 1;
    const columns = this.#columns;
    const device = deviceTimeIn(columns, chunk, row);
    return factorOf(factors, {
      ...this.#placeOf(chunk, row),
      exchange: columns.exchange.values[chunk.exchange[row]!]!,
      format: key,
      deviceTypes: columns.deviceTypes.values[chunk.deviceTypes[row]!]!,
      hourOf: ({ zone, timeZone }) => hourOfDay({ zone, timeZone }, device, chunk.atMs[row]!, this.#clock),
      // The sample has no ids.
      memberships: () => null,
    });
  }

  #installMicrosOf(adset: CompiledAdset, chunk: Chunk, row: number): number {
    const id = chunk.bundle[row]! * CODES + chunk.country[row]!;
    let micros = this.#installMicros.get(id);
    if (micros === undefined) {
      micros = this.#input.installMicrosOf(adset, this.#placeOf(chunk, row));
      this.#installMicros.set(id, micros);
    }
    return micros;
  }

  #rateOf({ adset, rates }: Compiled, { key, keyIndex }: Fitting, chunk: Chunk, row: number): number {
    const id = (keyIndex * CODES + chunk.bundle[row]!) * CODES + chunk.country[row]!;
    let rate = rates.get(id);
    if (rate === undefined) {
      rate = this.#input.installRateOf(adset, { format: key, ...this.#placeOf(chunk, row) });
      rates.set(id, rate);
    }
    return rate;
  }

  /** The format with the most expected installs, times its factor: the highest value where the value depends on installs. */
  #likeliest(of: Compiled, fitting: readonly Fitting[], chunk: Chunk, row: number): Fitting {
    if (fitting.length === 1) return fitting[0]!;
    const valueOf = (one: Fitting): number =>
      this.#rateOf(of, one, chunk, row) * this.#factorOf(of.adset, one, chunk, row);
    return fitting.reduce((best, one) => (valueOf(one) > valueOf(best) ? one : best));
  }

  /** The formats with the highest factor, which have the highest value where the CPM bid is the value. */
  #highest(adset: CompiledAdset, fitting: readonly Fitting[], chunk: Chunk, row: number): readonly Fitting[] {
    if (fitting.length === 1 || !adset.factors) return fitting;
    const factors = fitting.map((one) => this.#factorOf(adset, one, chunk, row));
    const highest = Math.max(...factors);
    return fitting.filter((_one, index) => factors[index] === highest);
  }

  #highestRival(
    rivals: readonly (Compiled & { share: number })[],
    chunk: Chunk,
    row: number,
    imp: number,
  ): { cpmMicros: Micros; share: number } {
    const highest = { cpmMicros: 0, share: 0 };
    for (const rival of rivals) {
      const fitting = rival.fitting[chunk.imps.placement[imp]!]!;
      if (fitting.length === 0 || !targets(rival.tables, chunk, row)) continue;
      if (rival.verdicts?.[chunk.memberships[row]!] === VERDICTS.denied) continue;
      const format = this.#likeliest(rival, fitting, chunk, row);
      const rate = this.#rateOf(rival, format, chunk, row);
      const unmultiplied = this.#input.rivalValueOf(rival.adset, rate, this.#placeOf(chunk, row));
      const value = multiplied(unmultiplied, this.#factorOf(rival.adset, format, chunk, row));
      if (value < this.#floorOf(chunk, imp, format.creativeFormat)) continue;
      if (value * rival.share > highest.cpmMicros * highest.share) {
        highest.cpmMicros = value;
        highest.share = rival.share;
      }
    }
    return highest;
  }
}

/** The values of each property of the sample that an ad set targets. */
interface TargetingTables {
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
  region: Uint8Array;
  city: Uint8Array;
  postalCode: Uint8Array;
  carrier: Uint8Array;
  deviceId: Uint8Array;
  /** Null for an ad set without circles. */
  circles: CompiledAdset['circles'] | null;
  /**
   * The languages that a request's terms allow for creatives, by the code of the terms, which are assumed to be in the
   * language of the device; null where they allow all, and for an ad set that targets no languages.
   */
  creativeLanguages: readonly (Uint8Array | null)[] | null;
  /** Whether a request came in the hours of the ad set; null for one that always bids. */
  isOpen: ((chunk: Chunk, row: number) => boolean) | null;
}

/** The targeting of one ad set, as the matcher of the bidder applies it; flight dates are left out. */
function targetingTables(adset: CompiledAdset, columns: SampleColumns): TargetingTables {
  const { circles } = adset;
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
    region: columns.region.table((keys) => admits(adset.regions, keys)),
    city: columns.city.table((keys) => admits(adset.cities, keys)),
    postalCode: postalTable(adset, columns),
    carrier: columns.carrier.table((keys) => admits(adset.carriers, keys)),
    deviceId: columns.deviceId.table((value) => isOneOf(adset.deviceIds, [value])),
    circles: circles.include.length + circles.exclude.length === 0 ? null : circles,
    creativeLanguages:
      adset.languages.include.size === 0
        ? null
        : columns.terms.values.map(({ languages }) =>
            languages.length === 0 ? null : columns.language.table((value) => languages.includes(value)),
          ),
    isOpen: hoursTable(adset, columns),
  };
}

function hoursTable({ hours }: CompiledAdset, columns: SampleColumns): TargetingTables['isOpen'] {
  if (!hours) return null;
  const clock = zoneClock();
  return (chunk, row) => {
    const device = deviceTimeIn(columns, chunk, row);
    return isOpen(hours, device, chunk.atMs[row]!, clock);
  };
}

function deviceTimeIn(columns: SampleColumns, chunk: Chunk, row: number): DeviceTime {
  return {
    utcOffsetMinutes: columns.utcOffset.values[chunk.utcOffset[row]!]!,
    country: columns.country.values[chunk.country[row]!]!,
    regions: columns.region.values[chunk.region[row]!]!,
  };
}

/** Whether an ad set targets a request of a chunk. */
function targets(tables: TargetingTables, chunk: Chunk, row: number): boolean {
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
    (tables.creativeLanguages?.[chunk.terms[row]!]?.[chunk.language[row]!] ?? 1) === 1 &&
    (tables.isOpen?.(chunk, row) ?? true) &&
    tables.region[chunk.region[row]!] === 1 &&
    tables.city[chunk.city[row]!] === 1 &&
    tables.postalCode[chunk.postalCode[row]!] === 1 &&
    tables.carrier[chunk.carrier[row]!] === 1 &&
    tables.deviceId[chunk.deviceId[row]!] === 1 &&
    (tables.circles === null || isInCircles(tables.circles, chunk, row))
  );
}

/**
 * The codes of postal codes that an ad set takes. The sample has only the area of a postal code: an area counts as included where the ad set
 * includes some of it, and as excluded where it excludes all of it.
 */
function postalTable({ postalCodes }: CompiledAdset, columns: SampleColumns): Uint8Array {
  const areaOf = (key: string): string => key.slice(0, key.indexOf('|') + 1 + POSTAL_AREA_CHARS);
  const areas = { include: new Set([...postalCodes.include].map(areaOf)), exclude: postalCodes.exclude };
  return columns.postalCode.table((keys) => admits(areas, keys));
}

/** Whether an ad set takes the location of a request, which the sample has to about 10 km. */
function isInCircles({ include, exclude }: CompiledAdset['circles'], chunk: Chunk, row: number): boolean {
  const latitude = chunk.latitude[row]!;
  if (Number.isNaN(latitude)) return include.length === 0;
  const point = { latitude, longitude: chunk.longitude[row]! };
  if (include.length > 0 && !include.some((circle) => isWithin(circle, point))) return false;
  return !exclude.some((circle) => isWithin(circle, point));
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
