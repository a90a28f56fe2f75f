import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import type { Micros } from '@bidwell/contract/lib/money';
import { addToSum } from '../../platform/group-by.ts';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import type { ParsedRequest, ParsedImp } from '../model/bid-request.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import { chargeCpmMicros } from '../model/price-rules.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ExplainContext, explain, type Prices, bestPrices } from './explain.ts';
import { exitAt, codeOf, exitOf } from './exits.ts';
import { impNoBidReason, requestNoBidReason } from '../auction/auction.ts';
import { formatNoBidReason } from '../auction/formats.ts';
import { regionKeysOf } from '../matching/place-keys.ts';
import { placementKindOf } from '../matching/placement-kind.ts';
import { requestProfileOf, genresOfApp } from '../matching/request-profile.ts';
import { createBitset, hasBit, setBit } from '../model/bitset.ts';

/** A bid request of the sample, and the number of requests that it stands for. */
export interface WeightedRequest {
  request: ParsedRequest;
  weight: number;
}

/** Requests of the sample that fail on the floor, or would not: the floors of one country. */
export interface CountryFloors {
  country: string;
  /** The lowest sufficient bid of the ad set for each request, its company's margin included, per thousand, ascending. */
  floors: { cpmMicros: Micros; requests: number }[];
}

/** Requests of the sample that fail on the floor, by how far the value of the impression is below it. */
export interface BelowFloor {
  /** Multiples of the value that reach the floors, ascending, of requests whose floor is not above the highest CPM of the ad set. */
  factors: { factor: number; requests: number }[];
  /** Requests whose floor is above that: no value of the impression reaches it. */
  capped: number;
}

/** Figures of the sample of bid requests for an ad set with its present settings. */
export interface Market {
  requests: number;
  /** Requests by the reason for which they leave the funnel. */
  exits: Partial<Record<FunnelExit, number>>;
  /** The most frequent values of the requests that leave for each reason: countries for `country`, and so on. */
  values: Partial<Record<FunnelExit, Share[]>>;
  /** Floors of the requests that the ad set has money and a creative for, by country, the most frequent country first. */
  floors: CountryFloors[];
  belowFloor: BelowFloor;
}

/**
 * Replays sampled requests against one running ad set, with its present settings and money. Yields after each request.
 * The snapshot must have the ad set.
 */
export function* marketOf(
  candidate: Candidate,
  requests: readonly WeightedRequest[],
  snapshot: Snapshot,
  contextOf: (request: ParsedRequest) => ExplainContext,
): Generator<undefined, Market> {
  const exits: Market['exits'] = {};
  const values = new Map<FunnelExit, Map<string, number>>();
  const floors = new Map<string, Map<Micros, number>>();
  const belowFloor: BelowFloor = { factors: [], capped: 0 };
  let all = 0;
  for (const { request, weight } of requests) {
    all += weight;
    const context = contextOf(request);
    const { exits: codes } = runToCompletion(
      explain(request, snapshot, [], context, { candidates: [candidate] }),
    );
    const exit = exitAt(codes[candidate.index]!);
    // No auction is held: `outbid` means that the request would reach it.
    if (exit !== 'outbid') exits[exit] = (exits[exit] ?? 0) + weight;
    const value = valueOf(exit, request);
    if (value !== '') addToSum(ofKey(values, exit), value, weight);
    if (exit === 'floor' || exit === 'outbid') {
      const prices = bestPrices(candidate, request, context);
      const floor = prices.lowestFloorCpmMicros;
      if (exit === 'floor') addBelowFloor(belowFloor, prices, weight);
      if (floor !== null) {
        const bid = chargeCpmMicros(floor, candidate.marginBasisPoints);
        addToSum(ofKey(floors, request.device.country), bid, weight);
      }
    }
    yield;
  }
  return {
    requests: all,
    exits,
    values: Object.fromEntries([...values].map(([exit, counts]) => [exit, mostFrequent(counts)])),
    floors: floorsOf(floors),
    belowFloor: { ...belowFloor, factors: belowFloor.factors.toSorted((a, b) => a.factor - b.factor) },
  };
}

function addBelowFloor(
  below: BelowFloor,
  { lowestFloorCpmMicros: floor, valueCpmMicros: value, highestCpmMicros: highest }: Prices,
  weight: number,
): void {
  if (floor === null || value <= 0) return;
  if (floor > highest) below.capped += weight;
  else below.factors.push({ factor: floor / value, requests: weight });
}

function floorsOf(floors: ReadonlyMap<string, ReadonlyMap<Micros, number>>): CountryFloors[] {
  const total = (one: CountryFloors) => one.floors.reduce((sum, { requests }) => sum + requests, 0);
  return [...floors]
    .map(([country, counts]) => ({
      country,
      floors: [...counts]
        .map(([cpmMicros, requests]) => ({ cpmMicros, requests }))
        .toSorted((a, b) => a.cpmMicros - b.cpmMicros),
    }))
    .toSorted((a, b) => total(b) - total(a));
}

