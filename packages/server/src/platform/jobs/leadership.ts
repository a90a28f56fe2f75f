import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../postgres/client.ts';
import { type Work, repeat } from './repeat.ts';
import { sql } from 'kysely';

/** Decides which of several processes runs work that only one may run. */
export interface Leadership {
  /** Whether this process leads now. */
  isLeader(): boolean;
  /** Returns `work` so that a call does nothing in a process that does not lead. */
  onlyHere(work: Work): (stopping: AbortSignal) => Promise<void>;
  /** Lets another process take over at once; call it after the work has ended. */
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

/** How often jobs look for rows to delete, in milliseconds: an hour's rows are few, and a backlog is deleted within days. */
export const RETENTION_EVERY_MS = 600_000;

/** Rounds of a job between two checks for messages that a server of an earlier release left waiting, as during an upgrade. */
export const ADOPT_EVERY = 60;

/**
 * Takes part in the election of the process that leads `name`: a row of PostgreSQL that its holder extends every second. It
 * is no session lock, which a pooler of transactions would not keep. A leader that is killed or cut off is replaced after
 * seven seconds at the latest; it no longer begins work by then, because it stops first. Work that it began before may still
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

/**
 * Holds the leadership `name` for another `holdMs`, or takes it over where its holder let it expire. Resolves with its epoch,
 * which grows with each change of the holder; null while another process holds it. The database's clock decides.
 */
async function holdLeadership(
  db: Database,
  name: string,
  holder: string,
  holdMs: number,
): Promise<number | null> {
  const { rows } = await sql<{ epoch: number }>`
    insert into leaders as l (name, holder, epoch, held_until)
    values (${name}, ${holder}, 1, clock_timestamp() + ${holdMs}::int * interval '1 millisecond')
    on conflict (name) do update set
      holder = excluded.holder,
      epoch = l.epoch + case when l.holder = excluded.holder then 0 else 1 end,
      held_until = excluded.held_until
    where l.holder = excluded.holder or l.held_until < clock_timestamp()
    returning epoch`.execute(db);
  return rows[0]?.epoch ?? null;
}

/** Ends the holder's leadership, so that another process takes it over at once. */
async function releaseLeadership(db: Database, name: string, holder: string): Promise<void> {
  await sql`
    update leaders set held_until = '-infinity' where name = ${name} and holder = ${holder}`.execute(db);
}

/** Work that one process repeats: the one that leads the jobs. Each domain lists its own. */
export interface LedJob {
  /** The name in logs and traces. */
  name: string;
  /** Milliseconds from the end of a run to the begin of the next. */
  everyMs: number;
  work: Work;
  /** It reads events, and so waits until the event store has started. */
  readsEvents?: true;
}
