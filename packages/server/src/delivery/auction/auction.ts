import type { Micros } from '@bidwell/contract/lib/money';
import type { ChargeOn } from '@bidwell/contract/operator/schema';
import type { BidRef } from '../model/event.ts';
import { type ParsedImp, type ParsedRequest, billingIdOf } from '../model/bid-request.ts';
import { takesPlacement } from '../matching/placement-kind.ts';
import { type RequestProfile, requestProfileOf } from '../matching/request-profile.ts';
import { type Bitset, type Intersection, lowestBit, createBitset, union } from '../model/bitset.ts';
import type { Snapshot, FormatAdsets } from '../snapshot/snapshot.ts';
import type { Candidate, CompiledCreative } from '../model/candidate.ts';
import type { CompiledCaps } from '../model/frequency.ts';
import type { Memberships } from '../model/audience.ts';
import type { Valuation, Prediction } from '../model/valuation.ts';
import { factorInputOf } from './factor-input.ts';
import { type Placement, impressionMicros, valueCpmMicrosOf, floorOf } from './price.ts';
import { audienceNoBidReason } from './audiences.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/no-bid-reason.ts';
import { fittingFormats } from './formats.ts';

/** Inputs of the auction beyond the snapshot and the request. */
export interface AuctionContext {
  nowMs: number;
  /** Uniform between 0 and 1; breaks ties. */
  random: () => number;
  newBidId: () => string;
  /** No-bid reason if an ad set may not spend `micros` on one impression in a country now; null if it may. */
  noBidReason: (candidate: Candidate, micros: Micros, country: string) => NoBidReason | null;
  /** Ad sets whose budget is known to be exhausted for now; null when none is known. */
  exhausted: Bitset | null;
  valuation: Valuation;
  chargeOn: ChargeOn;
  /** Whether our images and tracking URLs use https. */
  secure: boolean;
  /** Absent where frequency caps are not counted. */
  caps?: RequestCaps;
}

/** The frequency caps as they apply to the person of a request. */
export interface RequestCaps {
  /** Why an ad set with caps may not bid, with `placed` other bids of its campaign in this request; null if it may. */
  noBidReason: (caps: CompiledCaps, placed: number) => NoBidReason | null;
  /** The key of the person; undefined where no id identifies one. */
  personKey: () => string | undefined;
}

/** A bid for an imp. */
export interface AuctionBid {
  imp: ParsedImp;
  ref: BidRef;
  candidate: Candidate;
  creative: CompiledCreative;
}

/**
 * Bids: at most one per imp, several for a dynamic pod. If there is no bid, `reason` is the no-bid reason of the imps
 * that comes last in {@link NO_BID_REASONS}.
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
  const reach: Reach = {
    profile: requestProfileOf(request),
    nowMs: context.nowMs,
    adsets: undefined,
    memberships: undefined,
  };
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

  /** Bids of ad sets of a campaign. */
  ofCampaign(campaignId: string): number {
    return this.bids.reduce((sum, { ref }) => sum + (ref.campaignId === campaignId ? 1 : 0), 0);
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
    profile,
    memberships: () => membershipsIn(reach, snapshot),
    nowMs: context.nowMs,
    valuation,
    random: context.random,
    exhausted: context.exhausted,
    noBidReason: (candidate, valueCpmMicros, group) => {
      if (placed.has(candidate, imp)) return 'already_bid';
      if (!takesPlacement(candidate, imp)) return 'placement_kind';
      if (request.dsa?.required && candidate.advertiserName === '') return 'dsa_unknown';
      if (candidate.audiences) {
        const unreached = audienceNoBidReason(candidate.audiences, membershipsIn(reach, snapshot));
        if (unreached) return unreached;
      }
      if (imp.billing && billingIdOf(imp.billing, candidate.companyId) === null) return 'billing_id';
      const withheld = withheldReason(candidate, group, imp);
      if (withheld) return withheld;
      const capped =
        candidate.caps && context.caps?.noBidReason(candidate.caps, placed.ofCampaign(candidate.campaignId));
      if (capped) return capped;
      const micros = impressionMicros(valueCpmMicros, candidate.marginBasisPoints);
      return context.noBidReason(candidate, micros, request.device.country);
    },
  });
  if (highest === null) return further(reason, mismatchOf(groups, reach, snapshot));
  if (typeof highest === 'string') return further(reason, highest);
  const { candidate, group, valueCpmMicros } = highest;
  const creative = valuation.choose(candidate, fittingCreatives(candidate, group, imp));
  const cpmMicros = valuation.bidCpmMicros(candidate, creative, group.floorCpmMicros, valueCpmMicros);
  const prices = { cpmMicros, valueCpmMicros };
  return { imp, candidate, creative, ref: refOf(candidate, creative, prices, profile, context) };
}

