import { sql } from 'kysely';
import type { Database } from '../client.ts';

/**
 * Seconds since the last transaction that a replica has replayed; 0 for a server that is no replica. The primary always
 * writes: the process that runs the jobs extends its leadership every second.
 */
export async function lagSecondsOf(db: Database): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as lag`.execute(
    db,
  );
  return Math.max(0, rows[0]!.lag);
}
