import type { Logger } from 'pino';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Bidders obey the switch within this time and the time of one query. It is not read with the snapshot, which may take long. */
const POLL_MS = 1000;

/** The operators' switch that stops all bidding, as this bidder knows it. */
export interface BiddingStop {
  isStopped(): boolean;
  /** Reads the switch now. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Follows the switch. While the database does not respond, the last known state holds. */
export function followBiddingStop(db: Database, log: Logger): BiddingStop {
  let isStopped = false;
  const refresh = coalesce(async () => {
    const now = await isBiddingStopped(db);
    if (now !== isStopped) log.warn(now ? 'an operator stopped all bidding' : 'bidding has resumed');
    isStopped = now;
  });
  const poll = repeat(POLL_MS, 'ask whether bidding is stopped', log, refresh);
  return { isStopped: () => isStopped, refresh, stop: () => poll.stop() };
}

/** Whether operators have stopped all bidding. */
export async function isBiddingStopped(db: Db): Promise<boolean> {
  const row = await db.selectFrom('bidding_stop').select('one').executeTakeFirst();
  return row !== undefined;
}
