import type { Micros } from '@bidwell/contract/money';
import type { ChargeOn } from '@bidwell/contract/operator';
import type { BidRef } from '../events/event.ts';
import type { ParsedImp, ParsedRequest } from '../openrtb/request.ts';
import type { Candidate, Shape, ShapedCreative, Snapshot } from '../snapshot/types.ts';
import type { Audience } from './match.ts';
import { audienceOf, mismatch } from './match.ts';
import type { InstallRate } from './price.ts';
import { bidCpmMicros, impressionMicros } from './price.ts';
import type { NoBidReason } from './reasons.ts';
import { NO_BID_REASONS, further } from './reasons.ts';
import { fittingCreatives, shortlist } from './shortlist.ts';

/** What the auction may know of the world: all that is not in the snapshot or the request. */
export interface AuctionContext {
  nowMs: number;
  /** Evenly between 0 and 1: settles ties and chooses among fitting creatives. */
  random: () => number;
  newBidId: () => string;
  /**
   * Why an ad set may not spend this much on one impression now; null when it may. `placedMicros` is what the bids of
   * the same request that its company placed before may cost.
   */
  refusal: (candidate: Candidate, micros: Micros, placedMicros: Micros) => NoBidReason | null;
  installRate: InstallRate;
  chargeOn: ChargeOn;
  /** Whether our images and trackers are served over https. */
  secure: boolean;
}

/** One bid for one imp. */
export interface AuctionBid {
  imp: ParsedImp;
  ref: BidRef;
  candidate: Candidate;
  creative: ShapedCreative;
}

/** Bids, at most one an imp; where there is none at all, the reason of the imp that came furthest. */
export interface AuctionResult {
  bids: AuctionBid[];
  reason: NoBidReason | null;
}

/** Holds our own auction among the ad sets for each imp of a request. Pure: the same inputs give the same bids. */
export function runAuction(
  request: ParsedRequest,
  snapshot: Snapshot,
  context: AuctionContext,
): AuctionResult {
  const closed = requestRefusal(request);
  if (closed) return { bids: [], reason: closed };
  const audience = audienceOf(request);
  const placed = new Placed();
  let reason: NoBidReason = NO_BID_REASONS[0];
  for (const imp of request.imps) {
    const outcome = auctionImp(imp, audience, snapshot, context, placed);
    if (typeof outcome === 'string') reason = further(reason, outcome);
    else placed.add(outcome);
  }
  return { bids: placed.bids, reason: placed.bids.length > 0 ? null : reason };
}

/** The bids of one request so far: none of them is reserved yet, and all of them may win. */
class Placed {
  readonly bids: AuctionBid[] = [];
  readonly #adsets = new Set<Candidate>();
  readonly #companyMicros = new Map<string, Micros>();

  add(bid: AuctionBid): void {
    const { companyId } = bid.candidate;
    this.bids.push(bid);
    this.#adsets.add(bid.candidate);
    this.#companyMicros.set(companyId, this.ofCompany(companyId) + impressionMicros(bid.ref.bidCpmMicros));
  }
  has(candidate: Candidate): boolean {
    return this.#adsets.has(candidate);
  }
  ofCompany(companyId: string): Micros {
    return this.#companyMicros.get(companyId) ?? 0;
  }
}

function requestRefusal(request: ParsedRequest): NoBidReason | null {
  if (!request.app) return 'not_in_app';
  if (!request.currency) return 'currency';
  return request.seatAllowed ? null : 'seat_not_allowed';
}

function impRefusal(imp: ParsedImp, { secure }: AuctionContext): NoBidReason | null {
  if (imp.privateAuction) return 'private_auction';
  if (imp.secure && !secure) return 'not_secure';
  return imp.floorKnown ? null : 'currency';
}

