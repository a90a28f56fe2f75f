import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Ingest } from './ingest.ts';
import { deleteTrackerState, readTrackerStates, writeTrackerState } from './tracker-state-store.ts';

/** What bidding depends on in the trackers of all processes. */
export interface SharedIntake {
  /** Whether bidding has to stop, because the notices of new bids might not be accepted. */
  isClosed(): boolean;
  /**
   * All notices that trackers acknowledged before this instant of the process's clock are counted, Unix ms; -Infinity while
   * that is not known.
   */
  countedMs(): Promise<number>;
  stop(): Promise<void>;
}

const EVERY_MS = 1000;
/** A tracker without an update for this long is not counted among those that accept notices. */
export const LIVE_MS = 10_000;
/** Bidding stops when no tracker was updated for this long: exchanges get no answer to their notices. */
const NO_TRACKER_MS = 30_000;
/** What a tracker has not counted is waited for this long after its last update; by then one that was killed is back. */
const RECENT_MS = 60_000;

/**
 * Shares the state of the event logs between processes. Bidding stops while the log or the disk of any tracker is
 * filling, since that tracker still receives its part of the notices. A tracker that cannot write is not ready, so
 * notices reach the others, and bidding stops when none is left, also half a minute after the last report of any.
 * Without known trackers, as at the first start, bidding continues.
 */
export function shareIntake(deps: {
  db: Database;
  log: Logger;
  now: () => Date;
  /** The log of this process, where it is a tracker. */
  own: Pick<Ingest, 'fault' | 'countedMs'> | null;
  bids: boolean;
  /** Between two reports and readings; tests shorten it. */
  everyMs?: number;
}): SharedIntake {
  const { db, log, own, bids, everyMs = EVERY_MS } = deps;
  const trackerId = uuidv4();
  const nowMs = () => deps.now().getTime();
  let closed = false;
  /** Until when the events of this tracker are counted, by the monotonic clock. */
  let ownCountedAtMs = -Infinity;
  let countedMs = -Infinity;
  /** When a tracker was last known, also one that has stopped since. */
  let trackedMs: number | null = null;
  const read = async (): Promise<void> => {
    const beganMs = nowMs();
    const states = await readTrackerStates(db, { liveMs: LIVE_MS, recentMs: RECENT_MS });
    countedMs = beganMs - states.lagMs;
    if (states.silentMs !== null) trackedMs = Math.max(trackedMs ?? -Infinity, beganMs - states.silentMs);
    closed =
      states.filling > 0 ||
      (states.live > 0 && states.failing === states.live) ||
      (trackedMs !== null && beganMs - trackedMs > NO_TRACKER_MS);
  };
  const job = repeat(everyMs, 'share event log state', log, async () => {
    const lagMs = Math.max(0, performance.now() - ownCountedAtMs);
    if (own) await writeTrackerState(db, trackerId, { fault: own.fault(), lagMs });
    if (bids) await read();
  });
  // By itself, because the event stream may take its time.
  const following =
    own &&
    repeat(everyMs, 'follow counting', log, async () => {
      const ownCountedMs = await own.countedMs();
      ownCountedAtMs = performance.now() - (nowMs() - ownCountedMs);
    });
  return {
    isClosed: () => closed,
    countedMs: async () => countedMs,
    async stop() {
      await job.stop();
      await following?.stop();
      if (own) await deleteTrackerState(db, trackerId).catch(() => {});
    },
  };
}

/** The same for a single process. */
export function ownIntake(own: Pick<Ingest, 'fault' | 'countedMs'>): SharedIntake {
  return { isClosed: () => own.fault() !== null, countedMs: own.countedMs, stop: async () => {} };
}
