import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../postgres/client.ts';
import { holdLeadership, releaseLeadership } from '../postgres/stores/leader-store.ts';
import { type Work, repeat } from './repeat.ts';

/** Decides which of several processes runs work that only one may run. */
export interface Leadership {
  /** Whether this process leads now. */
  isLeader(): boolean;
  /** Returns `work` so that a call does nothing in a process that does not lead. */
  onlyHere(work: Work): (stopping: AbortSignal) => Promise<void>;
  /** Lets another process take over at once; to be called after the work has ended. */
  stop(): Promise<void>;
}

/** For a database that only this process uses. */
export const soleLeadership: Leadership = {
  isLeader: () => true,
  onlyHere: (work) => async (stopping) => void (await work(stopping)),
  stop: async () => {},
};

/** How long a leader that is silent stays leader, and how often it extends that; the others try as often. */
const TIMES_MS = { hold: 6000, renew: 1000 };
/** A leader stops this long before another one may begin, as a part of the time. */
const MARGIN_PART = 1 / 6;

/**
 * Takes part in the election of the process that leads `name`: a row of PostgreSQL that its holder extends every second. It
 * is no session lock, which a pooler of transactions would not keep. A leader that is killed or cut off is replaced after
 * seven seconds at the latest; it begins nothing any more by then, because it stops first. What it began before may still
 * end, so the work must tolerate that.
 */
export function startLeadership(options: {
  db: Database;
  name: string;
  log: Logger;
  times?: typeof TIMES_MS;
}): Leadership {
  const { db, name, log, times = TIMES_MS } = options;
  const holder = uuidv4();
  /** By the monotonic clock; counted from the request, as its response may come late. */
  let leadsUntilMs = -Infinity;
  let epoch: number | null = null;
  const isLeader = (): boolean => performance.now() < leadsUntilMs;
  const election = repeat(times.renew, `elect the leader of ${name}`, log, async () => {
    const requestedMs = performance.now();
    const held = await holdLeadership(db, name, holder, times.hold);
    if (held !== null) {
      leadsUntilMs = requestedMs + times.hold * (1 - MARGIN_PART);
      if (held !== epoch) log.info({ leads: name, epoch: held }, 'this process leads now');
    } else if (epoch !== null) log.warn({ leads: name }, 'another process leads now');
    epoch = held;
  });
  return {
    isLeader,
    onlyHere: (work) => async (stopping) => {
      if (isLeader()) await work(stopping);
    },
    async stop() {
      await election.stop();
      leadsUntilMs = -Infinity;
      if (epoch !== null) await releaseLeadership(db, name, holder);
    },
  };
}
