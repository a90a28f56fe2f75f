import type { Micros } from '@bidwell/contract/lib/money';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { addToSum } from '../../platform/group-by.ts';
import { type PacePlan, type PaceState, holdPace, steerPace } from './pace.ts';
import { invariant } from '../../platform/invariant.ts';

/**
 * A bidder's request for a lease. A lease is money that only one bidder may still spend on one ad set: the reservations
 * of its bids, and the money for its next bids. Spend and all leases together stay within the ad set's daily and total
 * budget and its company's funds. A lease shrinks only once its bidder agreed, and spent money leaves it only once it is
 * booked.
 */
export interface LeaseRequest {
  adsetId: string;
  /**
   * For the daily budget of a country: a lease of it counts neither against the budgets of the ad set nor against its company's funds,
   * against which the same bids have a lease of the ad set. Absent for these.
   */
  country?: string;
  companyId: string;
  timeZone: string;
  /** The part that the bidder cannot give back: reserved by bids, or usable before the response comes. */
  minimumMicros: Micros;
  /** The requested lease, `minimumMicros` included. */
  requestedMicros: Micros;
  /** The part that bids reserve. */
  reservedMicros: Micros;
  /** How long the last of them may be reserved, ms: {@link RESERVATION_MS_MAX} at most. */
  reservedMs: number;
  /** Upper estimate of the additional money that bids will reserve before the bidder requests again. */
  expectedMicros: Micros;
  /** The most that one impression costs; a smaller lease is of no use. */
  unitMicros: Micros;
  /** Null is unlimited. */
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  /** The company's money before any spend. */
  fundsMicros: Micros;
  /** For even pacing: the share of today's remaining money to spend in the next second, or that it is closed; else null. */
  sharePerSecond: PacePlan | null;
}

/** Lease granted in response to a request. */
export interface Lease {
  adsetId: string;
  /** As in the request. */
  country?: string;
  /** Not below the request's `minimumMicros`. */
  micros: Micros;
  /** Money that can still be leased to any bidder; negative after a budget was cut, so that leases must shrink. */
  roomMicros: Micros;
  /** The limit that left less room than one impression; null when none did. */
  bound: Extract<NoBidReason, 'country_budget' | 'daily_budget' | 'total_budget' | 'balance'> | null;
  /** Share of offers to bid on; 1 without even pacing. */
  pace: number;
}

/** How a bid ended. Sent once to the bidder that made it, after its spend is booked. */
export interface BidOutcome {
  bidId: string;
  /** True when it was charged, false when it lost. */
  charged: boolean;
  /**
   * The amount that the bid reserved, to reduce the lease of a bidder that has ended; absent where that is unknown,
   * or was reported before.
   */
  held?: { adsetId: string; country?: string; micros: Micros };
}

/** The response to all requests of a bidder. */
export interface LeaseResponse {
  /** The store's clock, which decides what day it is. */
  nowMs: number;
  leases: Lease[];
  /** Outcomes of this bidder's bids that other processes booked. */
  outcomes: BidOutcome[];
  /** Bidders that made a request in the last ten seconds, this one included. */
  bidders: number;
}

/** Spend of one ad set in one batch of events, in one country if that is known. */
export interface Spend {
  adsetId: string;
  companyId: string;
  country?: string;
  micros: Micros;
}

/** Store of the leases of all bidders. */
export interface LeaseStore {
  /**
   * Renews the requested leases, and leaves the bidder's others as they are. Counts as the bidder's heartbeat. Reservations
   * of ended bidders last longer by `lagMs`, the lag of counting.
   */
  sync(bidderId: string, requests: readonly LeaseRequest[], lagMs?: number): Promise<LeaseResponse>;
}

/** The longest time that a bid's reservation waits for its notice, at exchanges that do not cache ads. */
export const RESERVATION_MS = 10 * 60_000;
/** The longest time at exchanges that do: they show an ad up to two hours after the auction. */
export const RESERVATION_MS_MAX = 2 * 3_600_000;
/**
 * A reservation also waits until the notices are counted that came in its time. Counting that is further behind than this
 * is waited for no longer, so that one event that cannot be counted does not hold the money of all ad sets for good.
 */
