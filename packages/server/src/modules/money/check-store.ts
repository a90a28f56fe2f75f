import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { exactSum, json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { firstIdText } from '../../platform/clickhouse/bid-ids.ts';

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

/** Transactions of the ledger by their uuid: those after one, up to and with another. */
export interface TransactionRange {
  after: string;
  upTo: string;
}

/** Most transactions that one statement reads, so that it takes milliseconds. */
export const TRANSACTIONS_AT_ONCE = 2000;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** All transactions, in ranges of at most {@link TRANSACTIONS_AT_ONCE}. */
export async function* transactionRanges(db: Db): AsyncGenerator<TransactionRange> {
  for (let after = FIRST_UUID; after < LAST_UUID;) {
    const last = await db
      .selectFrom('ledger_transactions')
      .select('uuid')
      .where('uuid', '>', after)
      .orderBy('uuid')
      .offset(TRANSACTIONS_AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    const upTo = last?.uuid ?? LAST_UUID;
    yield { after, upTo };
    after = upTo;
  }
}

/** Transactions in a range that do not agree with their entries. */
export async function unbalancedTransactions(
  db: Db,
  { after, upTo }: TransactionRange,
): Promise<TransactionWithEntries[]> {
  // The range of the entries is given too, or the plan might read all of them.
  const { rows } = await sql<TransactionWithEntries>`
    select * from (
      select t.uuid, t.company_uuid, t.kind, t.status, t.amount_micros, t.margin_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'margin')`)} as margin_entries_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'wallet')`)} as wallet_micros,
        ${exactSum(sql`sum(e.amount_micros)`)} as sum_micros,
        (count(*) filter (where e.company_uuid <> t.company_uuid))::int as foreign_entries
      from ledger_transactions t
      left join ledger_entries e
        on e.transaction_uuid = t.uuid and e.transaction_uuid > ${after} and e.transaction_uuid <= ${upTo}
      where t.uuid > ${after} and t.uuid <= ${upTo}
      group by t.uuid
    ) as beside
    where sum_micros <> 0 or foreign_entries > 0 or margin_entries_micros <> margin_micros
      or wallet_micros <> case when status = 'success' or kind = 'spend' then amount_micros else 0 end`.execute(
    db,
  );
  return rows;
}

/** Sums of a company; amounts in micros, beyond 2^53 too. */
export interface LedgerSums {
  transactions: number;
  entries: number;
  /** Of the entries of its wallet. */
  walletMicros: bigint;
  /** Of the transactions that have taken effect. */
  transactionsMicros: bigint;
}

/** Sums of the transactions in a range and of their entries, by company. */
export async function sumsByCompany(
  db: Db,
  { after, upTo }: TransactionRange,
): Promise<Map<string, LedgerSums>> {
  const { rows } = await sql<{
    companyId: string;
    transactions: number;
    entries: number;
    wallet: string;
    effective: string;
  }>`
    select company_uuid as "companyId", sum(transactions)::int as transactions, sum(entries)::int as entries,
      sum(wallet)::text as wallet, sum(effective)::text as effective
    from (
      select company_uuid, 1 as transactions, 0 as entries, 0::bigint as wallet,
        case when status = 'success' or kind = 'spend' then amount_micros else 0 end as effective
      from ledger_transactions where uuid > ${after} and uuid <= ${upTo}
      union all
      select company_uuid, 0, 1, case when account = 'wallet' then amount_micros else 0 end, 0
      from ledger_entries where transaction_uuid > ${after} and transaction_uuid <= ${upTo}
    ) as counted
    group by company_uuid`.execute(db);
  return new Map(
    rows.map(({ companyId, transactions, entries, wallet, effective }) => [
      companyId,
      { transactions, entries, walletMicros: BigInt(wallet), transactionsMicros: BigInt(effective) },
    ]),
  );
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
    { from: firstIdText(sinceMs) },
  );
  const doubled: DuplicateCharge[] = [];
  let events = 0;
  let fromHour: number | undefined;
  for (const [index, { hour, events: ofHour }] of hours.entries()) {
    fromHour ??= hour;
    events += ofHour;
    if (events < EVENTS_AT_ONCE && index < hours.length - 1) continue;
    const span = { from: firstIdText(fromHour * 3_600_000), before: firstIdText((hour + 1) * 3_600_000) };
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
