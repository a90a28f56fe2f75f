import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Ingest } from './ingest.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { IntakeError } from './intake.ts';

/** Why the notices of new bids might not be accepted. */
export type ClosedIntake = Extract<NoBidReason, 'event_log' | 'no_tracker'>;

/** The state of all trackers on which bidding depends. */
export interface SharedIntake {
  /** Why bidding has to stop; null while the notices of new bids are accepted. */
  closed(): ClosedIntake | null;
  /** Reports and reads the state of the trackers at once, rather than within a second. Throws without the database. */
  renew(): Promise<void>;
  /**
   * All notices that trackers acknowledged before this instant of the process's clock are counted, Unix ms; -Infinity while
   * that is not known.
   */
  countedMs(): Promise<number>;
  /**
   * As `countedMs`, also of trackers that in the last day were killed or stopped with events in their log; -Infinity where no
   * tracker reports.
   */
  countedByAllMs(): Promise<number>;
  /** To be called after the log is closed. The state of its tracker is deleted, unless the log still has events. */
  stop(): Promise<void>;
}

const EVERY_MS = 1000;
/** A tracker without an update for this long does not count as a tracker that accepts notices. */
export const LIVE_MS = 10_000;
/** Bidding stops when no tracker is known that was updated in this time: exchanges get no response to their notices. */
const NO_TRACKER_MS = 30_000;
/**
 * How long to wait for the uncounted events of a tracker after its last update; by then a tracker that was killed or stopped is
 * back.
 */
const RECENT_MS = 60_000;
/** States of trackers are kept for this long after their last update. */
const KEPT_MS = 86_400_000;

/**
 * Shares the state of the event logs between processes. Bidding stops while the log or the disk of any tracker is
 * filling, since that tracker still receives its part of the notices. A tracker that cannot write is not ready, so
 * notices reach the others, and bidding stops when none is left, also half a minute after the last report of any. A
 * bidder that starts waits for a report of a tracker that has not stopped.
 */
export function shareIntake(deps: {
  db: Database;
  log: Logger;
  now: () => Date;
  /** The log of this process, where it is a tracker. */
  own: Pick<Ingest, 'fault' | 'countedMs' | 'state'> | null;
  bids: boolean;
  /** Between two reports and readings; tests shorten it. */
  everyMs?: number;
}): SharedIntake {
  const { db, log, own, bids, everyMs = EVERY_MS } = deps;
  const trackerId = uuidv4();
  const nowMs = () => deps.now().getTime();
  let closed: ClosedIntake | null = own ? null : 'no_tracker';
  /** Until when the events of this tracker are counted, by the monotonic clock. */
  let ownCountedAtMs = -Infinity;
  let countedMs = -Infinity;
  /** When a tracker was last known, also one that has stopped since. */
  let trackedMs = -Infinity;
  const read = async (): Promise<void> => {
    const beganMs = nowMs();
    const states = await readTrackerStates(db, { liveMs: LIVE_MS, recentMs: RECENT_MS });
    countedMs = beganMs - states.lagMs;
    if (states.silentMs !== null) trackedMs = Math.max(trackedMs, beganMs - states.silentMs);
    closed = null;
    if (states.filling > 0 || (states.live > 0 && states.failing === states.live)) closed = 'event_log';
    else if (beganMs - trackedMs > NO_TRACKER_MS) closed = 'no_tracker';
  };
  const follow = async (tracker: Pick<Ingest, 'countedMs'>): Promise<void> => {
    const ownCountedMs = await tracker.countedMs();
    ownCountedAtMs = performance.now() - (nowMs() - ownCountedMs);
  };
  const ownLagMs = () => Math.max(0, performance.now() - ownCountedAtMs);
  const renew = async (): Promise<void> => {
    // A first report that knows nothing would hold the money of bids until the next one.
    if (own && ownCountedAtMs === -Infinity)
      await inTime(follow(own), everyMs, 'the counting of this tracker is not known yet').catch(() => {});
    if (own) await writeTrackerState(db, trackerId, { fault: own.fault(), lagMs: ownLagMs() });
    if (bids) await read();
  };
  const job = repeat(everyMs, 'share event log state', log, renew);
  // Alone, because the event stream may be slow.
  const following = own && repeat(everyMs, 'follow counting', log, () => follow(own));
  return {
    closed: () => closed,
    renew,
    countedMs: async () => countedMs,
    async countedByAllMs() {
      const beganMs = nowMs();
      const { live, unknown, lagMs } = await readTrackerStates(db, { liveMs: LIVE_MS, recentMs: KEPT_MS });
      return live > 0 && unknown === 0 ? beganMs - lagMs : -Infinity;
    },
    async stop() {
      await job.stop();
      await following?.stop();
      if (!own) return;
      const isLogEmpty = own.state().waitingBytes === 0;
      const left = isLogEmpty
        ? deleteTrackerState(db, trackerId)
        : writeTrackerState(db, trackerId, { fault: STOPPED, lagMs: ownLagMs() });
      await left.catch(() => {});
    },
  };
}

