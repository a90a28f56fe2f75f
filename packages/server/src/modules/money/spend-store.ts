import type { TransactionStatus } from '@bidwell/contract/finance/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { grainSql, measureSql } from '../../platform/clickhouse/aggregates.ts';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { anyOf, json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Spend of one campaign in one hour of UTC. Posting covers all companies and is not reachable by any of them. */
export interface HourOfSpend {
  companyId: string;
  campaignId: string;
  /** Start of the hour, unix ms. */
  hourMs: number;
  /** The charge to the company. */
  micros: Micros;
  /** The part of it that is margin; the rest is the media cost. */
  marginMicros: Micros;
}

/** The ledger transaction of a campaign and hour. `micros` is the spend posted to it, not negative. */
export interface PostedHour extends HourOfSpend {
  transactionId: string;
  status: TransactionStatus;
  /** For the spend of a whole month, which `hourMs` is the first hour of: its end, Unix ms; else null. */
  untilMs: number | null;
}

/** Spend in the events, by campaign and hour, of hours that start at or after `sinceMs`. */
export async function countedSpend(clickhouse: ClickHouse, sinceMs: number): Promise<readonly HourOfSpend[]> {
  return clickhouse.query<HourOfSpend>(
    `select company_id as companyId, campaign_id as campaignId,
       toUnixTimestamp(${grainSql.hour}) * 1000 as hourMs,
       ${measureSql.spendMicros} as micros, ${measureSql.marginMicros} as marginMicros
     from events
     where test = 0 and ${grainSql.hour} >= {since:DateTime('UTC')}
     group by company_id, campaign_id, ${grainSql.hour}
     having micros > 0`,
    { since: new Date(sinceMs).toISOString().slice(0, 19).replace('T', ' ') },
  );
}

/** Posted spend of these campaigns in hours that start at or after `sinceMs`. */
export async function postedSpend(
  db: Db,
  sinceMs: number,
  campaignIds: readonly string[],
): Promise<PostedHour[]> {
  if (campaignIds.length === 0) return [];
  const rows = await db
    .selectFrom('ledger_transactions')
    .select(['uuid', 'company_uuid', 'campaign_uuid', 'hour', 'hours_until'])
    .select(['amount_micros', 'margin_micros', 'status'])
    .where('kind', '=', 'spend')
    .where('hour', '>=', new Date(sinceMs))
    .where('campaign_uuid', 'in', campaignIds)
    .execute();
  return rows.map(readPostedHour);
}

interface SpendRow {
  uuid: string;
  company_uuid: string;
  campaign_uuid: string | null;
  hour: Date | null;
  hours_until: Date | null;
  amount_micros: Micros;
  margin_micros: Micros;
  status: TransactionStatus;
}

function readPostedHour(row: SpendRow): PostedHour {
  return {
    transactionId: row.uuid,
    companyId: row.company_uuid,
    campaignId: row.campaign_uuid!,
    hourMs: row.hour!.getTime(),
    untilMs: row.hours_until?.getTime() ?? null,
    micros: -row.amount_micros || 0,
    marginMicros: row.margin_micros,
    status: row.status,
  };
}

/** Newest hour with posted spend, unix ms; null before the first posting. */
export async function lastPostedHourMs(db: Db): Promise<number | null> {
  // One index lookup per campaign, instead of a scan of all hours ever posted.
  const { rows } = await sql<{ hour: Date | null }>`
    select max(last.hour) as hour
    from campaigns
    cross join lateral (
      select hour from ledger_transactions
      where campaign_uuid = campaigns.uuid order by hour desc limit 1
    ) as last`.execute(db);
  return rows[0]?.hour?.getTime() ?? null;
}

const CAMPAIGNS_AT_ONCE = 1000;

/** The ids of all campaigns of all companies. */
export async function* everyCampaign(db: Db): AsyncGenerator<string> {
  let last: string | undefined;
  do {
    const rows = await db
      .selectFrom('campaigns')
      .select('uuid')
      .$if(last !== undefined, (query) => query.where('uuid', '>', last!))
      .orderBy('uuid')
      .limit(CAMPAIGNS_AT_ONCE)
      .execute();
    for (const { uuid } of rows) yield uuid;
    last = rows.at(-1)?.uuid;
  } while (last !== undefined);
}

/** A campaign with spend. */
export interface SpendingCampaign {
  companyId: string;
  name: string;
  /** Until when its spend is posted by months, to which nothing is added; Unix ms, -Infinity where all is by hours. */
  byMonthUntilMs: number;
}

/** The campaigns among `campaignIds` that exist, by uuid. */
export async function campaignsOf(
  db: Db,
  campaignIds: readonly string[],
): Promise<Map<string, SpendingCampaign>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('campaigns')
    .select(['uuid', 'company_uuid', 'name'])
    .select((query) =>
      query
        .selectFrom('ledger_transactions')
        .select(({ fn }) => fn.max('hours_until').as('until'))
        .whereRef('campaign_uuid', '=', 'campaigns.uuid')
        .where('hours_until', 'is not', null)
        .as('until'),
    )
    .where('uuid', 'in', campaignIds)
    .execute();
  return new Map(
    rows.map(({ uuid, company_uuid: companyId, name, until }) => [
      uuid,
      { companyId, name, byMonthUntilMs: until?.getTime() ?? -Infinity },
    ]),
  );
}

