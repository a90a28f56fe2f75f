import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Postbacks of a day that were not counted for one reason. */
export interface RejectedCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** The App Store's id of the app that they name; '' for none. Nothing proves it. */
  itemId: string;
  reason: string;
  count: number;
  lastAt: Date;
  /** The last one as text, cut. */
  sample: string;
}

/**
 * Adds to the counts of postbacks that were not counted. Those that name an app which nobody here has with signed bids are counted together, so that the
 * number of rows does not depend on what strangers send. Spans companies.
 */
export async function addRejected(db: Db, counts: readonly RejectedCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into rejected_install_postbacks as stored (day, item_id, reason, count, last_at, sample)
    select day, item, reason, sum(count)::bigint, max(last_at), max(sample)
    from (
      select r.day, r.reason, r.count, r.last_at, r.sample,
        case when exists (select from skadnetwork_apps where item_id = nullif(r.item_id, '')::bigint)
            or exists (select from source_identifiers where item_id = nullif(r.item_id, '')::bigint)
          then r.item_id else '' end as item
      from json_to_recordset(${JSON.stringify(counts.map(rowOf))}::json)
        as r(day text, item_id text, reason text, count bigint, last_at timestamptz, sample text)
    ) as known
    group by day, item, reason
    order by day, item, reason
    on conflict (day, item_id, reason) do update set
      count = stored.count + excluded.count, last_at = excluded.last_at, sample = excluded.sample`.execute(
    db,
  );
}

function rowOf({ day, itemId, reason, count, lastAt, sample }: RejectedCount) {
  return { day, item_id: itemId, reason, count, last_at: lastAt.toISOString(), sample };
}
