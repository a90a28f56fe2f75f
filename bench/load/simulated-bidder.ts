/** Ad sets that bid on the sample exchange, by the bidder's own auction and budgets on a simulated clock, without a network. */
import type { Micros } from '@bidwell/contract/lib/money';
import { holdAuction, rivalBids } from '@bidwell/exchange/auction';
import { AD_FORMATS, type Impression } from '@bidwell/exchange/behaviour';
import type { Random } from '@bidwell/exchange/random';
import { trafficLevelAt } from '@bidwell/exchange/traffic/countries';
import type { Opportunity } from '@bidwell/exchange/traffic/generate';
import { runAuction } from '@bidwell/server/delivery/auction/auction';
import { impressionMicros } from '@bidwell/server/delivery/auction/price';
import { InstallPrices } from '@bidwell/server/delivery/learning/install-price';
import { Learning } from '@bidwell/server/delivery/learning/learning';
import { valuationOf } from '@bidwell/server/delivery/learning/valuation';
import type { AdsetRow, Candidate } from '@bidwell/server/delivery/model/candidate';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import type { Valuation } from '@bidwell/server/delivery/model/valuation';
import type { ParsedRequest } from '@bidwell/server/delivery/model/bid-request';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { Budgets } from '@bidwell/server/delivery/pacing/budgets';
import { QUARTERS, QUARTER_MS } from '@bidwell/server/delivery/pacing/pace';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import type { Snapshot } from '@bidwell/server/delivery/snapshot/snapshot';
import { MemoryLeases } from '@bidwell/testing/pacing/memory-leases';

/** The shared settings of simulated bidders. */
export interface SimulatedWorld {
  /** Set by the simulation. */
  clock: { nowMs: number };
  /** Random numbers of the bidders. */
  chance: Random;
  learning: Learning;
  installPrices: InstallPrices;
  /** Traffic profile by quarter of the day, which bidders would learn within days. */
  trafficProfile: readonly number[];
}

/** A world that starts at a midnight of UTC, with nothing learned. */
export function simulatedWorld(startsAtMs: number, chance: Random): SimulatedWorld {
  return {
    clock: { nowMs: startsAtMs },
    chance,
    learning: new Learning(),
    installPrices: new InstallPrices(),
    trafficProfile: Array.from({ length: QUARTERS }, (_unused, quarter) =>
      trafficLevelAt(startsAtMs + quarter * QUARTER_MS),
    ),
  };
}

/** Ad sets that run together, with budgets of their own. */
export interface SimulatedBidder {
  snapshot: Snapshot;
  budgets: Budgets;
  leases: MemoryLeases;
}

/** A bidder of ad sets whose companies have unlimited funds. */
export function simulatedBidder(
  { clock, chance, trafficProfile }: SimulatedWorld,
  rows: readonly AdsetRow[],
): SimulatedBidder {
  const snapshot = compileSnapshot([...rows]);
  const budgets = new Budgets({ random: chance, trafficProfileOf: () => trafficProfile, clocksOf: () => [] });
  budgets.setFunds(new Map(rows.map(({ companyId }) => [companyId, 1e15])));
  budgets.setCandidates(snapshot.candidates);
  return { snapshot, budgets, leases: new MemoryLeases(() => clock.nowMs) };
}

/** Leases budgets for what the bidder needs now. */
export function leaseBudgets(
  { clock: { nowMs } }: SimulatedWorld,
  { budgets, leases }: SimulatedBidder,
): void {
  budgets.applyResponse(leases.syncNow('bidder', budgets.requests(nowMs)), nowMs);
}

/** The bids of other bidders on each slot of an opportunity. */
export function rivalsOf({ slots, person }: Opportunity, random: Random): Micros[][] {
  return slots.map((slot) => rivalBids(random, slot.typicalCpmDollars * person.country.priceLevel));
}

/** A won and charged impression. */
export interface WonImpression {
  ref: BidRef;
  valuation: Valuation;
  spendMicros: Micros;
  /** The impression, which decides its click and its install. */
  impression: Impression;
}

/** Gets each bid before its auction, and each won impression after it was charged. */
export interface AuctionObserver {
  onBid: (ref: BidRef) => void;
  onWin: (won: WonImpression) => void;
}

let bidNumber = 0;

/** Offers an opportunity to the ad sets of a bidder, holds the auctions of their bids, and charges what they win. */
export function offerOpportunity(
  { clock: { nowMs }, chance, learning, installPrices }: SimulatedWorld,
  { snapshot, budgets, leases }: SimulatedBidder,
  { request, slots, person, app }: Opportunity,
  rivals: readonly Micros[][],
  { onBid, onWin }: AuctionObserver,
  parsed: ParsedRequest = readBidRequest(request, 'sample')!,
): void {
  const valuation = valuationOf(parsed, nowMs, {
    learning,
    installPrices,
    paceOf: (candidate: Candidate) => budgets.paceOf(candidate),
    random: chance,
  });
  const { bids: sent } = runAuction(parsed, snapshot, {
    nowMs,
    random: chance,
    newBidId: () => `bid-${(bidNumber += 1)}`,
    noBidReason: (candidate, micros, country) => budgets.noBidReason(candidate, micros, nowMs, country),
    exhausted: budgets.exhaustedAmong(snapshot.candidates),
    valuation,
    chargeOn: 'billing',
    secure: true,
  });
  for (const { imp, ref, candidate } of sent) {
    const index = request.imp.findIndex(({ id }) => id === imp.id);
    budgets.reserve(ref.bidId, candidate, impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints), nowMs);
    onBid(ref);
    const outcome = holdAuction({
      type: request.at,
      floorCpmMicros: imp.floorCpmMicros,
      bidCpmMicros: ref.bidCpmMicros,
      rivalsCpmMicros: rivals[index]!,
    });
    budgets.settle({ bidId: ref.bidId, charged: outcome.won }, nowMs);
    if (!outcome.won) continue;
    const spendMicros = Math.round(outcome.clearingCpmMicros / 1000);
    leases.book([{ ...candidate, micros: spendMicros }], []);
    const { creativeId, creativeType } = ref;
    onWin({
      ref,
      valuation,
      spendMicros,
      impression: {
        slot: slots[index]!,
        format: AD_FORMATS[creativeType],
        bundle: app.bundle,
        country: person.country.code,
        creativeId,
      },
    });
  }
}