/** The sampled requests that an ad set targets, and the requests in which one of its creatives could be placed. */
export interface Placement {
  /** Requests that the ad set targets. */
  requests: number;
  /** Requests with an imp that the creative fits. */
  fitting: number;
  /** The others by the reason why it fits none of their imps. */
  exits: Partial<Record<FunnelExit, number>>;
  /** Sizes and formats that the other requests ask for, the most frequent first. */
  asked: Partial<Record<FunnelExit, Share[]>>;
}

/** Counts of one creative format in one ad set. */
interface Counting {
  requests: number;
  fitting: number;
  exits: Map<FunnelExit, number>;
  asked: Map<FunnelExit, Map<string, number>>;
}

/**
 * Replays sampled requests against the creatives of running ad sets: for each creative format of an ad set, how many of the
 * requests that the ad set targets have an imp for it. Money and floors do not count. Yields after each request.
 */
export function* placementsOf(
  candidates: readonly Candidate[],
  requests: readonly WeightedRequest[],
  { matcher, candidates: all }: Pick<Snapshot, 'matcher' | 'candidates'>,
  context: { nowMs: number; secure: boolean },
): Generator<undefined, ReadonlyMap<Candidate, ReadonlyMap<CreativeFormat, Placement>>> {
  const counted = candidates.map((candidate) => {
    const formats = new Set(candidate.creatives.map(({ creativeFormat }) => creativeFormat));
    return { candidate, formats: new Map([...formats].map((format) => [format, emptyCounting()])) };
  });
  for (const { request, weight } of requests) {
    yield;
    if (requestNoBidReason(request)) continue;
    const targeting = createBitset(all.length);
    for (const { index } of candidates) setBit(targeting, index);
    matcher.narrow(targeting, requestProfileOf(request), context.nowMs);
    const exits = new Map<CreativeFormat, FunnelExit | null>();
    for (const { candidate, formats } of counted) {
      if (!hasBit(targeting, candidate.index)) continue;
      for (const [format, counting] of formats) {
        let exit = exits.get(format);
        if (exit === undefined) exits.set(format, (exit = placeExit(request.imps, format, context)));
        count(counting, exit, { request, weight });
      }
    }
  }
  return new Map(
    counted.map(({ candidate, formats }) => [
      candidate,
      new Map([...formats].map(([format, counting]) => [format, placementFrom(counting)])),
    ]),
  );
}

/** Why a creative format fits none of the imps, by the imp that it came closest to fitting; null if it fits one. */
function placeExit(
  imps: readonly ParsedImp[],
  format: CreativeFormat,
  context: { secure: boolean },
): FunnelExit | null {
  let furthest: FunnelExit = 'no_matching_format';
  for (const imp of imps) {
    const reason = impNoBidReason(imp, context) ?? formatNoBidReason(imp, format);
    if (reason === null) return null;
    const exit = exitOf(reason);
    if (exit !== null && codeOf(exit) > codeOf(furthest)) furthest = exit;
  }
  return furthest;
}

function count(
  counting: Counting,
  exit: FunnelExit | null,
  { request, weight }: { request: ParsedRequest; weight: number },
): void {
  counting.requests += weight;
  if (exit === null) {
    counting.fitting += weight;
    return;
  }
  addToSum(counting.exits, exit, weight);
  const value = valueOf(exit, request);
  if (value !== '') addToSum(ofKey(counting.asked, exit), value, weight);
}

const emptyCounting = (): Counting => ({ requests: 0, fitting: 0, exits: new Map(), asked: new Map() });

function placementFrom({ requests, fitting, exits, asked }: Counting): Placement {
  return {
    requests,
    fitting,
    exits: Object.fromEntries(exits),
    asked: Object.fromEntries([...asked].map(([exit, values]) => [exit, mostFrequent(values)])),
  };
}

/** Requests of the sample with one property in common, such as a country. */
interface Share {
  value: string;
  requests: number;
}

const VALUES_MAX = 5;

/** The property of a request for which it leaves the funnel; '' for reasons that need no value. */
export function valueOf(exit: FunnelExit, { device, app, ssp, imps }: ParsedRequest): string {
  switch (exit) {
    case 'country':
    case 'country_budget':
      return device.country;
    case 'region':
      return regionKeysOf(device)[0] ?? '';
    case 'city':
      return device.city === '' ? '' : `${device.country}:${device.city}`;
    case 'postal_code':
      return device.postalCode === '' ? '' : `${device.country}:${device.postalCode}`;
    case 'carrier':
      return device.carrier || device.networkCode;
    case 'placement_kind':
      return imps[0] ? placementKindOf(imps[0]) : '';
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
function ofKey<Key, Value>(maps: Map<Key, Map<Value, number>>, key: Key): Map<Value, number> {
  let map = maps.get(key);
  if (!map) maps.set(key, (map = new Map()));
  return map;
}

/** The values with the highest counts, the highest first. */
function mostFrequent(counts: ReadonlyMap<string, number>): Share[] {
  return [...counts]
    .map(([value, requests]) => ({ value, requests }))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, VALUES_MAX);
}
