import type {
  TransactionKind,
  TransactionStatus,
  Transaction,
  TransactionQuery,
} from '@bidwell/contract/finance/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { anyOf, exactSum } from '../../platform/postgres/client.ts';
import type { LedgerAccount, LedgerTransactionTable } from '../../platform/postgres/schema.ts';
import { invariant } from '../../platform/invariant.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

type TransactionRow = Selectable<LedgerTransactionTable>;

/** A transaction other than spend, to be inserted; see `spend-store.ts` for spend. */
export interface NewTransaction {
  kind: Exclude<TransactionKind, 'spend'>;
  status: TransactionStatus;
  amountMicros: Micros;
  description: string;
  at: Date;
}

export async function insertTransaction(
  db: Db,
  companyId: string,
  { kind, status, amountMicros, description, at }: NewTransaction,
): Promise<TransactionRow> {
  return db
    .insertInto('ledger_transactions')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      kind,
      status,
      amount_micros: amountMicros,
      description,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Moves money between two accounts of a company by two entries that sum to zero. */
export async function insertEntries(
  db: Db,
  companyId: string,
  transactionId: string,
  move: { from: LedgerAccount; to: LedgerAccount; micros: Micros; at: Date },
): Promise<void> {
  invariant(
    Number.isSafeInteger(move.micros) && move.from !== move.to,
    'a movement of the ledger is no whole number of micros between two accounts',
    () => ({ transactionId, ...move }),
  );
  const entry = (account: LedgerAccount, micros: Micros) => ({
    uuid: uuidv7(),
    transaction_uuid: transactionId,
    company_uuid: companyId,
    account,
    amount_micros: micros,
    created_at: move.at,
  });
  await db
    .insertInto('ledger_entries')
    .values([entry(move.from, -move.micros), entry(move.to, move.micros)])
    .execute();
}

/** A company's name, and how far below zero its balance may go. */
export interface LockedCompany {
  name: string;
  credit_limit_micros: Micros;
}

/** Reads a company and locks it against other manual bookings until the transaction ends. */
export async function lockCompany(db: Db, companyId: string): Promise<LockedCompany | undefined> {
  return db
    .selectFrom('companies')
    .select(['name', 'credit_limit_micros'])
    .where('uuid', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks several companies, in sorted order so that concurrent callers do not deadlock. Returns their credit limits. */
export async function lockCompanies(db: Db, companyIds: readonly string[]): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('companies')
    .select(['uuid', 'credit_limit_micros'])
    .where('uuid', '=', anyOf(companyIds))
    .orderBy('uuid')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.uuid, row.credit_limit_micros]));
}

/** How far below zero a company's balance may go; 0 for an unknown company. */
export async function creditLimitMicros(db: Db, companyId: string): Promise<Micros> {
  const row = await db
    .selectFrom('companies')
    .select('credit_limit_micros')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.credit_limit_micros ?? 0;
}

export async function setCreditLimit(db: Db, companyId: string, micros: Micros): Promise<void> {
  await db
    .updateTable('companies')
    .set({ credit_limit_micros: micros })
    .where('uuid', '=', companyId)
    .execute();
}

/** Credit limits above zero, of all companies. */
export async function creditLimitsOfAll(db: Db): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('companies')
    .select(['uuid', 'credit_limit_micros'])
    .where('credit_limit_micros', '>', 0)
    .execute();
  return new Map(rows.map((row) => [row.uuid, row.credit_limit_micros]));
}

export async function countPendingTopUps(db: Db, companyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('company_uuid', '=', companyId)
    .where('kind', '=', 'top_up')
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
}

const sumMicros = exactSum(sql`sum(amount_micros)`).as('micros');

export async function walletMicros(db: Db, companyId: string): Promise<Micros> {
  const row = await db
    .selectFrom('ledger_entries')
    .select(sumMicros)
    .where('company_uuid', '=', companyId)
    .where('account', '=', 'wallet')
    .executeTakeFirst();
  return row?.micros ?? 0;
}

/** Balances of the companies among `companyIds` that have ledger entries. */
export async function walletMicrosOf(db: Db, companyIds: readonly string[]): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['company_uuid', sumMicros])
    .where('company_uuid', '=', anyOf(companyIds))
    .where('account', '=', 'wallet')
    .groupBy('company_uuid')
    .execute();
  return new Map(rows.map((row) => [row.company_uuid, row.micros]));
}

/** Balances of all companies that have ledger entries. */
export async function walletMicrosOfAll(db: Db): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['company_uuid', sumMicros])
    .where('account', '=', 'wallet')
    .groupBy('company_uuid')
    .execute();
  return new Map(rows.map((row) => [row.company_uuid, row.micros]));
}

/**
 * Number of companies whose balance is below zero: the few manual transactions, less the spend that is
 * booked by company. Does not read the entries of spend, of which every campaign has some for every hour.
 */
export async function countWalletsBelowZero(db: Db): Promise<number> {
  const { rows } = await sql<{ companies: number }>`
    select count(*)::int as companies from (
      select from (
        select e.company_uuid, e.amount_micros as micros
        from ledger_transactions t join ledger_entries e on e.transaction_uuid = t.uuid
        where t.kind <> 'spend' and e.account = 'wallet'
        union all
        select company_uuid, -micros from company_spend
      ) as moves
      group by company_uuid having sum(micros) < 0
    ) as below`.execute(db);
  return rows[0]!.companies;
}

