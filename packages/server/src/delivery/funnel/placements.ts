import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { addToSum } from '../../platform/group-by.ts';
import { impNoBidReason, requestNoBidReason } from '../auction/auction.ts';
import { formatNoBidReason } from '../auction/formats.ts';
import { requestProfileOf } from '../matching/request-profile.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import { createBitset, hasBit, setBit } from '../model/bitset.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { codeOf, exitOf } from './exits.ts';
import type { WeightedRequest } from './market.ts';
import { type Share, mostFrequent, ofKey, valueOf } from './shares.ts';

/** The sampled requests that an ad set targets, and what one of its creatives could take of them. */
export interface Placement {
  /** Requests that the ad set targets. */
  requests: number;
  /** Those with an imp that the creative fits. */
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
