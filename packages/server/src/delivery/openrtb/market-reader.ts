import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { runYielding } from '../../platform/jobs/yielding.ts';
import { latestSample } from '../funnel/funnel-store.ts';
import type { ExplainContext } from '../funnel/explain.ts';
import type { Market, WeightedRequest } from '../funnel/market.ts';
import { marketOf } from '../funnel/market.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Valuation } from '../model/valuation.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { readBidRequest } from './read-request.ts';

/** Dependencies of {@link createMarketReader}. */
export interface MarketDeps {
  clickhouse: ClickHouse;
  now: () => Date;
  random: () => number;
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  tcfVendorId: number | null;
  /** The valuation of a request's impressions; asking for it must change nothing. */
  judge: (request: ParsedRequest, nowMs: number) => Valuation;
  budget: Pick<ExplainContext, 'noBidReason' | 'paceOf'>;
  secure: boolean;
}

/** Newest requests that are replayed. */
const REQUESTS_MAX = 2000;
/** Requests are read and parsed again after this time; a sample that is still small, which costs little, sooner. */
const CACHE_MS = 30_000;
const SMALL_CACHE_MS = 2000;
/** Longest run of a replay between bid requests. */
const SLICE_MS = 2;

/**
 * Creates a function that replays the newest requests of the sample against a running ad set. It resolves to null for an
 * ad set that does not run.
 */
export function createMarketReader(deps: MarketDeps): (adsetId: string) => Promise<Market | null> {
  let cached: { requests: Promise<WeightedRequest[]>; untilMs: number } | null = null;
  const requestsNow = async (): Promise<WeightedRequest[]> => {
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
  return async (adsetId) => {
    const snapshot = deps.snapshot.current();
    const candidate = snapshot.candidates.find((one) => one.adsetId === adsetId);
    if (!candidate) return null;
    const requests = await requestsNow();
    const nowMs = deps.now().getTime();
    const contextOf = (request: ParsedRequest): ExplainContext => ({
      ...deps.budget,
      nowMs,
      random: deps.random,
      valuation: deps.judge(request, nowMs),
      secure: deps.secure,
    });
    return runYielding(marketOf(candidate, requests, snapshot, contextOf), SLICE_MS);
  };
}

async function readSample({ clickhouse, snapshot, tcfVendorId }: MarketDeps): Promise<WeightedRequest[]> {
  const rows = await latestSample(clickhouse, REQUESTS_MAX);
  function* parsed() {
    const requests: WeightedRequest[] = [];
    for (const { exchange, weight, request: text } of rows) {
      const ssp = snapshot.ssp(exchange);
      // An exchange that was turned off sends no more such requests.
      if (ssp) {
        const { seat, auctionType } = ssp;
        const rates = snapshot.rates();
        const request = readBidRequest(JSON.parse(text), exchange, { seat, auctionType, rates, tcfVendorId });
        if (request) requests.push({ request, weight });
      }
      yield;
    }
    return requests;
  }
  return runYielding(parsed(), SLICE_MS);
}
