import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../platform/database-unavailable.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import type { Fence } from '../event-log/spend-booking.ts';
import { Fenced, type PartitionState, type PartitionStore, type Round } from './ownership.ts';

/** Without an event stream only one tracker counts; the message is a sentence for people. */
export class AnotherTracker extends Error {
  constructor() {
    super(
      'Another process with the role tracker counts events in this database: stop it first, or set NATS_URL in all processes to run several.',
    );
  }
}

/** The right of the only tracker of a database to count the events of its log. */
export interface LogOwnership {
  /** A step of each booking, which records the round of its insert; throws while this process is not the only one. */
  fence(round: Round): Fence;
  /** The last round that was recorded, by this process or the one before; null for none. Throws while that is not known. */
  lastRound(): Round | null;
  /** Throws {@link Fenced} where another process counts by now. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a start waits for another tracker that is stopping, or for the silence of one that was killed. */
const HANDOVER_MS = 15_000;
const HEARTBEAT_MS = 1000;

/** Dependencies of {@link ownLog}. */
export interface LogOwnershipDeps {
  log: Logger;
  /** Whether the database has its tables. */
  isReady: () => boolean;
  /** Called when another tracker counts by now. */
  lost: () => void;
}

/** Timings that tests shorten, ms. */
export interface OwnershipTimes {
  handoverMs: number;
  everyMs: number;
}

/**
 * Waits until this process is the only tracker of the database. Throws {@link AnotherTracker} when another one remains.
 * While the database is unavailable, it resolves and tries on: events wait in the log meanwhile.
 */
export async function ownLog(
  store: PartitionStore,
  { log, isReady, lost, handoverMs, everyMs }: LogOwnershipDeps & Partial<OwnershipTimes>,
): Promise<LogOwnership> {
  const everyAgainMs = everyMs ?? HEARTBEAT_MS;
  let owned: PartitionState | null = null;
  let wasOwned = false;
  /** Since when another tracker was seen. */
  let othersSinceMs: number | null = null;
  const attempt = async (): Promise<boolean> => {
    if (!isReady()) return false;
    owned = (await store.sync()).owned[0] ?? null;
    if (owned) {
      wasOwned = true;
      othersSinceMs = null;
      return true;
    }
    othersSinceMs ??= performance.now();
    if (!wasOwned && performance.now() - othersSinceMs < (handoverMs ?? HANDOVER_MS)) return false;
    await store.leave();
    throw new AnotherTracker();
  };
  try {
    while (!(await attempt()) && isReady()) await pause(everyAgainMs);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn({ err: error }, 'events wait in the log until PostgreSQL is available');
  }
  const job: RepeatingJob = repeat(everyAgainMs, 'own the event log', log, async () => {
    try {
      await attempt();
    } catch (error) {
      if (error instanceof AnotherTracker) lost();
      throw error;
    }
  });
  const known = (): PartitionState => {
    if (!owned) throw new Error('it is not known yet whether another tracker counts events');
    return owned;
  };
  return {
    fence(round) {
      const state = known();
      return store.fence([{ ...state, round, fromSeq: state.bookedSeq }]);
    },
    lastRound: () => known().round,
    async check() {
      const [present] = await store.owned();
      if (present?.epoch !== known().epoch) throw new Fenced();
    },
    async stop() {
      await job.stop();
      if (owned) await store.release([owned]);
      await store.leave();
    },
  };
}
