import type { Micros } from '@bidwell/contract/lib/money';
import type { ChargeOn } from '@bidwell/contract/operator/schema';
import type { BidRef } from '../model/event.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import { type RequestProfile, requestProfileOf } from '../matching/request-profile.ts';
import type { Bitset } from '../model/bitset.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Candidate, CompiledCreative } from '../model/candidate.ts';
import { highestBidder } from './highest-bidder.ts';
import type { Valuation } from '../model/valuation.ts';
import { impressionMicros } from './price.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/further-reason.ts';
import { type Reach, mismatchOf, shortlist } from './shortlist.ts';

/** Inputs of the auction beyond the snapshot and the request. */
export interface AuctionContext {
  nowMs: number;
  /** Uniform between 0 and 1; breaks ties. */
  random: () => number;
  newBidId: () => string;
  /** No-bid reason if an ad set may not spend `micros` on one impression now; null if it may. */
  noBidReason: (candidate: Candidate, micros: Micros) => NoBidReason | null;
  /** Ad sets whose budget is known to be exhausted for now; null when none is known. */
  exhausted: Bitset | null;
  valuation: Valuation;
  chargeOn: ChargeOn;
  /** Whether our images and tracking URLs use https. */
  secure: boolean;
}

/** A bid for an imp. */
export interface AuctionBid {
  imp: ParsedImp;
  ref: BidRef;
  candidate: Candidate;
  creative: CompiledCreative;
}

/**
 * Bids: at most one per imp, several for a dynamic pod. `reason` is set when there is none: of the imps' no-bid reasons
 * the latest in the order of {@link NO_BID_REASONS}.
 */
export interface AuctionResult {
  bids: AuctionBid[];
  reason: NoBidReason | null;
}

/** Runs the auction among our ad sets for each imp of a request. Pure: the same inputs give the same bids. */
export function runAuction(
  request: ParsedRequest,
  snapshot: Snapshot,
  context: AuctionContext,
): AuctionResult {
  const closed = requestNoBidReason(request);
  if (closed) return { bids: [], reason: closed };
  const reach: Reach = { profile: requestProfileOf(request), nowMs: context.nowMs, adsets: undefined };
  const placed = new Placed();
  let reason: NoBidReason = 'unreadable';
  for (const imp of request.imps) {
    let slot: ParsedImp | null = imp;
    for (let ads = 0; slot && ads < adsMax(imp); ads += 1) {
      const outcome = auctionImp(slot, reach, snapshot, context, placed);
      if (typeof outcome === 'string') {
        reason = further(reason, outcome);
        break;
      }
      placed.add(outcome);
      slot = restOfPod(slot, outcome);
    }
  }
  return { bids: placed.bids, reason: placed.bids.length > 0 ? null : reason };
}

/** The bids of one request so far. No budget is reserved for them yet, and all of them may win. */
class Placed {
  readonly bids: AuctionBid[] = [];
  readonly #adsets = new Set<Candidate>();
  /** Apps by pod: a pod shows an app at most once. */
  readonly #apps = new Map<string, Set<string>>();

  add(bid: AuctionBid): void {
    this.bids.push(bid);
    this.#adsets.add(bid.candidate);
    const pod = podOf(bid.imp);
    if (pod === null) return;
    const apps = this.#apps.get(pod) ?? new Set();
    this.#apps.set(pod, apps.add(bid.candidate.app.uuid));
  }

