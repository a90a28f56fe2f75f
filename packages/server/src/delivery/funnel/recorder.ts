import { ID_STATES } from '@bidwell/contract/insight/device-ids';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import type { RequestCaps } from '../auction/auction.ts';
import type { BidRef } from '../model/event.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Valuation } from '../model/valuation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { FunnelCounts, type FunnelRow } from './counts.ts';
import { type ExplainContext, type Outcome, explain } from './explain.ts';
import { type RequestSample, createSample, storeSample } from './request-sample.ts';

/** Dependencies of {@link startFunnel}. */
export interface FunnelDeps {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  random: () => number;
  /** The secret of keys of people, the same in all bidders. */
  personSecret: string;
  snapshot: { current(): Snapshot };
  /** The valuation of a request's impressions; it must have no side effects. */
  valuationOf: (request: ParsedRequest, nowMs: number) => Valuation;
  budget: Pick<ExplainContext, 'noBidReason' | 'paceOf'>;
  /** The frequency caps of a request; absent where they are not counted. */
  capsFor?: (request: ParsedRequest, nowMs: number) => RequestCaps;
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
   * requests and requests of programs are left out, also from the sample that forecasts read. `weight`: how many requests it stands for.
   */
  offer(request: ParsedRequest, body: unknown, outcome: Outcome, weight: number): void;
  /**
   * Counts a request that gets no bid without being read as a whole, and that no explanation and no sample needs. False if one may need it: it
   * then has to be read, and offered.
   */
  passes(request: Parameters<RequestSample['passes']>[0]): boolean;
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

  const explainOne = async (request: ParsedRequest, outcome: Outcome, weight: number): Promise<void> => {
    // After the response is written.
    await new Promise((resume) => setImmediate(resume));
    const atMs = now().getTime();
    let costMs = 0;
    const snapshot = deps.snapshot.current();
    const context: ExplainContext = {
      ...deps.budget,
      nowMs: atMs,
      ...(deps.capsFor && { caps: deps.capsFor(request, atMs) }),
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
    counts.add(snapshot.candidates, explained, { atMs, weight, idState: request.device.idState });
    sampling.measured(costMs + performance.now() - countedMs);
    counter.inc();
  };
  let storedAtMs = -Infinity;
  const store = async (): Promise<void> => {
    await explaining;
    storedAtMs = performance.now();
    await storeFunnel(clickhouse, counts);
    await storeSample(clickhouse, requests.take(), deps.snapshot.current().audiences);
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
    offer(request, body, outcome, weight) {
      if (request.test || outcome === 'bot' || outcome === 'datacenter') return;
      requests.offer(request, body, weight);
      // A request that arrives during an explanation is represented by the next one.
      const represented = sampling.weigh(now().getTime(), explaining !== null);
      if (represented === 0) return;
      explaining = explainOne(request, outcome, represented * weight)
        .catch((err: unknown) => log.error({ err }, 'a bid request could not be explained'))
        .finally(() => (explaining = null));
    },
    passes(request) {
      if (sampling.isDue(now().getTime(), explaining !== null) || !requests.passes(request)) return false;
      sampling.pass();
      return true;
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

/** CPU time for explaining requests, in milliseconds a second. */
const BUDGET_MS_PER_SECOND = 8;
/** How much of it may be saved up: one second's, so that traffic after a pause does not pay for the pause. */
const SAVED_MS_MAX = BUDGET_MS_PER_SECOND;
/** Assumed cost of an explanation until one was measured, ms. */
const FIRST_COST_MS = 2;
/** Weight of the newest measurement in the average cost. */
const NEWEST_SHARE = 0.2;
/** Largest measurement that counts, in multiples of the average: a process may have to wait for a core. */
const OUTLIER = 4;

/**
 * Chooses the requests to explain: as many as the time limit allows, spread over the traffic. With little traffic it
 * chooses all.
 */
class Sampling {
  #savedMs = SAVED_MS_MAX;
  #atMs = -Infinity;
  #costMs = FIRST_COST_MS;
  #sinceLast = 0;

  /**
   * Counts a request. If it is chosen, returns the number of requests that it stands for: all since the last chosen one.
   * Otherwise returns 0. No request is chosen while `isBusy`.
   */
  weigh(nowMs: number, isBusy: boolean): number {
    this.#sinceLast += 1;
    if (!this.isDue(nowMs, isBusy)) return 0;
    this.#savedMs -= this.#costMs;
    const weight = this.#sinceLast;
    this.#sinceLast = 0;
    return weight;
  }

  /** Whether the next request is chosen. */
  isDue(nowMs: number, isBusy: boolean): boolean {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#savedMs = Math.min(SAVED_MS_MAX, this.#savedMs + (elapsedMs * BUDGET_MS_PER_SECOND) / 1000);
    this.#atMs = nowMs;
    return !isBusy && this.#savedMs > 0;
  }

  /** Counts a request that is not chosen. */
  pass(): void {
    this.#sinceLast += 1;
  }

  /** Adds the measured cost of an explanation; the cost of the next one is estimated from it. */
  measured(ms: number): void {
    const countedMs = Math.min(ms, 1 + this.#costMs * OUTLIER);
    this.#costMs += (countedMs - this.#costMs) * NEWEST_SHARE;
  }
}

/** Rows of one insert: few enough that writing them delays no bid. */
const ROWS_PER_INSERT = 2000;

/**
 * Stores the counts so far, part by part. Counts that cannot be stored are retained for the next call. Throws the error
 * of the first insert that failed.
 */
export async function storeFunnel(
  clickhouse: Pick<ClickHouse, 'insert'>,
  counts: Pick<FunnelCounts, 'take' | 'restore'>,
): Promise<void> {
  const rows = counts.take();
  for (let part = nextPart(rows); part.length > 0; part = nextPart(rows)) {
    let unsaved = part;
    try {
      const ids = part.filter(({ exit }) => idStates.has(exit));
      await insertExits(
        clickhouse,
        part.filter(({ exit }) => !idStates.has(exit)),
      );
      unsaved = ids;
      await insertIds(clickhouse, ids);
    } catch (error) {
      for (part = unsaved; part.length > 0; part = nextPart(rows)) {
        counts.restore(part);
        await new Promise((resume) => setImmediate(resume));
      }
      throw error;
    }
  }
}

const idStates: ReadonlySet<string> = new Set(ID_STATES);

function nextPart(rows: Iterator<FunnelRow>): FunnelRow[] {
  const part: FunnelRow[] = [];
  while (part.length < ROWS_PER_INSERT) {
    const { value, done } = rows.next();
    if (done) break;
    part.push(value);
  }
  return part;
}

async function insertExits(
  clickhouse: Pick<ClickHouse, 'insert'>,
  rows: readonly FunnelRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'funnel',
    rows.map(({ hourMs, by, ...row }) => ({ hour: Math.floor(hourMs / 1000), outbid_by: by, ...row })),
  );
}

async function insertIds(clickhouse: Pick<ClickHouse, 'insert'>, rows: readonly FunnelRow[]): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'device_ids',
    rows.map(({ hourMs, by: _by, exit, ...row }) => ({
      hour: Math.floor(hourMs / 1000),
      state: exit,
      ...row,
    })),
  );
}
