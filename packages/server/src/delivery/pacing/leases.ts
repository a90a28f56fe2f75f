import type { Micros } from '@bidwell/contract/money';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import type { PaceState } from './pace.ts';
import { steerPace } from './pace.ts';

/**
 * A lease is money that one bidder alone may still spend on one ad set: what its bids hold back and what it may bid with
 * next. Spend and all leases together stay within the ad set's day, its total budget and its company's funds. A lease that
 * was asked back is smaller only once the bidder said so; money that was spent leaves it only once it counts as spent.
 */
export interface LeaseAsk {
  adsetId: string;
  companyId: string;
  timeZone: string;
  /** What the bidder cannot give back: it holds for bids, or may be used before the answer comes. */
  keepMicros: Micros;
  /** What it would like to have, `keepMicros` included. */
  wantMicros: Micros;
  /** What bids hold back of it. */
  heldMicros: Micros;
  /** What bids are likely to hold back besides, at most, before the bidder asks again. */
  nextMicros: Micros;
  /** The most that one impression costs: less than that is of no use. */
  unitMicros: Micros;
  /** Null is unlimited. */
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  /** The company's money before any spend. */
  fundsMicros: Micros;
  /** For even pacing: the share of the money left for today that should be spent in a second from now; else null. */
  sharePerSecond: number | null;
}

/** What became of an ask. */
export interface Lease {
  adsetId: string;
  /** Not below the ask's `keepMicros`. */
  micros: Micros;
  /** What could still be leased to anyone; below 0 when budgets were cut, so that leases must shrink. */
  roomMicros: Micros;
  /** Which bound left less room than one impression; null when none did. */
  bound: Extract<NoBidReason, 'daily_budget' | 'total_budget' | 'balance'> | null;
  /** The share of offers to bid on: 1 without even pacing. */
  pace: number;
}

/** How a bid ended, told to the bidder that made it: once, after its spend has been booked. */
export interface BidOutcome {
  bidId: string;
  /** True when it was charged, false when it lost. */
  charged: boolean;
  /** What it held, for the lease of a bidder that has ended; absent where that is not known, or was told before. */
  held?: { adsetId: string; micros: Micros };
}

/** The answer to all asks of a bidder. */
export interface LeaseAnswer {
  /** The store's clock, which alone decides what day it is. */
  nowMs: number;
  leases: Lease[];
  /** What trackers of other processes heard of this bidder's bids. */
  outcomes: BidOutcome[];
  /** Bidders that asked in the last ten seconds, this one included. */
  bidders: number;
}

/** What bids of one ad set cost, of one batch of events. */
export interface Spend {
  adsetId: string;
  companyId: string;
  micros: Micros;
}

/** Where all bidders meet. */
export interface LeaseStore {
  /** Renews the bidder's leases: changes those asked for, keeps the others. */
  sync(bidderId: string, asks: readonly LeaseAsk[]): Promise<LeaseAnswer>;
}

/** How long a bid may wait for its notice before its money is free again. */
export const RESERVATION_MS = 10 * 60_000;
/** A bidder that hears nothing of the store for so long stops bidding. */
export const SILENCE_MS = 10_000;
/**
 * A bidder not heard of for so long has ended: it stopped bidding twenty seconds ago at the latest. What no bid holds of its
 * leases is free, the rest as its bids are charged or lost.
 */
export const ENDED_MS = 30_000;
/** A bidder not heard of for so long has no bid left that waits: nothing of its leases is left. */
export const LEASE_MS = SILENCE_MS + RESERVATION_MS;

/** What the ids of a bidder's bids end with, so that a notice finds its bidder: the end of the bidder's own id. */
export function tagOf(id: string): string {
  return id.slice(-8);
}

/** What the store knows of an ad set before it decides. */
export interface AdsetAccount {
  /** Spent in the company's current day, and ever. */
  dayMicros: Micros;
  everMicros: Micros;
  /** Leased to all bidders, and to the one that asks. */
  leasedMicros: Micros;
  ownMicros: Micros;
  pace: PaceState | null;
}

export interface CompanyAccount {
  spentMicros: Micros;
  leasedMicros: Micros;
}

/** A decision: the lease, and how the store's pace of the ad set moves on (null when it does not). */
export interface Decision {
  lease: Lease;
  pace: PaceState | null;
  /** What of the lease stays leased when the bidder ends. */
  heldMicros: Micros;
}