export const LAG_MS_MAX = 3_600_000;
/** A bidder stops bidding after this long without a response from the store. */
export const SILENCE_MS = 10_000;
/**
 * A bidder without a heartbeat for this long has ended; it stopped bidding at least twenty seconds before. The unreserved
 * part of its leases is freed at once, the rest as its bids are charged or lost.
 */
export const ENDED_MS = 30_000;
/**
 * After this long without a heartbeat, plus the lag of counting, all reservations of a bidder have expired, and its
 * leases are deleted. If the bids of an ad set are reserved for a shorter time, its leases are deleted after that time
 * plus {@link SILENCE_MS}.
 */
export const LEASE_MS = SILENCE_MS + RESERVATION_MS_MAX;

/** Last characters of a bidder's id, which the ids of its bids end with too: a notice finds its bidder by them. */
export function tagOf(id: string): string {
  return id.slice(-8);
}

/** The key of an account: of an ad set's budgets, or of its daily budget in a country. */
export function accountKey({ adsetId, country }: { adsetId: string; country?: string }): string {
  return country ? `${adsetId} ${country}` : adsetId;
}

/** Spend and leases of an ad set, or of its daily budget in a country, before a decision. */
export interface AdsetAccount {
  /** Spent in the company's current day, and ever. */
  dayMicros: Micros;
  everMicros: Micros;
  /** Leased to all bidders, and to the requesting one. */
  leasedMicros: Micros;
  ownMicros: Micros;
  pace: PaceState | null;
}

export interface CompanyAccount {
  spentMicros: Micros;
  leasedMicros: Micros;
}

/** Decision on a request: the lease, and the next state of the pacing controller (null when it does not change). */
export interface Decision {
  lease: Lease;
  pace: PaceState | null;
  /** The part of the lease that stays leased when the bidder ends. */
  retainedMicros: Micros;
}

/** Largest part of a budget that is freed although bids unknown to the store may reserve it. */
const UNREPORTED_PART_MAX = 0.01;

/**
 * The part of a lease that stays leased when its bidder ends before it requests again: the reservations of its bids at the
 * request, and the likely reservations of later bids. A sudden rush of bids in the last second makes it too small, by at most a
 * hundredth of the budget or one impression.
 */
export function retainedOf(request: LeaseRequest, leaseMicros: Micros): Micros {
  const { reservedMicros, expectedMicros, unitMicros, dailyBudgetMicros, totalBudgetMicros, fundsMicros } =
    request;
  const freeMicros = Math.max(0, leaseMicros - reservedMicros);
  const budgetMicros = Math.min(fundsMicros, dailyBudgetMicros ?? Infinity, totalBudgetMicros ?? Infinity);
  const unreportedMicros = Math.max(unitMicros, Math.floor(budgetMicros * UNREPORTED_PART_MAX));
  const next = Math.max(Math.min(freeMicros, expectedMicros), freeMicros - unreportedMicros);
  return leaseMicros - freeMicros + next;
}

/**
 * Decides a bidder's requests in order, and updates `companies` on the way. A bidder gets at most an even share of the
 * rest, and an ad set at most an even share of its company's funds (but one impression at least), so that the end of a
 * budget is not leased where it is not used.
 */
