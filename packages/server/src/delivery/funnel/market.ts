import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import type { Micros } from '@bidwell/contract/lib/money';
import { addToSum } from '../../platform/group-by.ts';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import { chargeCpmMicros } from '../model/margin.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ExplainContext, explain } from './explain.ts';
import { type Prices, bestPrices } from './best-price.ts';
import { exitAt } from './exits.ts';
import { type Share, mostFrequent, ofKey, valueOf } from './shares.ts';

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

/** What the sample of bid requests says about an ad set as it is set up now. */
export interface Market {
  requests: number;
  /** Requests by the reason for which they leave the funnel. */
  exits: Partial<Record<FunnelExit, number>>;
  /** For each reason, the most frequent values of the requests that leave for it: countries for `country`, and so on. */
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
      if (exit === 'floor') addBelowFloor(belowFloor, candidate, request, { prices, weight });
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
  { cpmMicros, bundleCpmMicros }: Candidate,
  { app }: ParsedRequest,
  { prices, weight }: { prices: Prices; weight: number },
): void {
  const { lowestFloorCpmMicros: floor, valueCpmMicros: value } = prices;
  if (floor === null || value <= 0) return;
  const highest = bundleCpmMicros.get(app?.bundle ?? '') ?? cpmMicros;
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
