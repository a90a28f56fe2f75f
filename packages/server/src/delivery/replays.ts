import { randomBytes } from 'node:crypto';
import type { ExchangeTest, ExchangeTestInput } from '@bidwell/contract/operator/exchange-test';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryDeps } from './delivery-deps.ts';
import { createSigner } from './trackers/signer.ts';
import { type Funnel, type FunnelDeps, startFunnel } from './funnel/recorder.ts';
import type { InstallPrices } from './learning/install-price.ts';
import { type ValuationDeps, valuationOf } from './learning/valuation.ts';
import { type MarketReader, createMarketReader } from './openrtb/market-reader.ts';
import { testRequest } from './openrtb/test-request.ts';
import type { Budgets } from './pacing/budgets.ts';
import { isBiddingStopped } from './snapshot/bidding-stop.ts';
import { loadSsp } from './snapshot/exchange-store.ts';
import type { SnapshotService } from './snapshot/service.ts';

/** Calls that replay bid requests without bidding on them, in any process. */
export interface Replays {
  /** Says how bidders would respond to a sample bid request of an exchange; null if there is no such exchange. */
  testRequest(this: void, slug: string, input: ExchangeTestInput): Promise<ExchangeTest | null>;
  /** Replays of sampled bid requests. In a process that does not bid, money and learned rates are not known. */
  market: MarketReader;
}

/** Parts of the valuation of impressions. */
export type ValuationParts = ValuationDeps & { installPrices: InstallPrices };

/** Values impressions without a step of the controller of install prices, which only real auctions make. */
function withoutSteps(valuationParts: ValuationParts): ValuationDeps {
  const { installPrices } = valuationParts;
  return {
    ...valuationParts,
    installPrices: { priceOf: (adsetId, price) => installPrices.lastPriceOf(adsetId, price) },
  };
}

/** Starts the delivery funnel of a bidder. */
export function funnelOf(
  deps: DeliveryDeps,
  {
    budgets,
    valuationParts,
    ...parts
  }: Pick<FunnelDeps, 'snapshot' | 'bidders' | 'counter' | 'capsFor'> & {
    budgets: Budgets;
    valuationParts: ValuationParts;
  },
): Funnel {
  return startFunnel({
    ...deps,
    ...parts,
    valuationOf: (request, nowMs) => valuationOf(request, nowMs, withoutSteps(valuationParts)),
    budget: {
      noBidReason: (...asked) => budgets.presentNoBidReason(...asked),
      paceOf: valuationParts.paceOf,
    },
    secure: deps.publicUrl.startsWith('https:'),
  });
}

/** Creates {@link Replays}; without `budgets` in a process that does not bid. */
export function replaysOf(
  deps: DeliveryDeps,
  parts: { snapshot: SnapshotService; budgets: Budgets | null; valuationParts: ValuationParts },
): Replays {
  const { snapshot, budgets, valuationParts } = parts;
  return {
    testRequest: requestTester(deps, parts),
    market: createMarketReader({
      ...deps,
      snapshot,
      valuationOf: (request, nowMs) => valuationOf(request, nowMs, withoutSteps(valuationParts)),
      budget: {
        noBidReason: (...asked) => budgets?.presentNoBidReason(...asked) ?? null,
        paceOf: (...asked) => (budgets ? valuationParts.paceOf(...asked) : null),
      },
      secure: deps.publicUrl.startsWith('https:'),
    }),
  };
}

/** Host of the tracking URLs in tested bids: no such host exists, and no tracker accepts their tokens. */
const NO_TRACKER = 'https://tracker.invalid';

/** Tests sample bid requests with the present state of this process, and without changing it. */
function requestTester(
  deps: DeliveryDeps,
  {
    snapshot,
    budgets,
    valuationParts,
  }: {
    snapshot: SnapshotService;
    budgets: Budgets | null;
    valuationParts: ValuationParts;
  },
): Replays['testRequest'] {
  const present = { ...withoutSteps(valuationParts), paceOf: budgets ? valuationParts.paceOf : () => null };
  const signer = createSigner(randomBytes(32).toString('hex'), NO_TRACKER);
  return async (slug, input) => {
    const ssp = await loadSsp(deps.db, slug);
    if (!ssp) return null;
    const tested = await testRequest(input, ssp, {
      ...deps,
      signer,
      snapshot,
      budgets,
      rates: snapshot.rates,
      signing: snapshot.skadnetwork,
      newBidId: uuidv7,
      domain: new URL(deps.publicUrl).hostname,
      valuationOf: (request, nowMs) => valuationOf(request, nowMs, present),
    });
    if (await isBiddingStopped(deps.db)) tested.notes.push('An operator has stopped all bidding.');
    if (!ssp.active)
      tested.notes.push('The exchange is off: its requests are refused until it is turned on.');
    return tested;
  };
}
