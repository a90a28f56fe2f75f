import type { Logger } from 'pino';
import { every } from '../../platform/jobs/every.ts';
import { coalesce } from '../../platform/jobs/coalesce.ts';
import { inSlices } from '../../platform/jobs/in-slices.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Budgets } from './budgets.ts';
import type { LeaseAsk, LeaseStore } from './leases.ts';
import { SILENCE_MS } from './leases.ts';
import type { Traffic } from './traffic.ts';

/** Keeps a bidder's leases. */
export interface Leasing {
  /** Resolves with leases that were asked for after the call. Throws when the store is away. */
  renewed(): Promise<void>;
  /** Whether the store answered in the last ten seconds: else nothing is bid. */
  isFresh(): boolean;
  /** Bidders that asked in the last ten seconds, this one included. */
  bidders(): number;
  /** Ends bidding. The leases stay. */
  stop(): Promise<void>;
  /** Gives back all but what bids hold. */
  leave(): Promise<void>;
}

const ASK_EVERY_MS = 1000;
/** The most that a change waits for the leases of what it starts. */
const PREPARE_MS = 1000;
/** Milliseconds of looking through ten thousand ad sets between which bids have their turn. */
const SLICE_MS = 1;
/** Ad sets of one question: few enough that neither asking nor the answer holds up a bid. */
const ASKS_AT_ONCE = 100;
/** A bidder without anything to ask for says so often that it is there. */
const IDLE_MS = 4000;
const COUNT_EVERY_MS = 60_000;
const LEARN_EVERY_MS = 15 * 60_000;

/** Begins to ask the store for leases, every second. */
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
  /** What is about to take the place of the current snapshot. */
  let upcoming: Snapshot | undefined;
  let silence: NodeJS.Timeout | undefined;
  let leaving = false;
  let askedAtMs = -Infinity;
  /** When the last ask that was answered was asked. */
  let heardAtMs = -Infinity;
  let bidders = 1;

  const renew = coalesce(async () => {
    const snapshot = upcoming ?? deps.snapshot.current();
    if (snapshot !== followed) budgets.follow(snapshot.candidates);
    followed = snapshot;
    const asks = await inSlices(budgets.asking(deps.now().getTime(), leaving), SLICE_MS);
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
    // The store heard of this bidder when it asked, not when it got the answer.
    const quietMs = performance.now() - atMs;
    clearTimeout(silence);
    if (quietMs >= SILENCE_MS) budgets.suspend();
    else if (!leaving) silence = setTimeout(() => budgets.suspend(), SILENCE_MS - quietMs);
  }
  /** Asks for leases of the ad sets that begin to run, so that they may bid on the first request that they see. */
  async function prepare(next: Snapshot): Promise<void> {
    upcoming = next;
    let late: NodeJS.Timeout | undefined;
    const inTime = new Promise<void>((resolve) => (late = setTimeout(resolve, PREPARE_MS)));
    // A store that is away or slow holds nothing up: without a lease they do not bid.
    await Promise.race([renew().catch(() => {}), inTime]);
    clearTimeout(late);
  }
  deps.snapshot.beforeSwap(prepare);
  const jobs = [
    every(ASK_EVERY_MS, 'lease budgets', log, renew),
    every(COUNT_EVERY_MS, 'count traffic', log, () => traffic.store(budgets.takeOffers())),
    every(LEARN_EVERY_MS, 'learn the shape of traffic', log, () => traffic.learn()),
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