/** Of a budget, at most this part is freed though bids that the store never heard of may hold it. */
const UNHEARD_PART_MAX = 0.01;

/**
 * What of a lease stays leased when its bidder ends before it asks again: what its bids held at the ask, and what bids after
 * it are likely to hold. That may be too little by what a sudden rush of bids took in the last second, and never by more
 * than a hundredth of the budget or one impression.
 */
export function heldOf(ask: LeaseAsk, leaseMicros: Micros): Micros {
  const { heldMicros, nextMicros, unitMicros, dailyBudgetMicros, totalBudgetMicros, fundsMicros } = ask;
  const freeMicros = Math.max(0, leaseMicros - heldMicros);
  const budgetMicros = Math.min(fundsMicros, dailyBudgetMicros ?? Infinity, totalBudgetMicros ?? Infinity);
  const unheardMicros = Math.max(unitMicros, Math.floor(budgetMicros * UNHEARD_PART_MAX));
  const next = Math.max(Math.min(freeMicros, nextMicros), freeMicros - unheardMicros);
  return leaseMicros - freeMicros + next;
}

/**
 * Decides a bidder's asks, one after the other; `companies` is brought up to date on the way. No bidder gets more than its
 * share of what is left, and no ad set more than its share of its company's funds, so that the last of a budget does not
 * lie idle with one that has no use for it.
 */
export function decideLeases(
  asks: readonly LeaseAsk[],
  accounts: { adsets: ReadonlyMap<string, AdsetAccount>; companies: ReadonlyMap<string, CompanyAccount> },
  bidders: number,
  nowMs: number,
): Decision[] {
  const asking = new Map<string, number>();
  for (const { companyId, keepMicros, wantMicros } of asks)
    if (wantMicros > keepMicros) asking.set(companyId, (asking.get(companyId) ?? 0) + 1);
  return asks.map((ask) => {
    const adset = accounts.adsets.get(ask.adsetId)!;
    const company = accounts.companies.get(ask.companyId)!;
    const wishMicros = Math.max(0, ask.wantMicros - ask.keepMicros);
    const { roomMicros, bound, shareMicros } = roomOf(ask, adset, company, {
      bidders: Math.max(1, bidders),
      adsets: asking.get(ask.companyId) ?? 1,
    });
    const given = Math.min(wishMicros, Math.max(ask.unitMicros, shareMicros), Math.max(0, roomMicros));
    const useful = given === wishMicros || given >= ask.unitMicros ? given : 0;
    const micros = ask.keepMicros + useful;
    company.leasedMicros += micros - adset.ownMicros;
    const steered = steer(ask, adset, nowMs);
    const lease: Lease = {
      adsetId: ask.adsetId,
      micros,
      roomMicros: roomMicros - useful,
      bound: roomMicros < ask.unitMicros ? bound : null,
      pace: ask.sharePerSecond === null ? 1 : (steered?.share ?? adset.pace?.share ?? 1),
    };
    return { lease, pace: steered, heldMicros: heldOf(ask, micros) };
  });
}

/** What is left within all bounds, which of them is the narrowest, and an even share of it. */
function roomOf(
  ask: LeaseAsk,
  adset: AdsetAccount,
  company: CompanyAccount,
  among: { bidders: number; adsets: number },
): { roomMicros: Micros; bound: Lease['bound']; shareMicros: Micros } {
  const grown = ask.keepMicros - adset.ownMicros;
  const rooms = [
    {
      bound: 'balance' as const,
      left: ask.fundsMicros - company.spentMicros - company.leasedMicros - grown,
      parts: among.bidders * among.adsets,
    },
    {
      bound: 'total_budget' as const,
      left: (ask.totalBudgetMicros ?? Infinity) - adset.everMicros - adset.leasedMicros - grown,
      parts: among.bidders,
    },
    {
      bound: 'daily_budget' as const,
      left: (ask.dailyBudgetMicros ?? Infinity) - adset.dayMicros - adset.leasedMicros - grown,
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

function steer(ask: LeaseAsk, adset: AdsetAccount, nowMs: number): PaceState | null {
  if (ask.sharePerSecond === null || ask.dailyBudgetMicros === null) return null;
  const leftMicros = Math.max(0, ask.dailyBudgetMicros - adset.dayMicros);
  return steerPace(adset.pace, adset.dayMicros, leftMicros * ask.sharePerSecond, nowMs);
}
