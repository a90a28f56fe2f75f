import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import type { BidRef } from '../model/event.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Valuation } from '../model/valuation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { FunnelCounts } from './counts.ts';
import { type ExplainContext, type Outcome, explain } from './explain.ts';
import { storeFunnel } from './funnel-store.ts';
import { createSample } from './request-sample.ts';
import { storeSample } from './sample-store.ts';
import { Sampling } from './sampling.ts';

/** Dependencies of {@link startFunnel}. */
export interface FunnelDeps {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  random: () => number;
  snapshot: { current(): Snapshot };
  /** The valuation of a request's impressions; it must have no side effects. */
  valuationOf: (request: ParsedRequest, nowMs: number) => Valuation;
  budget: Pick<ExplainContext, 'noBidReason' | 'paceOf'>;
  secure: boolean;
  /** Current number of bidders, including this one; they share the limit of stored requests. */
  bidders: () => number;
  /** Explained requests. */
  counter: Counter;
}

/** Counts where requests leave the funnel of each ad set. */
export interface Funnel {
  /**
   * Adds a request that got a response; some are explained after it. `body` is the request as it was parsed. Test
   * requests and those of programs are left out, also of the sample that forecasts read.
   */
  offer(request: ParsedRequest, body: unknown, outcome: Outcome): void;
  /** Counts a bid that was sent. */
  sent(ref: BidRef): void;
  /** Resolves when everything so far is explained and stored. */
  stored(): Promise<void>;
  close(): Promise<void>;
}

/** Bid requests wait no longer than this for an explanation. */
const SLICE_MS = 1;
const STORE_EVERY_MS = 10_000;
/** Many rows take longer to store, so they are stored less often. */
const MANY_ROWS = 5000;
const STORE_MANY_EVERY_MS = 60_000;

/** Starts to explain a sample of the requests. Nothing here delays or fails a bid. */
export function startFunnel(deps: FunnelDeps): Funnel {
  const { clickhouse, clickhouseReady, log, now, counter } = deps;
  const sampling = new Sampling();
  const counts = new FunnelCounts();
  const requests = createSample(deps);
  let explaining: Promise<void> | null = null;
  let storing = Promise.resolve();

  const explainOne = async (
    request: ParsedRequest,
    body: unknown,
    outcome: Outcome,
    weight: number,
  ): Promise<void> => {
    // After the response is written.
    await new Promise((resume) => setImmediate(resume));
    requests.add(request, body, weight);
    const atMs = now().getTime();
    let costMs = 0;
    const snapshot = deps.snapshot.current();
    const context: ExplainContext = {
      ...deps.budget,
      nowMs: atMs,
      random: deps.random,
      valuation: deps.valuationOf(request, atMs),
      secure: deps.secure,
    };
    const explained = await runYielding(
      explain(request, snapshot, outcome, context),
      SLICE_MS,
      (ms) => (costMs += ms),
    );
    const countedMs = performance.now();
    counts.add(snapshot.candidates, explained, { atMs, weight });
    sampling.measured(costMs + performance.now() - countedMs);
    counter.inc();
  };
  let storedAtMs = -Infinity;
  const store = async (): Promise<void> => {
    await explaining;
    storedAtMs = performance.now();
    await storeFunnel(clickhouse, counts);
    await storeSample(clickhouse, requests.take());
  };
  const job = repeat(
    STORE_EVERY_MS,
    'store the delivery funnel',
    log,
    async () => {
      const isMany = counts.size > MANY_ROWS;
      if (!isMany || performance.now() - storedAtMs >= STORE_MANY_EVERY_MS) await (storing = store());
    },
    [clickhouseReady],
  );
  return {
    offer(request, body, outcome) {
      if (request.test || outcome === 'bot' || outcome === 'datacenter') return;
      // A request that arrives during an explanation is represented by the next one.
      const weight = sampling.weigh(now().getTime(), explaining !== null);
      if (weight === 0) return;
      explaining = explainOne(request, body, outcome, weight)
        .catch((err: unknown) => log.error({ err }, 'a bid request could not be explained'))
        .finally(() => (explaining = null));
    },
    sent: (ref) => counts.addSent(ref, now().getTime()),
    async stored() {
      await storing.catch(() => {});
      await store();
    },
    async close() {
      await job.stop();
      await store().catch((err: unknown) => log.warn({ err }, 'the last delivery counts were not stored'));
    },
  };
}
