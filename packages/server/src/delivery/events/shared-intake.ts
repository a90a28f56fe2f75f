import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { IntakeError } from './intake.ts';
import { deleteTrackerState, readTrackerStates, writeTrackerState } from './tracker-state-store.ts';

/** Whether the trackers of all processes have room for the notices of new bids. */
export interface SharedIntake {
  /** Whether bidding has to stop. */
  isClosed(): boolean;
  stop(): Promise<void>;
}

const EVERY_MS = 1000;
/** A tracker without an update for this long is not counted. */
export const LIVE_MS = 10_000;

/**
 * Shares the state of the event logs between processes. Bidding stops while the log or the disk of any tracker is
 * filling, since that tracker still receives its part of the notices. A tracker that cannot write is not ready, so
 * notices reach the others, and bidding stops when none is left. Without known trackers, as at the first start, bidding
 * continues.
 */
export function shareIntake(deps: {
  db: Database;
  log: Logger;
  /** The state of this process's log, where it is a tracker. */
  own: (() => IntakeError | null) | null;
  bids: boolean;
}): SharedIntake {
  const { db, log, own, bids } = deps;
  const trackerId = uuidv4();
  let closed = false;
  const job = repeat(EVERY_MS, 'share event log state', log, async () => {
    if (own) await writeTrackerState(db, trackerId, own());
    if (!bids) return;
    const { live, filling, failing } = await readTrackerStates(db, LIVE_MS);
    closed = filling > 0 || (live > 0 && failing === live);
  });
  return {
    isClosed: () => closed,
    async stop() {
      await job.stop();
      if (own) await deleteTrackerState(db, trackerId).catch(() => {});
    },
  };
}

/** The same for a single process. */
export function ownIntake(own: () => IntakeError | null): SharedIntake {
  return { isClosed: () => own() !== null, stop: async () => {} };
}
