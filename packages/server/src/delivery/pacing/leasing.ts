import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { inOwnTurns } from '../../platform/postgres/pool/pool-turns.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SharedIntake } from '../event-log/shared-intake.ts';
import type { Budgets } from './budgets.ts';
import { LAG_MS_MAX, type LeaseRequest, type LeaseStore, SILENCE_MS } from './leases.ts';
import type { Traffic } from './traffic-profile.ts';

/** Renews a bidder's leases. */
export interface Leasing {
  /** Renews the leases with a request made after the call. Rejects when the store is unavailable. */
  renewed(): Promise<void>;
  /** Whether the store responded in the last ten seconds; otherwise nothing is bid. */
  isFresh(): boolean;
  /** How far the counting of notices is behind, ms, an hour at most; null until that is known. */
  lagMs(): number | null;
  /** Bidders that made a request in the last ten seconds, this one included. */
  bidders(): number;
  /** Ends bidding. The leases stay. */
  stop(): Promise<void>;
  /** Returns all money that bids do not reserve. Call it after `stop`. */
  leave(): Promise<void>;
}

const REQUEST_EVERY_MS = 1000;
/** Longest delay of a snapshot while leases for its new ad sets are requested. */
const PREPARE_MS = 1000;
/** Longest run through the ad sets, ms, before yielding to bids. */
const SLICE_MS = 1;
/** Ad sets in one call of the store: few enough that neither the requests nor the response delay bids. */
const REQUESTS_AT_ONCE = 100;
/** Heartbeat interval of a bidder with nothing to request. */
const IDLE_MS = 4000;
const COUNT_EVERY_MS = 60_000;
const LEARN_EVERY_MS = 15 * 60_000;

const byCompany = (a: LeaseRequest, b: LeaseRequest): number =>
  a.companyId < b.companyId ? -1 : a.companyId > b.companyId ? 1 : 0;

/** Starts to renew leases from the store, every second. */
export function startLeasing(deps: {
  bidderId: string;
  budgets: Budgets;
  store: LeaseStore;
  traffic: Traffic;
  snapshot: SnapshotService;
  /** Trackers' notices, as far as their counting concerns reservations. */
  intake: Pick<SharedIntake, 'countedMs'>;
  log: Logger;
  now: () => Date;
}): Leasing {
  const { bidderId, budgets, store, traffic, log } = deps;
  let current: Snapshot | undefined;
  /** The snapshot that is about to replace the current one. */
  let upcoming: Snapshot | undefined;
  let silence: NodeJS.Timeout | undefined;
  let leaving = false;
  let requestedAtMs = -Infinity;
  /** When the last request with a response was sent, by the monotonic clock. */
  let respondedAtMs = -Infinity;
  let bidders = 1;
  let countedMs = -Infinity;
  const lagAt = (nowMs: number) => Math.min(LAG_MS_MAX, Math.max(0, nowMs - countedMs));

  const renewOnce = async (): Promise<void> => {
    // A process that was frozen comes here before the timer that would have suspended it.
    if (performance.now() - respondedAtMs >= SILENCE_MS) budgets.suspend();
    const snapshot = upcoming ?? deps.snapshot.current();
    if (snapshot !== current) budgets.setCandidates(snapshot.candidates);
    current = snapshot;
    // Read before the requests, whose responses then have the outcomes of all bids counted by that time.
    const nowMs = deps.now().getTime();
    countedMs = await deps.intake.countedMs();
    const lagMs = lagAt(nowMs);
    const requests = await runYielding(budgets.collectRequests(nowMs, leaving), SLICE_MS);
    if (requests.length === 0 && performance.now() - requestedAtMs < IDLE_MS) return;
    // The store locks the companies of one call, so few companies are best; the order within a company stays.
    if (requests.length > REQUESTS_AT_ONCE) requests.sort(byCompany);
    for (let from = 0; from === 0 || from < requests.length; from += REQUESTS_AT_ONCE)
      await send(requests.slice(from, from + REQUESTS_AT_ONCE), lagMs + budgets.overdueMs);
    budgets.setCounted(nowMs - lagMs);
  };
  // Other jobs of a busy process, which may have many calls of the database waiting, do not make its leases expire.
  const renew = coalesce(async () => inOwnTurns('leases', renewOnce));

  async function send(requests: readonly LeaseRequest[], lagMs: number): Promise<void> {
    const atMs = performance.now();
    requestedAtMs = atMs;
    const response = await store.sync(bidderId, requests, lagMs);
    budgets.applyResponse(response, deps.now().getTime());
    bidders = response.bidders;
    respondedAtMs = atMs;
    // The store counts silence from the request, not from its response.
    const quietMs = performance.now() - atMs;
    clearTimeout(silence);
    if (quietMs >= SILENCE_MS) budgets.suspend();
    else if (!leaving) silence = setTimeout(() => budgets.suspend(), SILENCE_MS - quietMs);
  }
  /** Requests leases of ad sets that begin to run, so that they can bid on the first matching request. */
  async function prepare(next: Snapshot): Promise<void> {
    upcoming = next;
    let late: NodeJS.Timeout | undefined;
    const inTime = new Promise<void>((resolve) => (late = setTimeout(resolve, PREPARE_MS)));
    // An unavailable or slow store does not delay the snapshot; ad sets without a lease do not bid.
    await Promise.race([renew().catch(() => {}), inTime]);
    clearTimeout(late);
  }
  deps.snapshot.beforeSwap(prepare);
  const jobs = [
    repeat(REQUEST_EVERY_MS, 'lease budgets', log, renew),
    repeat(COUNT_EVERY_MS, 'count traffic', log, () => traffic.store(budgets.takeOffers())),
    repeat(LEARN_EVERY_MS, 'learn traffic profiles', log, () => traffic.learn()),
  ];
  return {
    renewed: renew,
    lagMs: () => (countedMs === -Infinity ? null : lagAt(deps.now().getTime())),
    bidders: () => bidders,
    isFresh: () => !leaving && performance.now() - respondedAtMs < SILENCE_MS,
    async stop() {
      leaving = true;
      budgets.suspend();
      clearTimeout(silence);
      for (const job of jobs) await job.stop();
    },
    leave: renew,
  };
}
