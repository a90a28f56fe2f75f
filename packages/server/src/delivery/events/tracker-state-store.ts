import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * Counts of trackers that were updated in the last seconds: all, those whose log or disk is filling, those that cannot
 * write.
 */
export interface TrackerStates {
  live: number;
  filling: number;
  failing: number;
}

/** Stores the state of a tracker's event log, and deletes trackers without an update for a day. */
export async function writeTrackerState(db: Db, trackerId: string, fault: string | null): Promise<void> {
  await sql`
    with expired as (
      delete from tracker_states where seen_at < clock_timestamp() - interval '1 day'
    )
    insert into tracker_states (uuid, seen_at, fault) values (${trackerId}, clock_timestamp(), ${fault})
    on conflict (uuid) do update set seen_at = excluded.seen_at, fault = excluded.fault`.execute(db);
}

/** Deletes the state of a tracker that stops. */
export async function deleteTrackerState(db: Db, trackerId: string): Promise<void> {
  await sql`delete from tracker_states where uuid = ${trackerId}`.execute(db);
}

export async function readTrackerStates(db: Db, liveMs: number): Promise<TrackerStates> {
  const { rows } = await sql<TrackerStates>`
    select count(*)::int as live,
      (count(*) filter (where fault in ('log_filling', 'disk_filling')))::int as filling,
      (count(*) filter (where fault = 'disk_failing'))::int as failing
    from tracker_states where seen_at > clock_timestamp() - ${`${liveMs} milliseconds`}::interval`.execute(
    db,
  );
  return rows[0]!;
}
