import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { anyOf, exactSum, json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Booked spend of an ad set, and the part of it in the last day with a booking. */
export interface BookedAdset {
  everMicros: Micros;
  /** `2026-05-01` in the company's time zone. */
  day: string;
  dayMicros: Micros;
}

/** Booked spend of all ad sets, across companies. */
export async function bookedAdsets(db: Db): Promise<Map<string, BookedAdset>> {
  const rows = await db
    .selectFrom('adset_spend')
    .select(['adset_uuid', 'ever_micros', 'day_micros', sql<string>`day::text`.as('day')])
    .execute();
  return new Map(
    rows.map((row) => [
      row.adset_uuid,
      { everMicros: row.ever_micros, day: row.day, dayMicros: row.day_micros },
    ]),
  );
}

/** A partition of an event stream, and the number of its last booked message. */
export interface BookedPosition {
  stream: string;
  partition: number;
  seq: number;
}

/** How far the event streams are booked that counters of the last hour count. */
export async function bookedPositions(db: Db): Promise<BookedPosition[]> {
  return db
    .selectFrom('event_partitions')
    .select(['stream', 'partition', 'booked_seq as seq'])
    .where('stream', 'in', (query) => query.selectFrom('event_counters').select('stream'))
    .execute();
}

/** Whether all messages up to these positions are stored, or gone from their stream. */
export async function arePositionsStored(db: Db, positions: readonly BookedPosition[]): Promise<boolean> {
  if (positions.length === 0) return true;
  const { rows } = await sql<{ behind: boolean }>`
    select exists (
      select from jsonb_to_recordset(${json(positions)}::jsonb) as b (stream text, partition int, seq bigint)
      join event_partitions p on p.stream = b.stream and p.partition = b.partition
      where p.stored_seq < b.seq
    ) as behind`.execute(db);
  return !rows[0]!.behind;
}

/** The owner of an ad set with booked spend. */
export interface AdsetOwner {
  adsetId: string;
  companyId: string;
  name: string;
}

/** The owners of the ad sets; ad sets that do not exist are absent. */
export async function ownersOf(db: Db, adsetIds: readonly string[]): Promise<AdsetOwner[]> {
  return db
    .selectFrom('adsets')
    .select(['uuid as adsetId', 'company_uuid as companyId', 'name'])
    .where('uuid', '=', anyOf(adsetIds))
    .execute();
}

/** Spend that the ledger has posted for a campaign. */
export interface PostedCampaign {
  campaignId: string;
  micros: Micros;
}

/** Spend that the ledger has ever posted for each campaign of a company. */
export async function postedOfCompany(db: Db, companyId: string): Promise<PostedCampaign[]> {
  const { rows } = await sql<PostedCampaign>`
    select campaign_uuid as "campaignId", ${exactSum(sql`-sum(amount_micros)`)} as micros
    from ledger_transactions
    where company_uuid = ${companyId} and kind = 'spend'
    group by campaign_uuid`.execute(db);
  return rows;
}

/** The amount by which to lower the booked spend of an ad set. */
export interface Excess {
  adsetId: string;
  micros: Micros;
  /** The part of it that was booked on `day`. */
  dayMicros: Micros;
  day: string;
  /** Spend of the stored events; no less than that stays booked. */
  storedMicros: Micros;
}

/** Booked spend of an ad set before and after it was lowered. */
export interface LoweredSpend {
  adsetId: string;
  beforeMicros: Micros;
  afterMicros: Micros;
}

/** A correction of an ad set's booked spend, for the log of operators. */
export interface SpendCorrection extends LoweredSpend {
  companyId: string;
  name: string;
}

/**
 * Lowers booked spend, the total and the spend of its day. Call it in a transaction. Returns the ad sets that changed.
 */
export async function lowerSpend(db: Db, excesses: readonly Excess[]): Promise<LoweredSpend[]> {
  const rows = excesses.map(({ adsetId, micros, dayMicros, day, storedMicros }) => ({
    adset: adsetId,
    micros,
    today: dayMicros,
    day,
    stored: storedMicros,
  }));
  // Locked in the order of bookings.
  const before = await sql<{ adset: string; micros: Micros }>`
    select s.adset_uuid as adset, s.ever_micros as micros from adset_spend s
    where s.adset_uuid = any(${`{${excesses.map(({ adsetId }) => adsetId).join()}}`}::uuid[])
    order by s.adset_uuid for update`.execute(db);
  const after = await sql<{ adset: string; micros: Micros }>`
    update adset_spend s set
      ever_micros = greatest(s.ever_micros - e.micros, e.stored),
      day_micros = case when s.day = e.day then greatest(s.day_micros - e.today, 0) else s.day_micros end
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as e (adset uuid, micros bigint, today bigint, day date, stored bigint)
    where s.adset_uuid = e.adset and s.ever_micros > e.stored
    returning s.adset_uuid as adset, s.ever_micros as micros`.execute(db);
  const beforeOf = new Map(before.rows.map(({ adset, micros }) => [adset, micros]));
  return after.rows.map(({ adset, micros }) => ({
    adsetId: adset,
    beforeMicros: beforeOf.get(adset)!,
    afterMicros: micros,
  }));
}
