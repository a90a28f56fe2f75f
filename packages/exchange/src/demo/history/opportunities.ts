import { genresOf } from '@bidwell/contract/reference/genres';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import {
  AD_FORMATS,
  type Impression,
  clickProbability,
  installProbability,
  viewThroughProbability,
} from '../../behaviour.ts';
import type { Random } from '../../random.ts';
import { shortCodeOf } from '../../traffic/countries.ts';
import { type Opportunity, type PeopleOptions, createTraffic } from '../../traffic/generate.ts';
import { PREMIUM_SLOTS, type Slot } from '../../traffic/slots.ts';
import type { Device, Imp } from '../../traffic/bid-request.ts';
import type { HistoryAdset, HistoryCreative } from './adsets.ts';
import { isReached } from './owners.ts';

/** A creative that fits an imp, with what people do who see it there. */
export interface FittingCreative extends HistoryCreative {
  clickProbability: number;
  /** After a click. */
  installProbability: number;
  /** Of an install without a click. */
  viewThroughProbability: number;
  /** Installs per impression. */
  installsPerImpression: number;
}

/** An ad set that matches an imp, and its creatives that fit. */
export interface Match {
  adset: HistoryAdset;
  creatives: readonly FittingCreative[];
  /** Likelihood of each of being chosen: they add up to 1. */
  chances: Float64Array;
}

/** An imp of the sample exchange for which some ad set may bid. */
export interface SampledImp {
  /** Its id in the request. */
  id: string;
  slot: Slot;
  auctionType: 1 | 2;
  floorCpmDollars: number;
  bundle: string;
  os: 'ios' | 'android';
  language: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  priceLevel: number;
  matches: readonly Match[];
}

/** Imps of one hour of the day. */
export interface SampledHour {
  imps: readonly SampledImp[];
  /** Requests from which they were sampled, including requests that match no ad set. */
  requests: number;
  /** Why each of those matches none. */
  unmatched: readonly NoBidReason[];
}

const HOUR_MS = 3_600_000;

/** Samples the exchange's traffic for each hour of the day of UTC, as far as it matches an ad set. */
export function sampleDay(
  random: Random,
  worldSeed: number,
  {
    adsets,
    requestsPerHour,
    people,
  }: { adsets: readonly HistoryAdset[]; requestsPerHour: number; people?: PeopleOptions | undefined },
): SampledHour[] {
  const traffic = createTraffic({ random, worldSeed, secure: false, slots: PREMIUM_SLOTS, people });
  return Array.from({ length: 24 }, (_, hour) => {
    const imps: SampledImp[] = [];
    const unmatched: NoBidReason[] = [];
    for (let request = 0; request < requestsPerHour; request += 1) {
      const opportunity = traffic.next((hour + 0.5) * HOUR_MS);
      const matched = impsOf(opportunity, adsets);
      if (matched.length > 0) imps.push(...matched);
      else unmatched.push(whyUnmatched(opportunity, adsets));
    }
    return { imps, requests: requestsPerHour, unmatched };
  });
}

/** The checks by which an ad set may not match a request, in the order of the server's. */
const CHECKS = [
  'no_matching_size',
  'os',
  'country',
  'device_type',
  'os_version',
  'connection_type',
  'genre',
] as const satisfies readonly NoBidReason[];
type Check = (typeof CHECKS)[number];

/** The latest check that any ad set reached, as the server explains a request without a bid. */
function whyUnmatched({ request, person, app }: Opportunity, adsets: readonly HistoryAdset[]): NoBidReason {
  const country = shortCodeOf(person.country.code);
  const failed = adsets.map((adset) => {
    const isPlaced = request.imp.some((imp) => adset.creatives.some((creative) => fits(creative, imp)));
    const check = isPlaced ? failedCheck(adset, request.device, app.categories, country) : null;
    return CHECKS.indexOf(check ?? 'no_matching_size');
  });
  return CHECKS[Math.max(0, ...failed)]!;
}

