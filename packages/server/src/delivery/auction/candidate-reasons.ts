import { requestProfileOf } from '../matching/request-profile.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import { createBitset, hasBit, setAll } from '../model/bitset.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import { formatKeyOf } from '../model/format-key.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { NO_BID_REASONS, further } from '../model/no-bid-reasons.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { AuctionContext } from './auction.ts';
import { impNoBidReason, requestNoBidReason } from './auction.ts';
import { floorOf } from './floor.ts';
import { formatNoBidReason } from './formats.ts';
import { impressionMicros, valueCpmMicros } from './price.ts';

/** Inputs of {@link candidateReasons}. */
export type ReasonsContext = Pick<AuctionContext, 'nowMs' | 'noBidReason' | 'valuation' | 'secure'>;

/** An imp with what all ad sets have in common. */
interface CheckedImp {
  imp: ParsedImp;
  closed: NoBidReason | null;
  formats: Map<CreativeFormat, NoBidReason | null>;
}

/**
 * Checks each ad set of a snapshot on its own, as the auction does when it looks for the highest bid. The result has, by
 * the ad sets' index, the reason why they do not bid on any imp, the latest of the imps' reasons; null for those that
 * would bid if no other did. Yields after each ad set; shorter than the snapshot when `isOver` ended it.
 */
export function* candidateReasons(
  request: ParsedRequest,
  snapshot: Snapshot,
  context: ReasonsContext,
  isOver: () => boolean,
): Generator<undefined, (NoBidReason | null)[]> {
  const { candidates } = snapshot;
  const closed = requestNoBidReason(request);
  if (closed) return candidates.map(() => closed);
  const targeting = targetingReasons(request, snapshot, context.nowMs);
  const imps = request.imps.map((imp) => ({
    imp,
    closed: impNoBidReason(imp, context),
    formats: new Map<CreativeFormat, NoBidReason | null>(),
  }));
  const reasons: (NoBidReason | null)[] = [];
  for (const candidate of candidates) {
    let reason: NoBidReason | null = NO_BID_REASONS[0];
    for (const checked of imps) {
      const refused = noBidReasonOf(candidate, checked, { request, snapshot, context, targeting });
      reason = refused && further(reason, refused);
      if (reason === null) break;
    }
    reasons.push(reason);
    yield;
    if (isOver()) break;
  }
  return reasons;
}

/** By index, the reason of the ad sets that do not target a request; undefined for those that do. */
export function targetingReasons(
  request: ParsedRequest,
  { matcher, candidates }: Snapshot,
  nowMs: number,
): (NoBidReason | undefined)[] {
  const reasons: (NoBidReason | undefined)[] = candidates.map(() => undefined);
  const fitting = createBitset(candidates.length);
  setAll(fitting, candidates.length);
  matcher.narrow(fitting, requestProfileOf(request), nowMs, (reason) => {
    for (let index = 0; index < reasons.length; index += 1)
      if (!hasBit(fitting, index)) reasons[index] ??= reason;
  });
  return reasons;
}

interface Checks {
  request: ParsedRequest;
  snapshot: Snapshot;
  context: ReasonsContext;
  targeting: readonly (NoBidReason | undefined)[];
}

/** The first check that an ad set fails for an imp; null if it passes all. */
function noBidReasonOf(
  candidate: Candidate,
  checked: CheckedImp,
  { request, snapshot, context, targeting }: Checks,
): NoBidReason | null {
  const { imp, closed } = checked;
  if (closed) return closed;
  const fitting: CreativeFormat[] = [];
  let reason: NoBidReason = 'no_matching_format';
  for (const { creativeFormat } of candidate.creatives) {
    const refused = formatReason(creativeFormat, checked);
    if (refused) reason = further(reason, refused);
    else fitting.push(creativeFormat);
  }
  if (fitting.length === 0) return reason;
  const untargeted = targeting[candidate.index];
  if (untargeted) return untargeted;
  if (imp.secure && hasBit(snapshot.insecure, candidate.index)) return 'insecure_address';
  if (request.dsa?.required && candidate.advertiserName === '') return 'dsa_unknown';
  return priceReason(candidate, fitting, imp, request, context);
}

function formatReason(creativeFormat: CreativeFormat, { imp, formats }: CheckedImp): NoBidReason | null {
  let reason = formats.get(creativeFormat);
  if (reason === undefined) formats.set(creativeFormat, (reason = formatNoBidReason(imp, creativeFormat)));
  return reason;
}

/** Whether the value of an impression reaches the floor and the budget allows it, for one of the fitting formats. */
function priceReason(
  candidate: Candidate,
  fitting: readonly CreativeFormat[],
  imp: ParsedImp,
  request: ParsedRequest,
  { valuation, noBidReason }: ReasonsContext,
): NoBidReason | null {
  let reason: NoBidReason = 'floor';
  for (const creativeFormat of fitting) {
    const predict = () => valuation.predict(formatKeyOf(creativeFormat));
    const value = valueCpmMicros(candidate, request.app?.bundle ?? '', predict, valuation, 0);
    if (value === null || value <= 0 || value < floorOf(imp, creativeFormat)) continue;
    const refused = noBidReason(candidate, impressionMicros(value, candidate.marginBasisPoints));
    if (refused === null) return null;
    reason = further(reason, refused);
  }
  return reason;
}