/** The creatives of an ad set in the formats of a group, without those that the exchange excludes or has not approved. */
function fittingCreatives(
  { creatives }: Candidate,
  { slots }: FormatGroup,
  imp: Pick<ParsedImp, 'excludedCreatives' | 'reviewedAt'>,
): readonly CompiledCreative[] {
  return creatives.filter(
    (one) =>
      slots.some((slot) => slot.creativeFormat === one.creativeFormat) &&
      creativeNoBidReason(one, imp) === null,
  );
}

/** Why an exchange takes no bid with a creative; null if it does. */
export function creativeNoBidReason(
  { uuid, approvedAt }: Pick<CompiledCreative, 'uuid' | 'approvedAt'>,
  { excludedCreatives, reviewedAt }: Pick<ParsedImp, 'excludedCreatives' | 'reviewedAt'>,
): NoBidReason | null {
  if (excludedCreatives?.has(uuid)) return 'creative_excluded';
  return reviewedAt === null || approvedAt?.includes(reviewedAt) ? null : 'creative_not_approved';
}

/** Why the exchange takes none of an ad set's creatives that fit; null if it takes one. */
function withheldReason(candidate: Candidate, group: FormatGroup, imp: ParsedImp): NoBidReason | null {
  const { excludedCreatives, reviewedAt } = imp;
  if (!excludedCreatives && reviewedAt === null) return null;
  if (fittingCreatives(candidate, group, imp).length > 0) return null;
  const isExcluded = fittingCreatives(candidate, group, { excludedCreatives, reviewedAt: null }).length === 0;
  return isExcluded ? 'creative_excluded' : 'creative_not_approved';
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
    reEngagement: candidate.reEngagement || undefined,
    ifa: request.device.ifa,
    language: request.device.language,
    personKey: candidate.caps ? context.caps?.personKey() : undefined,
  };
}

/** Inputs common to all groups. */
interface Question {
  /** In descending order of `ceilingCpmMicros`. */
  candidates: readonly Candidate[];
  /** Ad sets whose targeting fits. */
  targeting: Intersection;
  /** Ad sets that may not bid on the imp because of insecure URLs; null where it does not matter. */
  insecure: Bitset | null;
  profile: RequestProfile;
  memberships: () => Memberships | null;
  nowMs: number;
  valuation: Valuation;
  random: () => number;
  /** No-bid reason of an ad set for a bid of this value; null if it bids. */
  noBidReason: (candidate: Candidate, valueCpmMicros: Micros, group: FormatGroup) => NoBidReason | null;
  /** Ad sets with an exhausted budget, checked only when no other ad set bids, for the reason. Null when none is known. */
  exhausted: Bitset | null;
}

interface Highest {
  candidate: Candidate;
  group: FormatGroup;
  valueCpmMicros: Micros;
}

/**
 * The ad set with the highest value among those that target the request and have a creative of a group, ties broken at
 * random. If none bids, the latest of the no-bid reasons; null if there is no such ad set.
 */
function highestBidder(groups: readonly FormatGroup[], question: Question): Highest | NoBidReason | null {
  const search = new Search(question);
  for (const group of groups) search.visit(group, false);
  if (!search.best && question.exhausted) for (const group of groups) search.visit(group, true);
  return search.best ?? search.reason;
}

/** The highest bidder so far, and the latest of the no-bid reasons; null as long as no ad set fits. */
class Search {
  readonly #question: Question;
  best: Highest | null = null;
  reason: NoBidReason | null = null;
  #bestValue = 0;
  #ties = 0;
  /** Whether the floor is among the no-bid reasons. */
  #isFloorKnown = false;

  constructor(question: Question) {
    this.#question = question;
  }

