import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { type Bus, subscribeTo, versioned } from '../../platform/nats/bus.ts';
import { listenToPostgres } from '../../platform/postgres/listener.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Polling interval. Polling supplements notifications, which may be lost or not forwarded by a connection pooler. */
const POLL_EVERY_MS = 1500;
/** Shortest interval between two messages about the same kind of change. */
const PUBLISH_EVERY_MS = 100;

const SUBJECT = 'bidwell.changes';
/** Version of the messages: the kind of the change as text. */
const VERSION = 1;

/** Calls after changes by other processes, and notifies them of changes by this one. */
export interface ChangesFollower {
  /** Notifies the other processes of a committed change, if there is a bus. */
  publish(kind: BiddingChange): void;
  stop(): Promise<void>;
}

/**
 * Calls `changed` after another process has changed something that bids depend on: at once where messages of the bus, or
 * without one PostgreSQL's notifications, arrive; otherwise within two seconds.
 */
export function followChanges(options: {
  db: Database;
  /** Connection string for notifications; null for polling only. */
  url: string | null;
  bus: Bus | null;
  log: Logger;
  changed: Record<BiddingChange, () => void>;
}): ChangesFollower {
  const { db, url, bus, log, changed } = options;
  let seen: Map<string, string> | null = null;
  let stopped = false;
  const onChange = (kind: string): boolean => {
    if (kind !== 'funds' && kind !== 'snapshot') return false;
    if (!stopped) changed[kind]();
    return true;
  };
  const poll = repeat(POLL_EVERY_MS, 'poll for changes', log, async () => {
    const now = await readChanges(db);
    const isNew = (kind: string): boolean => seen === null || seen.get(kind) !== now.get(kind);
    const [snapshot, funds] = [isNew('snapshot'), isNew('funds')];
    seen = now;
    if (snapshot) changed.snapshot();
    if (funds) changed.funds();
  });
  if (bus)
    subscribeTo(bus, { subject: SUBJECT, version: VERSION, log }, (text) => onChange(text.toString('utf8')));
  const listener =
    bus || url === null
      ? null
      : listenToPostgres({
          url,
          channel: CHANGES_CHANNEL,
          log,
          onNotification: onChange,
          // Notifications sent while disconnected are lost, so a change is assumed.
          connected: () => changed.snapshot(),
        });
  const publisher = bus ? changePublisher(bus) : null;
  return {
    publish: (kind) => publisher?.publish(kind),
    async stop() {
      stopped = true;
      publisher?.stop();
      await Promise.all([poll.stop(), listener?.close()]);
    },
  };
}

/** Publishes the first change at once, and those that follow soon together. */
function changePublisher(bus: Bus) {
  const timers = new Map<BiddingChange, NodeJS.Timeout>();
  const pending = new Set<BiddingChange>();
  const publish = (kind: BiddingChange): void => {
    if (timers.has(kind)) return void pending.add(kind);
    bus.publish(SUBJECT, versioned(VERSION, Buffer.from(kind)));
    const again = (): void => {
      timers.delete(kind);
      if (pending.delete(kind)) publish(kind);
    };
    timers.set(kind, setTimeout(again, PUBLISH_EVERY_MS).unref());
  };
  return {
    publish,
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/**
 * Kinds of changes: `snapshot`, of ad sets and settings that bids depend on; `funds`, of the money that companies can
 * spend.
 */
export type BiddingChange = 'snapshot' | 'funds';

/** Channel on which PostgreSQL notifies of committed changes; the payload is a {@link BiddingChange}. */
const CHANGES_CHANNEL = 'bidwell_bidding';

/** Retention of changes. Processes poll for new ones every other second. */
const RETENTION_MINUTES = 10;

/**
 * Returns a version for each kind, which differs after every change. Spans all companies, but reveals only that
 * something changed.
 */
async function readChanges(db: Db): Promise<Map<string, string>> {
  // The count detects a transaction that commits after one with a higher id.
  const { rows } = await sql<{ kind: string; state: string }>`
    select kind, max(id) || ' ' || count(*) as state from bidding_changes group by kind`.execute(db);
  return new Map(rows.map(({ kind, state }) => [kind, state]));
}

/** Deletes changes past their retention, except the newest. */
export async function deleteOldChanges(db: Db): Promise<void> {
  await sql`
    delete from bidding_changes
    where at < clock_timestamp() - ${`${RETENTION_MINUTES} minutes`}::interval
      and id < (select max(id) from bidding_changes)`.execute(db);
}
