import type { FunnelExit, NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import {
  type AuctionBid,
  type AuctionContext,
  creativeNoBidReason,
  impNoBidReason,
  requestNoBidReason,
} from '../auction/auction.ts';
import { audienceNoBidReason } from '../auction/audiences.ts';
import { formatNoBidReason } from '../auction/formats.ts';
import { factorInputOf } from '../auction/factor-input.ts';
import { highestCpmMicrosOf, impressionMicros, floorOf, valueCpmMicrosOf } from '../auction/price.ts';
import { takesPlacement } from '../matching/placement-kind.ts';
import { requestProfileOf } from '../matching/request-profile.ts';
import type { CompiledAudiences, Memberships } from '../model/audience.ts';
import { type ParsedImp, type ParsedRequest, billingIdOf } from '../model/bid-request.ts';
import { createBitset, hasBit, setBit } from '../model/bitset.ts';
import { type Candidate, type CreativeFormat, formatKeyOf } from '../model/candidate.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BID, type ExitCode, codeOf, exitOf } from './exits.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import type { Valuation } from '../model/valuation.ts';

/** The code for no exit. */
const NONE: ExitCode = 255;

/** The money that an ad set may spend at present, and its pacing. */
export interface ExplainContext extends Pick<
  AuctionContext,
  'nowMs' | 'valuation' | 'secure' | 'random' | 'caps'
> {
  /** No-bid reason if an ad set may not spend `micros` on one impression in a country now; null if it may. */
  noBidReason: (candidate: Candidate, micros: number, country: string) => NoBidReason | null;
  /** The share of offers in a country that an evenly paced ad set bids on, 0 to 1; null when it is not paced. */
  paceOf: (candidate: Candidate, country: string) => number | null;
  /** Whether the request was stored without the person's id: audiences then keep no ad set from it. */
  isRedacted?: boolean;
}

/** The outcome of a request: its bids, or the reason why there are none. */
export type Outcome = readonly SentBid[] | NoBidReason;
type SentBid = Pick<AuctionBid, 'imp' | 'candidate'>;

interface ExplainOptions {
  candidates?: readonly Candidate[];
  isOver?: () => boolean;
}

/** Where the request left the funnel of each ad set. */
export interface Explained {
  /** By the ad sets' index. */
  exits: Uint8Array;
  /** The ad sets that were looked at: all of them, unless `isOver` ended it. */
  checked: readonly Candidate[];
  /** The ad set that bid instead of one that was outbid, only for ad sets of the same company. */
  outbidBy: Map<Candidate, Candidate>;
}

/** An imp with what all ad sets have in common. */
interface OpenImp {
  imp: ParsedImp;
  closed: FunnelExit | null;
  formats: Map<CreativeFormat, NoBidReason | null>;
  bid: SentBid | undefined;
}

/**
 * Follows a request after its response through the funnel of every ad set, or of `candidates` alone: in the order of the
 * steps, which the auction does not have to respect. Has no side effects. Yields after each ad set that targets the request,
 * and ends once `isOver`. Without bids, `outbid` is the exit of ad sets that would bid if no other did.
 */
export function* explain(
  request: ParsedRequest,
  snapshot: Snapshot,
  outcome: Outcome,
  context: ExplainContext,
  { candidates = snapshot.candidates, isOver = () => false }: ExplainOptions = {},
): Generator<undefined, Explained> {
  const exits = new Uint8Array(snapshot.candidates.length);
  const outbidBy = new Map<Candidate, Candidate>();
  const closed = requestNoBidReason(request);
  if (closed) return { exits: exits.fill(codeOf(exitOf(closed)!)), outbidBy, checked: candidates };
  const indices = indicesOf(candidates, snapshot);
  const untargeted = untargetedExits(request, snapshot, indices, context.nowMs);
  const bids = typeof outcome === 'string' ? [] : outcome;
  const sent = new Set(bids.map(({ candidate }) => indexIn(snapshot, candidate)));
  const imps = request.imps.map((imp) => openImp(imp, bids, context));
  const memberships = membershipsIn(request, snapshot, context);
  const audienceExit = (own: CompiledAudiences): FunnelExit | null => {
    if (context.isRedacted) return null;
    const reason = audienceNoBidReason(own, memberships());
    return reason && exitOf(reason);
  };
  let checked = 0;
  for (const index of indices) {
    const code = sent.has(index) ? BID : untargeted[checked]!;
    exits[index] = code;
    checked += 1;
    // Most ad sets do not target the request. They are not read, since they do not all fit the processor's caches.
    if (code !== NONE) continue;
    const candidate = snapshot.candidates[index]!;
    const unreached = candidate.audiences && audienceExit(candidate.audiences);
    const { exit, by }: Exit = unreached
      ? { exit: unreached }
      : furthest(candidate, imps, { request, snapshot, outcome, context, memberships });
    exits[index] = codeOf(exit);
    if (by?.companyId === candidate.companyId) outbidBy.set(candidate, by);
    yield;
    if (isOver()) break;
  }
  return { exits, outbidBy, checked: candidates.slice(0, checked) };
}

/** The person's audiences; null for a person who cannot be looked up, and in a request that was stored without the id. */
function membershipsIn(
  { device: { listId } }: ParsedRequest,
  { audiences }: Snapshot,
  { isRedacted = false }: ExplainContext,
): () => Memberships | null {
  let memberships: Memberships | null | undefined;
  return () => (memberships ??= listId === '' || isRedacted ? null : audiences.membershipsOf(listId));
}

function indicesOf(candidates: readonly Candidate[], snapshot: Snapshot): Uint32Array {
  if (candidates !== snapshot.candidates) return Uint32Array.from(candidates, ({ index }) => index);
  const indices = new Uint32Array(candidates.length);
  for (let index = 0; index < indices.length; index += 1) indices[index] = index;
  return indices;
}

/** The index of an ad set that bid; −1 if the snapshot, which may be newer than the bid, does not have it. */
function indexIn({ candidates }: Snapshot, { index, adsetId }: Candidate): number {
  if (candidates[index]?.adsetId === adsetId) return index;
  return candidates.findIndex((candidate) => candidate.adsetId === adsetId);
}

/**
 * The exits of the ad sets that do not target a request, in the order of `indices`; {@link NONE} for ad sets that do.
 */
function untargetedExits(
  request: ParsedRequest,
  { matcher, candidates }: Snapshot,
  indices: Uint32Array,
  nowMs: number,
): Uint8Array {
  const exits = new Uint8Array(indices.length).fill(NONE);
  const fitting = createBitset(candidates.length);
  for (const index of indices) setBit(fitting, index);
  matcher.narrow(fitting, requestProfileOf(request), nowMs, (reason) => {
    const code = codeOf(exitOf(reason)!);
    for (let at = 0; at < indices.length; at += 1)
      if (exits[at] === NONE && !hasBit(fitting, indices[at]!)) exits[at] = code;
  });
  return exits;
}

function openImp(imp: ParsedImp, bids: readonly SentBid[], context: Pick<AuctionContext, 'secure'>): OpenImp {
  const closed = impNoBidReason(imp, context);
  return {
    imp,
    closed: closed && exitOf(closed),
    formats: new Map(),
    bid: bids.find((bid) => bid.imp.id === imp.id),
  };
}

interface Exit {
  exit: FunnelExit;
  /** The ad set that bid instead. */
  by?: Candidate;
}

interface Explaining {
  request: ParsedRequest;
  snapshot: Snapshot;
  outcome: Outcome;
  context: ExplainContext;
  memberships: () => Memberships | null;
}

/** The exit of an ad set that targets the request, of the imp for which it passed the most steps. */
function furthest(candidate: Candidate, imps: readonly OpenImp[], explaining: Explaining): Exit {
  let found: Exit = { exit: 'no_matching_format' };
  for (const imp of imps) {
    const exit = exitFrom(candidate, imp, explaining);
    if (codeOf(exit.exit) > codeOf(found.exit)) found = exit;
  }
  return found;
}

function exitFrom(candidate: Candidate, open: OpenImp, explaining: Explaining): Exit {
  const { imp, closed } = open;
  if (closed) return { exit: closed };
  if (!takesPlacement(candidate, imp)) return { exit: 'placement_kind' };
  const fitting: CreativeFormat[] = [];
  let exit: FunnelExit = 'no_matching_format';
  for (const creative of candidate.creatives) {
    const { creativeFormat } = creative;
    const reason = formatReason(creativeFormat, open) ?? creativeNoBidReason(creative, imp);
    if (reason === null) fitting.push(creativeFormat);
    else if (codeOf(exitOf(reason)!) > codeOf(exit)) exit = exitOf(reason)!;
  }
  if (fitting.length === 0) return { exit };
  const { request, snapshot } = explaining;
  if (imp.secure && hasBit(snapshot.insecure, candidate.index)) return { exit: 'insecure_address' };
  if (request.dsa?.required && candidate.advertiserName === '') return { exit: 'dsa_unknown' };
  if (imp.billing && billingIdOf(imp.billing, candidate.companyId) === null) return { exit: 'billing_id' };
  const capped = candidate.caps && explaining.context.caps?.noBidReason(candidate.caps, 0);
  if (capped) return { exit: exitOf(capped)! };
  return priceExit(candidate, fitting, open, explaining);
}

function formatReason(creativeFormat: CreativeFormat, { imp, formats }: OpenImp): NoBidReason | null {
  let reason = formats.get(creativeFormat);
  if (reason === undefined) formats.set(creativeFormat, (reason = formatNoBidReason(imp, creativeFormat)));
  return reason;
}

/** The exit of an ad set with creatives that fit: money, then the floor, then the auction among our own ad sets. */
function priceExit(
  candidate: Candidate,
  fitting: readonly CreativeFormat[],
  { imp, bid }: OpenImp,
  { request, outcome, context, memberships }: Explaining,
): Exit {
  const { valueCpmMicros, isAboveFloor } = pricesOf(candidate, fitting, imp, request, {
    ...context,
    memberships,
  });
  const { country } = request.device;
  const pace = context.paceOf(candidate, country) ?? 1;
  const unfunded = context.noBidReason(
    candidate,
    impressionMicros(valueCpmMicros, candidate.marginBasisPoints),
    country,
  );
  if (unfunded) return { exit: exitOf(unfunded)! };
  // Pacing skips offers at random. The auction's own draw is over: this one has the same chance.
  if (pace < 1 && context.random() >= pace) return { exit: 'pacing' };
  if (!isAboveFloor) return { exit: 'floor' };
  if (bid) return { exit: 'outbid', by: bid.candidate };
  return { exit: typeof outcome === 'string' ? unsentExit(outcome) : 'outbid' };
}

/**
 * The exit of an ad set that would have bid on a request that got no bid: its budget changed in between, or the response
 * was late.
 */
function unsentExit(reason: NoBidReason): FunnelExit {
  const exit = exitOf(reason);
  return exit !== null && codeOf(exit) >= codeOf('overloaded') ? exit : 'no_lease';
}

/** The value of an impression to an ad set, and its lowest price. */
export interface Prices {
  /** Highest value among the creatives that fit, micros per thousand; 0 when none does. */
  valueCpmMicros: Micros;
  /** Whether the value reaches the floor for one of them. */
  isAboveFloor: boolean;
  /** The most that the ad set bids for one of them: its CPM bid with its multipliers. */
  highestCpmMicros: Micros;
  /** Lowest floor among the creatives that fit; null when none does. */
  lowestFloorCpmMicros: Micros | null;
}

const noPrices = (): Prices => ({
  valueCpmMicros: 0,
  isAboveFloor: false,
  highestCpmMicros: 0,
  lowestFloorCpmMicros: null,
});

interface PriceContext {
  valuation: Valuation;
  nowMs: number;
  /** Absent where the request is stored without the person's id. */
  memberships?: () => Memberships | null;
}

/** The prices of a request for an ad set, over its imps and the creatives that fit them. */
export function bestPrices(candidate: Candidate, request: ParsedRequest, context: PriceContext): Prices {
  const best = noPrices();
  for (const imp of request.imps) {
    const fitting = candidate.creatives
      .map(({ creativeFormat }) => creativeFormat)
      .filter((creativeFormat) => formatNoBidReason(imp, creativeFormat) === null);
    const prices = pricesOf(candidate, fitting, imp, request, context);
    best.valueCpmMicros = Math.max(best.valueCpmMicros, prices.valueCpmMicros);
    best.isAboveFloor ||= prices.isAboveFloor;
    best.highestCpmMicros = Math.max(best.highestCpmMicros, prices.highestCpmMicros);
    const { lowestFloorCpmMicros: floor } = prices;
    if (floor !== null) best.lowestFloorCpmMicros = Math.min(best.lowestFloorCpmMicros ?? Infinity, floor);
  }
  return best;
}

/** The prices of one imp for the creative formats that fit it. */
function pricesOf(
  candidate: Candidate,
  fitting: readonly CreativeFormat[],
  imp: ParsedImp,
  request: ParsedRequest,
  { valuation, nowMs, memberships = () => null }: PriceContext,
): Prices {
  const prices = noPrices();
  const profile = requestProfileOf(request);
  for (const creativeFormat of fitting) {
    const format = formatKeyOf(creativeFormat);
    const input = factorInputOf(profile, format, nowMs, memberships);
    const placement = { input, predict: () => valuation.predict(format) };
    const value = valueCpmMicrosOf(candidate, placement, valuation, 0) ?? 0;
    prices.highestCpmMicros = Math.max(prices.highestCpmMicros, highestCpmMicrosOf(candidate, input));
    const floor = floorOf(imp, creativeFormat);
    prices.valueCpmMicros = Math.max(prices.valueCpmMicros, value);
    prices.isAboveFloor ||= value > 0 && value >= floor;
    prices.lowestFloorCpmMicros = Math.min(prices.lowestFloorCpmMicros ?? Infinity, floor);
  }
  return prices;
}