/**
 * Locks the transactions of these hours until the database transaction ends, after inserting missing ones. `hours`
 * has to be sorted, so that concurrent callers do not deadlock.
 */
export async function lockHours(
  db: Db,
  hours: readonly { companyId: string; campaignId: string; hourMs: number; description: string }[],
  at: Date,
): Promise<PostedHour[]> {
  await db
    .insertInto('ledger_transactions')
    .values(
      hours.map(({ companyId, campaignId, hourMs, description }) => ({
        uuid: uuidv7(),
        company_uuid: companyId,
        kind: 'spend' as const,
        status: 'pending' as const,
        amount_micros: 0,
        description,
        campaign_uuid: campaignId,
        hour: new Date(hourMs),
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['campaign_uuid', 'hour']).doNothing())
    .execute();
  const keys = hours.map(({ campaignId, hourMs }) => ({ campaign: campaignId, hour: new Date(hourMs) }));
  const { rows } = await sql<SpendRow>`
    select t.uuid, t.company_uuid, t.campaign_uuid, t.hour, t.hours_until, t.amount_micros, t.margin_micros, t.status
    from ledger_transactions t
    join jsonb_to_recordset(${json(keys)}::jsonb) as k (campaign uuid, hour timestamptz)
      on t.campaign_uuid = k.campaign and t.hour = k.hour
    order by t.campaign_uuid, t.hour
    for update of t`.execute(db);
  return rows.map(readPostedHour);
}

/** Change to one hour's transaction: `micros` of further spend, the margin in it, and its new status. */
export interface HourStep {
  transactionId: string;
  companyId: string;
  micros: Micros;
  /** Not 0 without further spend where an earlier release posted all of it to `media`. */
  marginMicros: Micros;
  status: TransactionStatus;
}

export async function moveHours(db: Db, steps: readonly HourStep[], at: Date): Promise<void> {
  if (steps.length === 0) return;
  await sql`
    update ledger_transactions t
    set amount_micros = t.amount_micros - s.micros, margin_micros = t.margin_micros + s."marginMicros",
      status = s.status, updated_at = ${at}
    from jsonb_to_recordset(${json(steps)}::jsonb)
      as s ("transactionId" uuid, micros bigint, "marginMicros" bigint, status text)
    where t.uuid = s."transactionId"`.execute(db);
}

/** The given transactions whose entries do not sum to zero. */
export async function unbalancedAmong(db: Db, transactionIds: readonly string[]): Promise<string[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db
    .selectFrom('ledger_entries')
    .select('transaction_uuid')
    .where('transaction_uuid', '=', anyOf(transactionIds))
    .groupBy('transaction_uuid')
    .having(({ fn }) => fn.sum('amount_micros'), '<>', 0)
    .execute();
  return rows.map((row) => row.transaction_uuid);
}

/** Adds further spend to the existing entries of open hours, and inserts the entry of the margin where it is missing. */
export async function growEntries(db: Db, steps: readonly HourStep[], at: Date): Promise<void> {
  if (steps.length === 0) return;
  await insertMissingMargins(db, steps, at);
  await sql`
    update ledger_entries e
    set amount_micros = e.amount_micros + case e.account
      when 'wallet' then -s.micros when 'margin' then s."marginMicros" else s.micros - s."marginMicros" end
    from jsonb_to_recordset(${json(steps)}::jsonb)
      as s ("transactionId" uuid, micros bigint, "marginMicros" bigint)
    where e.transaction_uuid = s."transactionId"`.execute(db);
}

/** Inserts an entry of 0 for the margin of transactions that have none. Their rows must be locked. */
async function insertMissingMargins(db: Db, steps: readonly HourStep[], at: Date): Promise<void> {
  const entries = steps
    .filter(({ marginMicros }) => marginMicros !== 0)
    .map(({ transactionId, companyId }) => ({ uuid: uuidv7(), transactionId, companyId }));
  if (entries.length === 0) return;
  await sql`
    insert into ledger_entries (uuid, transaction_uuid, company_uuid, account, amount_micros, created_at)
    select m.uuid, m."transactionId", m."companyId", 'margin', 0, ${at}
    from jsonb_to_recordset(${json(entries)}::jsonb) as m (uuid uuid, "transactionId" uuid, "companyId" uuid)
    where not exists (
      select from ledger_entries e where e.transaction_uuid = m."transactionId" and e.account = 'margin'
    )`.execute(db);
}

/** Appends entries for each step: debit wallet, credit media, and credit margin where there is one. */
export async function appendEntries(db: Db, steps: readonly HourStep[], at: Date): Promise<void> {
  const entries = steps.flatMap(({ transactionId, companyId, micros, marginMicros }) =>
    [
      { account: 'wallet' as const, amount_micros: -micros },
      { account: 'media' as const, amount_micros: micros - marginMicros },
      { account: 'margin' as const, amount_micros: marginMicros },
    ]
      .filter(({ amount_micros: amount }) => amount !== 0)
      .map((entry) => ({
        ...entry,
        uuid: uuidv7(),
        transaction_uuid: transactionId,
        company_uuid: companyId,
        created_at: at,
      })),
  );
  if (entries.length > 0) await db.insertInto('ledger_entries').values(entries).execute();
}