export function decideLeases(
  requests: readonly LeaseRequest[],
  accounts: { adsets: ReadonlyMap<string, AdsetAccount>; companies: ReadonlyMap<string, CompanyAccount> },
  bidders: number,
  nowMs: number,
): Decision[] {
  const requesting = new Map<string, number>();
  for (const { companyId, country, minimumMicros, requestedMicros } of requests)
    if (!country && requestedMicros > minimumMicros) addToSum(requesting, companyId, 1);
  return requests.map((request) => {
    const adset = accounts.adsets.get(accountKey(request))!;
    const company = request.country ? null : accounts.companies.get(request.companyId)!;
    const wishMicros = Math.max(0, request.requestedMicros - request.minimumMicros);
    const { roomMicros, bound, shareMicros } = roomOf(request, adset, company, {
      bidders: Math.max(1, bidders),
      adsets: requesting.get(request.companyId) ?? 1,
    });
    const given = Math.min(wishMicros, Math.max(request.unitMicros, shareMicros), Math.max(0, roomMicros));
    const useful = given === wishMicros || given >= request.unitMicros ? given : 0;
    const micros = request.minimumMicros + useful;
    const retainedMicros = retainedOf(request, micros);
    checkLease(request, { micros, useful, roomMicros, retainedMicros });
    if (company) company.leasedMicros += micros - adset.ownMicros;
    const steered = steer(request, adset, nowMs);
    const lease: Lease = {
      adsetId: request.adsetId,
      ...(request.country && { country: request.country }),
      micros,
      roomMicros: roomMicros - useful,
      bound: roomMicros < request.unitMicros ? bound : null,
      pace: request.sharePerSecond === null ? 1 : (steered?.share ?? adset.pace?.share ?? 1),
    };
    return { lease, pace: steered, retainedMicros };
  });
}

/** Checks that newly leased money fits into all budgets, and that a lease covers the reservations of its bids. */
function checkLease(
  { adsetId, reservedMicros, minimumMicros }: LeaseRequest,
  lease: { micros: Micros; useful: Micros; roomMicros: Micros; retainedMicros: Micros },
): void {
  const { micros, useful, roomMicros, retainedMicros } = lease;
  const facts = () => ({ adsetId, reservedMicros, minimumMicros, ...lease });
  invariant(reservedMicros >= 0 && minimumMicros >= 0, 'the reserved money of a lease is below zero', facts);
  invariant(useful === 0 || useful <= roomMicros, 'a lease exceeds the room in its budgets', facts);
  invariant(
    retainedMicros >= 0 && retainedMicros <= micros,
    'more of a lease is retained than it has',
    facts,
  );
}

/** Money left within all limits, the narrowest of them, and an even share. */
function roomOf(
  request: LeaseRequest,
  adset: AdsetAccount,
  company: CompanyAccount | null,
  among: { bidders: number; adsets: number },
): { roomMicros: Micros; bound: Lease['bound']; shareMicros: Micros } {
  const grown = request.minimumMicros - adset.ownMicros;
  const ofDayMicros = (request.dailyBudgetMicros ?? Infinity) - adset.dayMicros - adset.leasedMicros - grown;
  if (!company)
    return {
      roomMicros: ofDayMicros,
      bound: 'country_budget',
      shareMicros: Math.floor(ofDayMicros / among.bidders),
    };
  const rooms = [
    {
      bound: 'balance' as const,
      left: request.fundsMicros - company.spentMicros - company.leasedMicros - grown,
      parts: among.bidders * among.adsets,
    },
    {
      bound: 'total_budget' as const,
      left: (request.totalBudgetMicros ?? Infinity) - adset.everMicros - adset.leasedMicros - grown,
      parts: among.bidders,
    },
    {
      bound: 'daily_budget' as const,
      left: ofDayMicros,
      parts: among.bidders,
    },
  ];
  const narrowest = rooms.reduce((least, room) => (room.left < least.left ? room : least));
  return {
    roomMicros: narrowest.left,
    bound: narrowest.bound,
    shareMicros: Math.floor(Math.min(...rooms.map(({ left, parts }) => left / parts))),
  };
}

function steer(request: LeaseRequest, adset: AdsetAccount, nowMs: number): PaceState | null {
  if (request.sharePerSecond === null || request.dailyBudgetMicros === null) return null;
  if (request.sharePerSecond === 'closed') return holdPace(adset.pace, adset.dayMicros, nowMs);
  const leftMicros = Math.max(0, request.dailyBudgetMicros - adset.dayMicros);
  const plan = { targetPerSecond: leftMicros * request.sharePerSecond, unitMicros: request.unitMicros };
  return steerPace(adset.pace, adset.dayMicros, plan, nowMs);
}