function auctionImp(
  imp: ParsedImp,
  audience: Audience,
  snapshot: Snapshot,
  context: AuctionContext,
  placed: Placed,
): AuctionBid | NoBidReason {
  const closed = impRefusal(imp, context);
  if (closed) return closed;
  if (snapshot.candidates.length === 0) return 'no_active_adset';
  const { shapes, lists, reason } = shortlist(imp, audience.request.device, snapshot);
  const highest = highestBidder(lists, { imp, shapes, audience, context, placed });
  if (typeof highest === 'string') return further(reason, highest);
  const { candidate, cpmMicros } = highest;
  const creatives = fittingCreatives(candidate, shapes);
  const creative = creatives[Math.floor(context.random() * creatives.length)] ?? creatives[0]!;
  return { imp, candidate, creative, ref: refOf(candidate, creative, cpmMicros, audience, context) };
}

/** What an ad set is asked about. */
interface Question {
  imp: ParsedImp;
  shapes: ReadonlySet<Shape>;
  audience: Audience;
  context: AuctionContext;
  placed: Placed;
}

/** Asks the ad sets of all lists, as long as one may still bid as much as the best so far. */
function highestBidder(
  lists: readonly (readonly Candidate[])[],
  question: Question,
): { candidate: Candidate; cpmMicros: Micros } | NoBidReason {
  const { imp, shapes, audience, context } = question;
  // An ad set is in one list for each of its shapes.
  const asked = shapes.size > 1 ? new Set<Candidate>() : null;
  let reason: NoBidReason = NO_BID_REASONS[0];
  let best: Candidate | null = null;
  let bestCpmMicros = 0;
  let ties = 0;
  for (const list of lists) {
    for (const candidate of list) {
      // Each list begins with the highest bidder: whoever follows bids less too.
      if (candidate.ceilingCpmMicros < bestCpmMicros) break;
      if (candidate.ceilingCpmMicros < imp.floorCpmMicros) {
        reason = further(reason, 'floor');
        break;
      }
      if (asked?.has(candidate)) continue;
      asked?.add(candidate);
      const unfit = mismatch(candidate, audience, context.nowMs);
      const cpmMicros = unfit ? 0 : bidCpmMicros(candidate, audience.bundle, context.installRate);
      if (!unfit && cpmMicros < bestCpmMicros) continue;
      const refused = unfit ?? refusal(candidate, cpmMicros, question);
      if (refused) {
        reason = further(reason, refused);
        continue;
      }
      ties = cpmMicros > bestCpmMicros ? 1 : ties + 1;
      // Of n equal bids each stays with one chance in n.
      if (ties > 1 && context.random() * ties >= 1) continue;
      best = candidate;
      bestCpmMicros = cpmMicros;
    }
  }
  return best ? { candidate: best, cpmMicros: bestCpmMicros } : reason;
}

/** Why an ad set whose targeting fits does not bid this much; null when it does. */
function refusal(
  candidate: Candidate,
  cpmMicros: Micros,
  { imp, context, placed }: Question,
): NoBidReason | null {
  if (cpmMicros <= 0 || cpmMicros < imp.floorCpmMicros) return 'floor';
  if (placed.has(candidate)) return 'already_bid';
  return context.refusal(candidate, impressionMicros(cpmMicros), placed.ofCompany(candidate.companyId));
}

function refOf(
  candidate: Candidate,
  creative: ShapedCreative,
  cpmMicros: number,
  { request, bundle }: Audience,
  context: AuctionContext,
): BidRef {
  return {
    bidId: context.newBidId(),
    companyId: candidate.companyId,
    appId: candidate.app.uuid,
    campaignId: candidate.campaignId,
    adsetId: candidate.adsetId,
    creativeId: creative.uuid,
    creativeGroupId: creative.groupUuid,
    creativeType: creative.type,
    width: creative.file.width,
    height: creative.file.height,
    durationMs: creative.type === 'Video' ? creative.durationMs : 0,
    exchange: request.ssp,
    chargeOn: context.chargeOn,
    bundle,
    os: request.device.os,
    country: request.device.country,
    bidCpmMicros: cpmMicros,
    currency: request.currency!.code === 'USD' ? '' : request.currency!.code,
    dollarsPerUnit: request.currency!.dollars,
    auctionType: request.auctionType,
    test: request.test,
    ifa: request.device.ifa,
    language: request.device.language,
  };
}
