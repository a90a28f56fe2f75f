import type { Micros } from '@bidwell/contract/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { exactSum, json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A transaction with the totals of its entries. Covers all companies: for operators only. */
export interface TransactionWithEntries {
  uuid: string;
  company_uuid: string;
  kind: string;
  status: string;
  amount_micros: Micros;
  /** The part of spend that is margin, and the sum of its margin entries. */
  margin_micros: Micros;
  margin_entries_micros: Micros;
  /** Sum of its wallet entries; 0 without entries. */
  wallet_micros: Micros;
  /** Sum of all its entries; 0 if they balance. */
  sum_micros: Micros;
  /** Number of entries that belong to another company than the transaction. */
  foreign_entries: number;
}

/** Transactions that do not agree with their entries. */
export async function unbalancedTransactions(db: Db): Promise<TransactionWithEntries[]> {
  const { rows } = await sql<TransactionWithEntries>`
    select * from (
      select t.uuid, t.company_uuid, t.kind, t.status, t.amount_micros, t.margin_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'margin')`)} as margin_entries_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'wallet')`)} as wallet_micros,
        ${exactSum(sql`sum(e.amount_micros)`)} as sum_micros,
        (count(*) filter (where e.company_uuid <> t.company_uuid))::int as foreign_entries
      from ledger_transactions t
      left join ledger_entries e on e.transaction_uuid = t.uuid
      group by t.uuid
    ) as beside
    where sum_micros <> 0 or foreign_entries > 0 or margin_entries_micros <> margin_micros
      or wallet_micros <> case when status = 'success' or kind = 'spend' then amount_micros else 0 end`.execute(
    db,
  );
  return rows;
}

/** Companies whose wallet does not equal the sum of their transactions that have taken effect. */
export async function unbalancedWallets(
  db: Db,
): Promise<{ company_uuid: string; wallet_micros: Micros; transactions_micros: Micros }[]> {
  const { rows } = await sql<{ company_uuid: string; wallet_micros: Micros; transactions_micros: Micros }>`
    with wallets as (
      select company_uuid, ${exactSum(sql`sum(amount_micros)`)} as micros
      from ledger_entries where account = 'wallet' group by company_uuid
    ), counting as (
      select company_uuid, ${exactSum(sql`sum(amount_micros)`)} as micros
      from ledger_transactions where status = 'success' or kind = 'spend' group by company_uuid
    )
    select coalesce(w.company_uuid, c.company_uuid) as company_uuid,
      coalesce(w.micros, 0) as wallet_micros, coalesce(c.micros, 0) as transactions_micros
    from wallets w full join counting c on c.company_uuid = w.company_uuid
    where coalesce(w.micros, 0) <> coalesce(c.micros, 0)`.execute(db);
  return rows;
}

/** Companies whose wallet is more than `mostMicros` above or below zero. */
export async function walletsBeyond(
  db: Db,
  mostMicros: Micros,
): Promise<{ company_uuid: string; wallet_micros: Micros }[]> {
  const { rows } = await sql<{ company_uuid: string; wallet_micros: Micros }>`
    select company_uuid, ${exactSum(sql`sum(amount_micros)`)} as wallet_micros
    from ledger_entries where account = 'wallet' group by company_uuid
    having abs(sum(amount_micros)) > ${mostMicros}`.execute(db);
  return rows;
}

/** A bid with a duplicate event or a duplicate charge. */
export interface DuplicateCharge {
  bidId: string;
  companyId: string;
  spentMicros: Micros;
  /** Spend if charged once. */
  onceMicros: Micros;
}

/** Approximate number of events that one query groups by bid; limits its memory. */
const EVENTS_AT_ONCE = 500_000;
const DUPLICATES_MAX = 100;

/**
 * Finds bids made since an instant with duplicate events, or charged by two events; at most a hundred. Reads the
 * projection `charges_of_bid` in time spans. Covers all companies: for operators only.
 */
