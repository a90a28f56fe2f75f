import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import { coalesce } from '../../platform/jobs/coalesce.ts';
import { runYielding } from '../../platform/jobs/yielding.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Budgets } from './budgets.ts';
import type { LeaseAsk, LeaseStore } from './leases.ts';
import { SILENCE_MS } from './leases.ts';
import type { Traffic } from './traffic.ts';

/** Renews a bidder's leases. */
export interface Leasing {
  /** Renews the leases with an ask made after the call. Rejects when the store is unavailable. */
  renewed(): Promise<void>;
  /** Whether the store answered in the last ten seconds; otherwise nothing is bid. */
  isFresh(): boolean;
  /** Bidders that asked in the last ten seconds, this one included. */
  bidders(): number;
  /** Ends bidding. The leases stay. */
  stop(): Promise<void>;
  /** Gives back all that bids do not reserve; to be called after `stop`. */
  leave(): Promise<void>;
}

const ASK_EVERY_MS = 1000;
/** Longest delay of a snapshot while leases for its new ad sets are asked for. */
const PREPARE_MS = 1000;
/** Longest run through the ad sets, ms, before yielding to bids. */
const SLICE_MS = 1;
/** Ad sets in one call of the store: few enough that neither the asks nor the answer delay bids. */
const ASKS_AT_ONCE = 100;
/** Heartbeat interval of a bidder with nothing to ask for. */
const IDLE_MS = 4000;
const COUNT_EVERY_MS = 60_000;
const LEARN_EVERY_MS = 15 * 60_000;

/** Starts to renew leases from the store, every second. */
export function startLeasing(deps: {
  bidderId: string;
  budgets: Budgets;
  store: LeaseStore;
  traffic: Traffic;
  snapshot: SnapshotService;
  log: Logger;
  now: () => Date;
}): Leasing {
  const { bidderId, budgets, store, traffic, log } = deps;
  let followed: Snapshot | undefined;
  /** The snapshot that is about to replace the current one. */
  let upcoming: Snapshot | undefined;
  let silence: NodeJS.Timeout | undefined;
  let leaving = false;
  let askedAtMs = -Infinity;
  /** When the last answered ask was sent, by the monotonic clock. */
  let heardAtMs = -Infinity;
  let bidders = 1;

  const renew = coalesce(async () => {
    const snapshot = upcoming ?? deps.snapshot.current();
    if (snapshot !== followed) budgets.follow(snapshot.candidates);
    followed = snapshot;
    const asks = await runYielding(budgets.asking(deps.now().getTime(), leaving), SLICE_MS);
    if (asks.length === 0 && performance.now() - askedAtMs < IDLE_MS) return;
    for (let from = 0; from === 0 || from < asks.length; from += ASKS_AT_ONCE)
      await ask(asks.slice(from, from + ASKS_AT_ONCE));
  });

  async function ask(asks: readonly LeaseAsk[]): Promise<void> {
    const atMs = performance.now();
    askedAtMs = atMs;
    const answer = await store.sync(bidderId, asks);
    budgets.answered(answer, deps.now().getTime());
    bidders = answer.bidders;
    heardAtMs = atMs;
    // The store counts silence from the ask, not from its answer.
    const quietMs = performance.now() - atMs;
    clearTimeout(silence);
    if (quietMs >= SILENCE_MS) budgets.suspend();
    else if (!leaving) silence = setTimeout(() => budgets.suspend(), SILENCE_MS - quietMs);
  }
  /** Asks for leases of ad sets that begin to run, so that they can bid on the first matching request. */
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
    repeat(ASK_EVERY_MS, 'lease budgets', log, renew),
    repeat(COUNT_EVERY_MS, 'count traffic', log, () => traffic.store(budgets.takeOffers())),
    repeat(LEARN_EVERY_MS, 'learn traffic profiles', log, () => traffic.learn()),
  ];
  return {
    renewed: renew,
    bidders: () => bidders,
    isFresh: () => !leaving && performance.now() - heardAtMs < SILENCE_MS,
    async stop() {
      leaving = true;
      budgets.suspend();
      clearTimeout(silence);
      for (const job of jobs) await job.stop();
    },
    leave: renew,
  };
}
