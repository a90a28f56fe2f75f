import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A claim of one event kind of a bid, or of its charge. Each can be claimed once. */
export interface Claim {
  bidId: string;
  kindIndex: number;
  /** The segment of the event log with the event. */
  batch: string;
}

/**
 * Inserts claims, and returns those that belong to their batch: claimed now, or by an earlier try of the same batch.
 * Claims of other batches, of this process or another, are left out. Works across companies, since a batch has events of
 * many; a bid's id belongs to one company.
 */
export async function takeClaims<Taken extends Claim>(db: Db, claims: readonly Taken[]): Promise<Taken[]> {
  if (claims.length === 0) return [];
  const { rows } = await sql<{ ordinal: number }>`
    with requested as (
      select bid_id, kind, batch, ordinality::int - 1 as ordinal
      from unnest(
        ${`{${claims.map(({ bidId }) => bidId).join()}}`}::uuid[],
        ${`{${claims.map(({ kindIndex }) => kindIndex).join()}}`}::smallint[],
        ${`{${claims.map(({ batch }) => batch).join()}}`}::uuid[]
      ) with ordinality as t (bid_id, kind, batch, ordinality)
    ), taken as (
      insert into event_claims (bid_id, kind, batch)
      select bid_id, kind, batch from requested order by bid_id, kind
      on conflict do nothing
      returning bid_id, kind, batch
    )
    select ordinal from requested
    where (bid_id, kind, batch) in (select bid_id, kind, batch from taken)
      or exists (
        select from event_claims own
        where own.bid_id = requested.bid_id and own.kind = requested.kind and own.batch = requested.batch
      )`.execute(db);
  return rows.map(({ ordinal }) => claims[ordinal]!);
}

/** Deletes the claims of bids made before an instant, whose events are not accepted any more. */
export async function deleteExpiredClaims(db: Db, beforeMs: number): Promise<void> {
  // A UUIDv7 starts with its time.
  const first = uuidv7({ msecs: beforeMs, random: new Uint8Array(16), seq: 0 });
  await sql`delete from event_claims where bid_id < ${first}::uuid`.execute(db);
}