  /** Visits the ad sets of a group with an exhausted budget (`areExhausted`), or the others. */
  visit(group: FormatGroup, areExhausted: boolean): void {
    const { candidates, targeting, insecure, exhausted, valuation, profile, nowMs, memberships } =
      this.#question;
    let prediction: Prediction | null = null;
    const placement: Placement = {
      input: factorInputOf(profile, group.format, nowMs, memberships),
      predict: () => (prediction ??= valuation.predict(group.format)),
    };
    for (let word = 0; word * 32 < candidates.length; word += 1) {
      // Candidates are in descending order of `ceilingCpmMicros`: none of the following can bid more.
      const { ceilingCpmMicros } = candidates[word * 32]!;
      if (ceilingCpmMicros < this.#bestValue) return;
      if (ceilingCpmMicros < group.floorCpmMicros && this.#isFloorKnown) return;
      let rest = wordOf(group, word);
      if (exhausted) rest &= areExhausted ? exhausted[word]! : ~exhausted[word]!;
      if (insecure) rest &= ~insecure[word]!;
      if (rest !== 0) rest = targeting.within(word, rest);
      for (; rest !== 0; rest &= rest - 1) {
        const candidate = candidates[word * 32 + lowestBit(rest)]!;
        if (candidate.ceilingCpmMicros < this.#bestValue) return;
        if (candidate.ceilingCpmMicros < group.floorCpmMicros) {
          this.#isFloorKnown = true;
          return this.#reject('floor');
        }
        this.#consider(candidate, group, placement);
      }
    }
  }

  #consider(candidate: Candidate, group: FormatGroup, placement: Placement): void {
    const { valuation, noBidReason, random } = this.#question;
    const value = valueCpmMicrosOf(candidate, placement, valuation, this.#bestValue);
    if (value === null || value < this.#bestValue) return;
    const rejection =
      value <= 0 || value < group.floorCpmMicros ? 'floor' : noBidReason(candidate, value, group);
    if (rejection) return this.#reject(rejection);
    this.#ties = value > this.#bestValue ? 1 : this.#ties + 1;
    // Each of n equal bids wins with probability 1/n.
    if (this.#ties > 1 && random() * this.#ties >= 1) return;
    this.best = { candidate, group, valueCpmMicros: value };
    this.#bestValue = value;
  }

  #reject(reason: NoBidReason): void {
    this.reason = further(this.reason ?? 'unreadable', reason);
  }
}

/** A word of the union of a group's ad sets. */
function wordOf({ slots }: FormatGroup, word: number): number {
  let bits = slots[0]!.adsets[word]!;
  for (let index = 1; index < slots.length; index += 1) bits |= slots[index]!.adsets[word]!;
  return bits;
}

/** Creative formats that an imp accepts, with the same format, and so the same predictions, and the same floor. */
interface FormatGroup {
  format: string;
  floorCpmMicros: Micros;
  slots: FormatAdsets[];
}

/** Groups that fit an imp. `reason` is the latest no-bid reason among the creative formats that do not. */
interface Shortlist {
  groups: readonly FormatGroup[];
  reason: NoBidReason;
}

/** A request with the ad sets that target it. */
interface Reach {
  profile: RequestProfile;
  nowMs: number;
  /**
   * Ad sets whose targeting fits, regardless of their creatives; null for none. Undefined until an imp has a format of
   * ours: most requests of some exchanges have none.
   */
  adsets: Intersection | null | undefined;
  /** The person's memberships in audiences; null without an id. Undefined until an ad set with audiences is about to bid. */
  memberships: Memberships | null | undefined;
}

function membershipsIn(reach: Reach, { audiences }: Snapshot): Memberships | null {
  if (reach.memberships === undefined) {
    const { device, test } = reach.profile.request;
    const { listId } = device;
    reach.memberships = listId === '' ? null : audiences.membershipsOf(listId, !test);
  }
  return reach.memberships;
}

/** Groups the creative formats that fit an imp by format and floor. */
function shortlist(imp: ParsedImp, { byFormat }: Snapshot): Shortlist {
  const { slots, reason } = fittingFormats(imp, byFormat);
  const groups: FormatGroup[] = [];
  for (const slot of slots) {
    const { formatKey: format, creativeFormat } = slot;
    const floorCpmMicros = floorOf(imp, creativeFormat);
    const group = groups.find((one) => one.format === format && one.floorCpmMicros === floorCpmMicros);
    if (group) group.slots.push(slot);
    else groups.push({ format, floorCpmMicros, slots: [slot] });
  }
  return { groups, reason };
}

/** The no-bid reason of an imp whose groups have no ad set that targets the request, or only ones with insecure URLs. */
function mismatchOf(
  groups: readonly FormatGroup[],
  { profile, nowMs }: Reach,
  { matcher, candidates }: Snapshot,
): NoBidReason {
  const adsets = createBitset(candidates.length);
  for (const { slots } of groups) for (const slot of slots) union(adsets, slot.adsets);
  return matcher.narrow(adsets, profile, nowMs) ?? 'insecure_address';
}
