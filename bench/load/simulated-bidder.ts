/** Ad sets that bid on the sample exchange, by the bidder's own auction and budgets on a simulated clock, without a network. */
import type { Micros } from '@bidwell/contract/lib/money';
import { holdAuction, rivalBids } from '../../packages/exchange/src/auction.ts';
import type { Impression } from '../../packages/exchange/src/behaviour.ts';
import type { Random } from '../../packages/exchange/src/random.ts';
import { trafficLevelAt } from '../../packages/exchange/src/traffic/countries.ts';
import type { Opportunity } from '../../packages/exchange/src/traffic/generate.ts';
import { runAuction } from '../../packages/server/src/delivery/auction/auction.ts';
import { impressionMicros } from '../../packages/server/src/delivery/auction/price.ts';
import { InstallPrices } from '../../packages/server/src/delivery/learning/install-price.ts';
import { Learning } from '../../packages/server/src/delivery/learning/learning.ts';
import { valuationOf } from '../../packages/server/src/delivery/learning/valuation.ts';
import type { AdsetRow, Candidate } from '../../packages/server/src/delivery/model/candidate.ts';
import type { BidRef } from '../../packages/server/src/delivery/model/event.ts';
import type { Valuation } from '../../packages/server/src/delivery/model/valuation.ts';
import { readBidRequest } from '../../packages/server/src/delivery/openrtb/read/read-request.ts';
import { Budgets } from '../../packages/server/src/delivery/pacing/budgets.ts';
import { QUARTERS, QUARTER_MS } from '../../packages/server/src/delivery/pacing/pace.ts';
import { compileSnapshot } from '../../packages/server/src/delivery/snapshot/compile.ts';
import type { Snapshot } from '../../packages/server/src/delivery/snapshot/snapshot.ts';
import { MemoryLeases } from '../../packages/server/src/testing/memory-leases.ts';

/** What simulated bidders have in common. */
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
  const budgets = new Budgets({ random: chance, trafficProfileOf: () => trafficProfile });
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
  /** What decides about its click and its install. */
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
): void {
  const parsed = readBidRequest(request, 'sample')!;
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
    noBidReason: (candidate, micros) => budgets.noBidReason(candidate, micros, nowMs),
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
    const { creativeId } = ref;
    onWin({
      ref,
      valuation,
      spendMicros,
      impression: { slot: slots[index]!, bundle: app.bundle, country: person.country.code, creativeId },
    });
  }
}
