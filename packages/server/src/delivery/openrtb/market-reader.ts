import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { type ExplainContext, explain } from '../funnel/explain.ts';
import {
  type Market,
  type WeightedRequest,
  marketOf,
  type Placement,
  placementsOf,
} from '../funnel/market.ts';
import { codeOf } from '../funnel/exits.ts';
import { type StoredRequest, sampleBetween } from '../funnel/request-sample.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Valuation } from '../model/valuation.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { readSampled } from './read/read-sampled.ts';

/** Dependencies of {@link createMarketReader}. */
export interface MarketDeps {
  clickhouse: ClickHouse;
  now: () => Date;
  random: () => number;
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  tcfVendorId: number | null;
  /** The valuation of a request's impressions; reading it must change nothing. */
  valuationOf: (request: ParsedRequest, nowMs: number) => Valuation;
  budget: Pick<ExplainContext, 'noBidReason' | 'paceOf'>;
  secure: boolean;
}

/** Replays the newest requests of the sample. */
export interface MarketReader {
  /** Figures of the sample for a running ad set; null for an ad set that does not run. */
  marketOf(this: void, adsetId: string): Promise<Market | null>;
  /**
   * The part of the sample in which creatives of running ad sets could be placed; ad sets that do not run are
   * absent.
   */
  placementsOf(this: void, adsetIds: ReadonlySet<string>): Promise<AdsetPlacements>;
  /** The newest request that leaves the funnel of one of some ad sets by an exit; null if there is none. */
  lostRequest(this: void, adsetIds: ReadonlySet<string>, exit: FunnelExit): Promise<StoredRequest | null>;
}

/** By ad set, the part of the sample in which each of its running creatives could be placed. */
export type AdsetPlacements = ReadonlyMap<string, ReadonlyMap<string, Placement>>;

/** A request of the sample, and the stored request from which it was read. */
type ReadRequest = WeightedRequest & { stored: StoredRequest };

/** Newest requests that are replayed. */
const REQUESTS_MAX = 2000;
/** Requests are read and parsed again after this time; a sample that is still small, which costs little, sooner. */
const CACHE_MS = 30_000;
const SMALL_CACHE_MS = 2000;
/** Longest run of a replay between bid requests. */
const SLICE_MS = 2;

/** Creates a {@link MarketReader}. */
export function createMarketReader(deps: MarketDeps): MarketReader {
  let cached: { requests: Promise<ReadRequest[]>; untilMs: number } | null = null;
  const requestsNow = async (): Promise<ReadRequest[]> => {
    const nowMs = deps.now().getTime();
    if (!cached || nowMs >= cached.untilMs) {
      const reading = { requests: readSample(deps), untilMs: nowMs + CACHE_MS };
      cached = reading;
      reading.requests.then(
        ({ length }) => length < REQUESTS_MAX && (reading.untilMs = nowMs + SMALL_CACHE_MS),
        () => (cached = null),
      );
    }
    return cached.requests;
  };
  const contextNow = () => {
    const nowMs = deps.now().getTime();
    return (request: ParsedRequest): ExplainContext => ({
      ...deps.budget,
      nowMs,
      random: deps.random,
      valuation: deps.valuationOf(request, nowMs),
      secure: deps.secure,
      isRedacted: true,
    });
  };
  return {
    async marketOf(adsetId) {
      const snapshot = deps.snapshot.current();
      const candidate = snapshot.candidates.find((one) => one.adsetId === adsetId);
      if (!candidate) return null;
      const requests = await requestsNow();
      return runYielding(marketOf(candidate, requests, snapshot, contextNow()), SLICE_MS);
    },
    async placementsOf(adsetIds) {
      const snapshot = deps.snapshot.current();
      const candidates = snapshot.candidates.filter(({ adsetId }) => adsetIds.has(adsetId));
      if (candidates.length === 0) return new Map();
      const context = { nowMs: deps.now().getTime(), secure: deps.secure };
      const found = await runYielding(
        placementsOf(candidates, await requestsNow(), snapshot, context),
        SLICE_MS,
      );
      return new Map(
        [...found].map(([{ adsetId, creatives }, formats]) => [
          adsetId,
          new Map(creatives.map(({ uuid, creativeFormat }) => [uuid, formats.get(creativeFormat)!])),
        ]),
      );
    },
    async lostRequest(adsetIds, exit) {
      const snapshot = deps.snapshot.current();
      const candidates = snapshot.candidates.filter(({ adsetId }) => adsetIds.has(adsetId));
      if (candidates.length === 0) return null;
      const requests = await requestsNow();
      const [contextOf, code] = [contextNow(), codeOf(exit)];
      function* search() {
        for (const { request, stored } of requests) {
          const { exits } = yield* explain(request, snapshot, [], contextOf(request), { candidates });
          if (candidates.some(({ index }) => exits[index] === code)) return stored;
        }
        return null;
      }
      return runYielding(search(), SLICE_MS);
    },
  };
}

async function readSample(deps: MarketDeps): Promise<ReadRequest[]> {
  const rows = await sampleBetween(deps.clickhouse, { limit: REQUESTS_MAX });
  function* parsed() {
    const requests: ReadRequest[] = [];
    for (const stored of rows) {
      const request = readSampled(stored, deps);
      if (request) requests.push({ request, weight: stored.weight, stored });
      yield;
    }
    return requests;
  }
  return runYielding(parsed(), SLICE_MS);
}
