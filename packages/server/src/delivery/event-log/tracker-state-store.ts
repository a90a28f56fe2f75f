import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { IntakeError } from './intake.ts';

/** The states of all trackers that were killed, or stopped with events in their log, or run. */
export interface TrackerStates {
  /** Those that were updated in the last seconds. */
  live: number;
  /** Of the live ones, those whose log or disk is filling, and those that cannot write. */
  filling: number;
  failing: number;
  /** Time since the last update of any that has not stopped; null when none is known. */
  silentMs: number | null;
  /** How far counting is behind: until this long ago all events are counted that recent trackers acknowledged. */
  lagMs: number;
  /** Of those that were updated recently, those of which it is not known how far they are counted. */
  unknown: number;
}

/** The fault of a tracker that has stopped, and left events in its log. */
export const STOPPED = 'stopped';

/** What a tracker reports. */
export interface TrackerState {
  fault: IntakeError | typeof STOPPED | null;
  /** Until this long ago the events that it acknowledged are counted. */
  lagMs: number;
}

/** A lag that stands for any longer one. */
const LAG_MS_MAX = 86_400_000;

/** Stores the state of a tracker's event log, and deletes trackers without an update for a day. */
export async function writeTrackerState(
  db: Db,
  trackerId: string,
  { fault, lagMs }: TrackerState,
): Promise<void> {
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
export async function deleteTrackerState(db: Db, trackerId: string): Promise<void> {
  await sql`delete from tracker_states where uuid = ${trackerId}`.execute(db);
}

const msSince = (column: string) =>
  sql`(extract(epoch from clock_timestamp() - ${sql.ref(column)}) * 1000)::float8`;

/** Reads the states; trackers are live that were updated in the last `liveMs`, and recent in the last `recentMs`. */
export async function readTrackerStates(
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