/** The same for a single process. */
export function ownIntake(own: Pick<Ingest, 'fault' | 'countedMs'>): SharedIntake {
  return {
    closed: () => (own.fault() === null ? null : 'event_log'),
    renew: async () => {},
    countedMs: own.countedMs,
    countedByAllMs: own.countedMs,
    stop: async () => {},
  };
}

/** The states of all trackers that were killed, or stopped with events in their log, or run. */
interface TrackerStates {
  /** Trackers that were updated in the last seconds. */
  live: number;
  /** Live trackers whose log or disk is filling, and live trackers that cannot write. */
  filling: number;
  failing: number;
  /** Time since the last update of any that has not stopped; null when none is known. */
  silentMs: number | null;
  /** How far counting is behind: until this long ago all events are counted that recent trackers acknowledged. */
  lagMs: number;
  /** Recently updated trackers of which it is not known how far their events are counted. */
  unknown: number;
}

/** The fault of a tracker that has stopped, and left events in its log. */
const STOPPED = 'stopped';

/** The report of a tracker. */
interface TrackerState {
  fault: IntakeError | typeof STOPPED | null;
  /** Until this long ago the events that it acknowledged are counted. */
  lagMs: number;
}

/** A lag that stands for any longer one. */
const LAG_MS_MAX = 86_400_000;

/** Stores the state of a tracker's event log, and deletes trackers without an update for a day. */
async function writeTrackerState(db: Db, trackerId: string, { fault, lagMs }: TrackerState): Promise<void> {
  const countedAt = sql`clock_timestamp() - ${`${Math.min(lagMs, LAG_MS_MAX)} milliseconds`}::interval`;
  await sql`
    with expired as (
      delete from tracker_states where seen_at < clock_timestamp() - interval '1 day'
    )
    insert into tracker_states (uuid, seen_at, fault, counted_at)
    values (${trackerId}, clock_timestamp(), ${fault}, ${countedAt})
    on conflict (uuid) do update
    set seen_at = excluded.seen_at, fault = excluded.fault, counted_at = excluded.counted_at`.execute(db);
}

/** Deletes the state of a tracker that stops with an empty log. */
async function deleteTrackerState(db: Db, trackerId: string): Promise<void> {
  await sql`delete from tracker_states where uuid = ${trackerId}`.execute(db);
}

const msSince = (column: string) =>
  sql`(extract(epoch from clock_timestamp() - ${sql.ref(column)}) * 1000)::float8`;

/** Reads the states; trackers are live that were updated in the last `liveMs`, and recent in the last `recentMs`. */
async function readTrackerStates(
  db: Db,
  { liveMs, recentMs }: { liveMs: number; recentMs: number },
): Promise<TrackerStates> {
  const { rows } = await sql<TrackerStates>`
    select (count(*) filter (where silent_ms < ${liveMs} and fault is distinct from ${STOPPED}))::int as live,
      (count(*) filter (where silent_ms < ${liveMs} and fault in ('log_filling', 'disk_filling')))::int as filling,
      (count(*) filter (where silent_ms < ${liveMs} and fault = 'disk_failing'))::int as failing,
      min(silent_ms) filter (where fault is distinct from ${STOPPED}) as "silentMs",
      coalesce(max(lag_ms) filter (where silent_ms < ${recentMs}), 0) as "lagMs",
      (count(*) filter (where silent_ms < ${recentMs} and lag_ms is null))::int as unknown
    from (
      select fault, ${msSince('seen_at')} as silent_ms, ${msSince('counted_at')} as lag_ms from tracker_states
    ) as trackers`.execute(db);
  return rows[0]!;
}