  has(candidate: Candidate, imp: ParsedImp): boolean {
    if (this.#adsets.has(candidate)) return true;
    if (this.#apps.size === 0) return false;
    const pod = podOf(imp);
    return pod !== null && this.#apps.get(pod)?.has(candidate.app.uuid) === true;
  }
}

/** Key of an imp's pod: its `podid`, or the imp itself for a dynamic pod without one. Null outside pods. */
function podOf({ id, video }: ParsedImp): string | null {
  if (!video) return null;
  if (video.podId !== '') return `pod ${video.podId}`;
  return video.podSeconds === null ? null : `imp ${id}`;
}

/** Maximum number of bids for an imp: `maxseq` of a dynamic pod (OpenRTB 2.6, 3.2.7), otherwise one. */
function adsMax({ video }: ParsedImp): number {
  return video?.podSeconds ? video.podAdsMax : 1;
}

/** The rest of a dynamic pod after an ad; null if it is full, no dynamic pod, or the ad is not a video. */
function restOfPod(imp: ParsedImp, { creative }: AuctionBid): ParsedImp | null {
  const { video } = imp;
  if (!video?.podSeconds || creative.type !== 'Video') return null;
  const podSeconds = video.podSeconds - creative.creativeFormat.durationSeconds;
  return podSeconds > 0 ? { ...imp, banner: null, native: null, video: { ...video, podSeconds } } : null;
}

/** The no-bid reason of a request as a whole; null if its imps may get bids. */
export function requestNoBidReason(request: ParsedRequest): NoBidReason | null {
  if (!request.app) return 'not_in_app';
  if (!request.currency) return 'currency';
  if (!request.seatAllowed) return 'seat_not_allowed';
  // Our markup does not show who paid for the ad, so the publisher has to.
  return request.dsa?.required && !request.dsa.publisherRenders ? 'dsa_not_rendered' : null;
}

/** The no-bid reason of an imp regardless of ad sets; null if it may get a bid. */
export function impNoBidReason(
  imp: ParsedImp,
  { secure }: Pick<AuctionContext, 'secure'>,
): NoBidReason | null {
  if (imp.privateAuction) return imp.privateAuction === 'open' ? 'private_auction' : 'seat_not_allowed';
  if (imp.secure && !secure) return 'not_secure';
  return imp.floorProblem;
}

function auctionImp(
  imp: ParsedImp,
  reach: Reach,
  snapshot: Snapshot,
  context: AuctionContext,
  placed: Placed,
): AuctionBid | NoBidReason {
  const closed = impNoBidReason(imp, context);
  if (closed) return closed;
  if (snapshot.candidates.length === 0) return 'no_active_adset';
  const { groups, reason } = shortlist(imp, snapshot);
  if (groups.length === 0) return reason;
  const { profile } = reach;
  const { request } = profile;
  const { valuation } = context;
  if (reach.adsets === undefined) reach.adsets = snapshot.matcher.fitting(profile, reach.nowMs);
  if (!reach.adsets) return further(reason, mismatchOf(groups, reach, snapshot));
  const highest = highestBidder(groups, {
    candidates: snapshot.candidates,
    targeting: reach.adsets,
    insecure: imp.secure ? snapshot.insecure : null,
    bundle: profile.bundle,
    valuation,
    random: context.random,
    exhausted: context.exhausted,
    noBidReason: (candidate, valueCpmMicros) => {
      if (placed.has(candidate, imp)) return 'already_bid';
      if (request.dsa?.required && candidate.advertiserName === '') return 'dsa_unknown';
      return context.noBidReason(candidate, impressionMicros(valueCpmMicros, candidate.marginBasisPoints));
    },
  });
  if (highest === null) return further(reason, mismatchOf(groups, reach, snapshot));
  if (typeof highest === 'string') return further(reason, highest);
  const { candidate, group, valueCpmMicros } = highest;
  const { slots, floorCpmMicros } = group;
  const creative = valuation.choose(
    candidate,
    candidate.creatives.filter((one) => slots.some((slot) => slot.creativeFormat === one.creativeFormat)),
  );
  const cpmMicros = valuation.bidCpmMicros(candidate, creative, floorCpmMicros, valueCpmMicros);
  const prices = { cpmMicros, valueCpmMicros };
  return { imp, candidate, creative, ref: refOf(candidate, creative, prices, profile, context) };
}

function refOf(
  candidate: Candidate,
  creative: CompiledCreative,
  { cpmMicros, valueCpmMicros }: { cpmMicros: Micros; valueCpmMicros: Micros },
  { request, bundle }: RequestProfile,
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
    valueCpmMicros: valueCpmMicros > cpmMicros ? valueCpmMicros : undefined,
    marginBasisPoints: candidate.marginBasisPoints,
    currency: request.currency!.code === 'USD' ? '' : request.currency!.code,
    dollarsPerUnit: request.currency!.dollars,
    auctionType: request.auctionType,
    test: request.test,
    ifa: request.device.ifa,
    language: request.device.language,
  };
}
