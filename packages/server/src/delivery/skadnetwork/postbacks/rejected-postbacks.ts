import type { Logger } from 'pino';
import type { Database } from '../../../platform/postgres/client.ts';
import { coalesce } from '../../../platform/concurrency/coalesce.ts';
import { repeat } from '../../../platform/jobs/repeat.ts';
import type { Step } from '../../../platform/startup.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

const STORE_EVERY_MS = 5000;
/**
 * Counts that wait at most: beyond the first number they are stored at once, and beyond the second the apps that are named anew are no
 * longer told apart. Anyone can name any number.
 */
const COUNTS_MAX = { stored: 2000, toldApart: 20_000 };

/** A postback that is not counted. */
export interface RejectedPostback {
  /** The app that it names; '' for none. */
  itemId: string;
  reason: string;
}

/** The count of postbacks that are not counted. */
export interface RejectedPostbacks {
  add(rejected: RejectedPostback): void;
  /** Stores the counts so far. Rejects where PostgreSQL does not respond; the counts are then stored later. */
  flush(): Promise<void>;
  /** Stores the last counts; rejects like {@link flush}. */
  stop(): Promise<void>;
}

/**
 * Counts in memory by day, reason and app, and stores every five seconds. Only apps with signed bids are stored apart, so that strangers
 * can neither add rows without limit nor keep out a company's counts. If a process is killed, the counts that it has not stored are lost.
 */
export function startRejectedPostbacks(
  { db, postgres, log }: { db: Database; postgres: Step; log: Logger },
  now: () => Date,
): RejectedPostbacks {
  let counts = new Map<string, RejectedCount>();
  const flush = coalesce(async () => {
    const taken = counts;
    counts = new Map();
    try {
      const counted = [...taken.values()];
      const signed = await signedItems(db, [...new Set(counted.flatMap(({ itemId }) => itemId || []))]);
      const stored = new Map<string, RejectedCount>();
      for (const one of counted) merge(stored, signed.has(one.itemId) ? one : { ...one, itemId: '' });
      await addRejected(db, [...stored.values()]);
    } catch (error) {
      for (const count of taken.values()) merge(counts, count);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store counts of rejected postbacks', log, flush, [postgres]);
  return {
    add({ itemId, reason }) {
      const lastAt = now();
      const day = lastAt.toISOString().slice(0, 10);
      const isApart = counts.size < COUNTS_MAX.toldApart;
      merge(counts, { day, itemId: isApart ? itemId : '', reason, count: 1, lastAt });
      // The repeated job says why it fails.
      if (counts.size >= COUNTS_MAX.stored) flush().catch(() => {});
    },
    flush,
    async stop() {
      await job.stop();
      await flush();
    },
  };
}

function merge(counts: Map<string, RejectedCount>, added: RejectedCount): void {
  const key = `${added.day} ${added.reason} ${added.itemId}`;
  const known = counts.get(key);
  const newest = known && known.lastAt > added.lastAt ? known : added;
  counts.set(key, { ...newest, count: (known?.count ?? 0) + added.count });
}

/** Postbacks of a day that were not counted for one reason. */
interface RejectedCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** The App Store's number of the app that they name; '' for none, and for an app without signed bids. */
  itemId: string;
  reason: string;
  count: number;
  lastAt: Date;
}

/**
 * Which of some numbers in the App Store postbacks are some company's of: an operator switched it on, or ad sets have or had source
 * identifiers of it. Spans companies.
 */
async function signedItems(db: Db, itemIds: readonly string[]): Promise<Set<string>> {
  // Anyone can name any number.
  const numbers = itemIds.filter((itemId) => /^\d{1,15}$/.test(itemId));
  if (numbers.length === 0) return new Set();
  const { rows } = await sql<{ item: string }>`
    select item::text as item from unnest(${`{${numbers.join()}}`}::bigint[]) as item
    where exists (select from skadnetwork_apps where item_id = item)
      or exists (select from source_identifiers where item_id = item)`.execute(db);
  return new Set(rows.map(({ item }) => item));
}

/** Adds to the counts of postbacks that were not counted. Spans companies. */
async function addRejected(db: Db, counts: readonly RejectedCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into rejected_install_postbacks as stored (day, item_id, reason, count, last_at)
    select day, item_id, reason, count, last_at
    from json_to_recordset(${JSON.stringify(counts.map(rowOf))}::json)
      as r(day text, item_id text, reason text, count bigint, last_at timestamptz)
    order by day, item_id, reason
    on conflict (day, item_id, reason) do update set
      count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(
    db,
  );
}

function rowOf({ day, itemId, reason, count, lastAt }: RejectedCount) {
  return { day, item_id: itemId, reason, count, last_at: lastAt.toISOString() };
}