/** Number of top-ups of all companies that wait for an operator. */
export async function countTopUpsWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', '=', 'top_up')
    .where('kind', '!=', 'spend')
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
}

/** Deposits less manual withdrawals of all companies: their funds before spend. */
export async function fundsMicrosOfAll(db: Db): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_transactions', 'ledger_transactions.uuid', 'ledger_entries.transaction_uuid')
    .select(['ledger_entries.company_uuid', exactSum(sql`sum(ledger_entries.amount_micros)`).as('micros')])
    .where('ledger_entries.account', '=', 'wallet')
    .where('ledger_transactions.kind', '!=', 'spend')
    .groupBy('ledger_entries.company_uuid')
    .execute();
  return new Map(rows.map((row) => [row.company_uuid, row.micros]));
}

export async function listTransactionRows(
  db: Db,
  companyId: string,
  query: { page: number; limit: number; status?: TransactionStatus | undefined },
): Promise<{ rows: TransactionRow[]; total: number }> {
  let selection = db.selectFrom('ledger_transactions').where('company_uuid', '=', companyId);
  if (query.status) selection = selection.where('status', '=', query.status);
  const rows = await selection
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute();
  const { total } = await selection.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Pending top-ups of all companies with the names of these, for operators. */
export async function pendingTopUpRows(db: Db): Promise<(TransactionRow & { company_name: string })[]> {
  return db
    .selectFrom('ledger_transactions')
    .innerJoin('companies', 'companies.uuid', 'ledger_transactions.company_uuid')
    .selectAll('ledger_transactions')
    .select('companies.name as company_name')
    .where('kind', '=', 'top_up')
    .where('status', '=', 'pending')
    .orderBy('ledger_transactions.created_at')
    .limit(1000)
    .execute();
}

/** Company that a transaction belongs to; operators name only the transaction. */
export async function companyOfTransaction(db: Db, uuid: string): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_transactions')
    .select('company_uuid')
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.company_uuid ?? null;
}

/** A transaction, or the media spend of a day as one. */
export interface FoldedRow extends Pick<
  TransactionRow,
  'uuid' | 'kind' | 'status' | 'amount_micros' | 'description' | 'created_at' | 'updated_at'
> {
  folded: NonNullable<Transaction['folded']> | null;
}

/**
 * One page of a company's transactions, the newest first, and the number of all rows. The media spend of a day of the
 * time zone is one row, which has the uuid of its newest hour and is pending as long as one of its hours is; the spend of a whole
 * month stays a row of its own. The query reads the sort keys for the hours of all days, and sums only for the days of the page.
 */
export async function listFoldedRows(
  db: Db,
  companyId: string,
  { page, limit, status }: TransactionQuery,
  timeZone: string,
): Promise<{ rows: FoldedRow[]; total: number }> {
  const ofStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const { rows } = await sql<FoldedRow & { total: number }>`
    with days as (
      select (hour at time zone ${timeZone}::text)::date as day, hours_until is not null as is_month,
        min(hour) as from_hour, max(hour) as at,
        case when bool_or(status = 'pending') then 'pending' else min(status) end as status
      from ledger_transactions
      where company_uuid = ${companyId} and kind = 'spend'
      group by 1, 2
    ), listed as (
      select null::uuid as own_uuid, day, is_month, from_hour, at, status from days
      union all
      select uuid, null, null, null, created_at, status from ledger_transactions
      where company_uuid = ${companyId} and kind <> 'spend'
    ), filtered as (
      select * from listed where ${ofStatus}
    ), shown as (
      select * from filtered order by at desc, own_uuid desc limit ${limit} offset ${(page - 1) * limit}
    )
    select coalesce(spend.uuid, own.uuid) as uuid, coalesce(own.kind, 'spend') as kind, shown.status,
      coalesce(spend.amount_micros, own.amount_micros) as amount_micros, coalesce(own.description, '') as description,
      coalesce(spend.created_at, own.created_at) as created_at, coalesce(spend.updated_at, own.updated_at) as updated_at,
      spend.folded, counted.total
    from (select count(*)::int as total from filtered) as counted
    left join shown on true
    left join ledger_transactions as own on own.uuid = shown.own_uuid
    left join lateral (
      select (array_agg(uuid order by hour desc, uuid desc))[1] as uuid,
        ${exactSum(sql`sum(amount_micros)`)} as amount_micros,
        max(created_at) as created_at, max(updated_at) as updated_at,
        jsonb_build_object('date', to_char(shown.day, 'YYYY-MM-DD'), 'is_month', shown.is_month,
          'campaigns', count(distinct campaign_uuid), 'hours', count(distinct hour)) as folded
      from ledger_transactions
      where company_uuid = ${companyId} and kind = 'spend' and hour between shown.from_hour and shown.at
        and (hours_until is not null) = shown.is_month
    ) as spend on shown.day is not null
    order by shown.at desc, shown.own_uuid desc`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { rows: rows.filter(({ uuid }) => uuid !== null), total };
}