export async function duplicateCharges(clickhouse: ClickHouse, sinceMs: number): Promise<DuplicateCharge[]> {
  const hours = await clickhouse.query<{ hour: number; events: number }>(
    `select toUInt64(bitShiftRight(toUInt128(bid_id), 80)) div 3600000 as hour, count() as events from events
     where toUInt128(bid_id) >= {from:UInt128} group by hour order by hour`,
    { from: firstIdAt(sinceMs) },
  );
  const doubled: DuplicateCharge[] = [];
  let events = 0;
  let fromHour: number | undefined;
  for (const [index, { hour, events: ofHour }] of hours.entries()) {
    fromHour ??= hour;
    events += ofHour;
    if (events < EVENTS_AT_ONCE && index < hours.length - 1) continue;
    const span = { from: firstIdAt(fromHour * 3_600_000), before: firstIdAt((hour + 1) * 3_600_000) };
    doubled.push(...(await duplicatesOf(clickhouse, span)));
    if (doubled.length >= DUPLICATES_MAX) return doubled.slice(0, DUPLICATES_MAX);
    events = 0;
    fromHour = undefined;
  }
  return doubled;
}

async function duplicatesOf(
  clickhouse: ClickHouse,
  span: { from: string; before: string },
): Promise<DuplicateCharge[]> {
  const bids = await clickhouse.query<Omit<DuplicateCharge, 'companyId'>>(
    `select bid_id as bidId, sum(spend_micros) as spentMicros, max(spend_micros) as onceMicros from events
     where toUInt128(bid_id) >= {from:UInt128} and toUInt128(bid_id) < {before:UInt128}
     group by bid_id having count() > uniqExact(kind) or countIf(spend_micros > 0 and top_up = 0) > 1 limit ${DUPLICATES_MAX}`,
    span,
  );
  if (bids.length === 0) return [];
  const owners = await clickhouse.query<{ bidId: string; companyId: string }>(
    `select bid_id as bidId, any(company_id) as companyId from events where has({bids:Array(UUID)}, bid_id) group by bid_id`,
    { bids: bids.map(({ bidId }) => bidId) },
  );
  const ownerOf = new Map(owners.map(({ bidId, companyId }) => [bidId, companyId]));
  return bids.map((bid) => ({ ...bid, companyId: ownerOf.get(bid.bidId)! }));
}

/** Smallest UUIDv7 of an instant, as a decimal number. */
function firstIdAt(atMs: number): string {
  return (BigInt(Math.max(0, Math.floor(atMs))) << 80n).toString();
}

/**
 * Size of the ledger: transactions, entries, and the sum of all wallets in dollars, since in micros it may exceed
 * 2^53.
 */
export async function ledgerSize(
  db: Db,
): Promise<{ transactions: number; entries: number; wallets_dollars: number }> {
  const { rows } = await sql<{ transactions: number; entries: number; wallets_dollars: number }>`
    select (select count(*)::int from ledger_transactions) as transactions,
      (select count(*)::int from ledger_entries) as entries,
      (select (coalesce(sum(amount_micros), 0) / 1000000)::float8 from ledger_entries where account = 'wallet')
        as wallets_dollars`.execute(db);
  return rows[0]!;
}

/** Stores the result of a check in place of the one before. */
export async function replaceLedgerCheck(db: Db, result: object, at: Date): Promise<void> {
  const uuid = uuidv7();
  await db
    .insertInto('ledger_checks')
    .values({ uuid, result: json(result), created_at: at })
    .execute();
  await db.deleteFrom('ledger_checks').where('uuid', '!=', uuid).where('created_at', '<=', at).execute();
}

/** The result of the last check; null before the first. */
export async function findLedgerCheck(db: Db): Promise<object | null> {
  const row = await db
    .selectFrom('ledger_checks')
    .select('result')
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.result ?? null;
}