/** The imps of a request for which some ad set may bid. */
export function impsOf(
  { request, person, app, slots }: Opportunity,
  adsets: readonly HistoryAdset[],
): SampledImp[] {
  const country = person.country.code;
  const countryShort = shortCodeOf(country);
  const targeted = adsets.filter(
    (adset) =>
      failedCheck(adset, request.device, app.categories, countryShort) === null &&
      (!adset.reEngages || isReached(person, adset.appName)),
  );
  return request.imp.flatMap((imp, index) => {
    const slot = slots[index]!;
    const matches = targeted.flatMap((adset): Match[] => {
      const creatives = adset.creatives
        .filter((creative) => fits(creative, imp))
        .map((creative) =>
          fitting(creative, {
            slot,
            format: AD_FORMATS[creative.type],
            bundle: app.bundle,
            country,
            ...creative,
          }),
        );
      if (creatives.length === 0) return [];
      return [{ adset, creatives, chances: chancesOf(creatives) }];
    });
    if (matches.length === 0) return [];
    return {
      id: imp.id,
      slot,
      auctionType: request.at,
      floorCpmDollars: imp.bidfloor,
      bundle: app.bundle.toLowerCase(),
      os: person.os,
      language: person.language,
      country: countryShort,
      priceLevel: person.country.priceLevel,
      matches,
    };
  });
}

/** The better creatives are shown most, as the bidder chooses: in proportion to the square of their installs. */
function chancesOf(creatives: readonly FittingCreative[]): Float64Array {
  const weights = Float64Array.from(creatives, ({ installsPerImpression }) => installsPerImpression ** 2);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

function fitting(creative: HistoryCreative, impression: Impression): FittingCreative {
  const clicks = clickProbability(impression);
  const installs = installProbability(impression);
  const viewThrough = viewThroughProbability(impression);
  const installsPerImpression = clicks * installs + (1 - clicks) * viewThrough;
  return {
    ...creative,
    clickProbability: clicks,
    installProbability: installs,
    viewThroughProbability: viewThrough,
    installsPerImpression,
  };
}

/** The first check of an ad set's target that a device in an app of these categories fails; null if it is targeted. */
function failedCheck(
  { os, plan: { target } }: HistoryAdset,
  device: Device,
  categories: readonly string[],
  country: string,
): Check | null {
  const { countries, deviceTypes, connections, genres, osVersionMin } = target;
  if (device.os !== (os === 'ios' ? 'iOS' : 'Android')) return 'os';
  if (!countries.includes(country)) return 'country';
  if (deviceTypes && !deviceTypes.includes(device.devicetype === 5 ? 'Tablet' : 'Phone'))
    return 'device_type';
  if (osVersionMin && Number.parseInt(device.osv, 10) < Number.parseInt(osVersionMin, 10))
    return 'os_version';
  if (connections && device.connectiontype !== 2) return 'connection_type';
  if (!genres) return null;
  const own = genresOf(categories);
  return genres.some((genre) => own.has(genre)) ? null : 'genre';
}

/** Whether a creative fits an imp, by the rules of the auction for the imps of the sample exchange. */
function fits({ type, width, height }: HistoryCreative, { banner, video, native, instl }: Imp): boolean {
  switch (type) {
    case 'Banner':
      return banner.format.some(
        ({ w, h }) =>
          (w === width && h === height) ||
          (instl === 1 &&
            isFullScreen(width, height) &&
            width <= w &&
            height <= h &&
            w > h === width > height),
      );
    case 'Video':
      return video !== undefined && width > height === video.w > video.h;
    case 'Native':
      return native !== undefined;
    case 'Playable':
      return instl === 1 || banner.format.some(({ w, h }) => w >= 300 && h >= 250);
  }
}

const isFullScreen = (width: number, height: number): boolean =>
  Math.max(width, height) >= 480 && Math.min(width, height) >= 320;
