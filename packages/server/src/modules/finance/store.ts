import type { TransactionKind, TransactionStatus } from '@bidwell/contract/finance';
import type { Micros } from '@bidwell/contract/money';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { LedgerAccount, LedgerTransactionTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type TransactionRow = Selectable<LedgerTransactionTable>;

/** A transaction to be written; spend names its campaign and hour. */
export interface NewTransaction {
  kind: TransactionKind;
  status: TransactionStatus;
  amountMicros: Micros;
  description: string;
  at: Date;
  spend?: { campaignId: string; hour: Date };
}

export async function insertTransaction(
  db: Db,
  companyId: string,
  transaction: NewTransaction,
): Promise<string> {
  const uuid = uuidv7();
  await db
    .insertInto('ledger_transactions')
    .values({
      uuid,
      company_uuid: companyId,
      kind: transaction.kind,
      status: transaction.status,
      amount_micros: transaction.amountMicros,
      description: transaction.description,
      campaign_uuid: transaction.spend?.campaignId ?? null,
      hour: transaction.spend?.hour ?? null,
      created_at: transaction.at,
      updated_at: transaction.at,
    })
    .onConflict((conflict) => conflict.columns(['campaign_uuid', 'hour']).doNothing())
    .execute();
  return uuid;
}

/** Moves money between two accounts of a company: two entries that sum to zero. */
export async function insertEntries(
  db: Db,
  companyId: string,
  transactionId: string,
  move: { from: LedgerAccount; to: LedgerAccount; micros: Micros; at: Date },
): Promise<void> {
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

/** A transaction, locked until the database transaction ends. */
export async function lockTransaction(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<TransactionRow | undefined> {
  return db
    .selectFrom('ledger_transactions')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
}

/** The one spend transaction of a campaign and hour, locked. */
export async function lockSpend(
  db: Db,
  companyId: string,
  campaignId: string,
  hour: Date,
): Promise<TransactionRow | undefined> {
  return db
    .selectFrom('ledger_transactions')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignId)
    .where('hour', '=', hour)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateTransaction(
  db: Db,
  companyId: string,
  uuid: string,
  changes: { status: TransactionStatus; amount_micros?: Micros; updated_at: Date },
): Promise<void> {
  await db
    .updateTable('ledger_transactions')
    .set(changes)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** What a transaction's entries have moved into the wallet. */
export async function postedMicros(db: Db, companyId: string, transactionId: string): Promise<Micros> {
  const row = await db
    .selectFrom('ledger_entries')
    .select(sumMicros)
    .where('company_uuid', '=', companyId)
    .where('transaction_uuid', '=', transactionId)
    .where('account', '=', 'wallet')
    .executeTakeFirst();
  return row?.micros ?? 0;
}

const sumMicros = sql<Micros>`coalesce(sum(amount_micros), 0)::bigint`.as('micros');

export async function walletMicros(db: Db, companyId: string): Promise<Micros> {
  const row = await db
    .selectFrom('ledger_entries')
    .select(sumMicros)
    .where('company_uuid', '=', companyId)
    .where('account', '=', 'wallet')
    .executeTakeFirst();
  return row?.micros ?? 0;
}

/** What was paid in, less what was taken out by hand, of every company: its money before any spend. */
export async function fundsOfAll(db: Db): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_transactions', 'ledger_transactions.uuid', 'ledger_entries.transaction_uuid')
    .select([
      'ledger_entries.company_uuid',
      sql<Micros>`coalesce(sum(ledger_entries.amount_micros), 0)::bigint`.as('micros'),
    ])
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

/** Pending top-ups of all companies, for the operator. */
export async function pendingTopUpRows(db: Db): Promise<TransactionRow[]> {
  return db
    .selectFrom('ledger_transactions')
    .selectAll()
    .where('kind', '=', 'top_up')
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .limit(1000)
    .execute();
}

/** Whose transaction it is: the operator names a transaction alone. */
export async function companyOfTransaction(db: Db, uuid: string): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_transactions')
    .select('company_uuid')
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.company_uuid ?? null;
}

export async function companyTimeZone(db: Db, companyId: string): Promise<string> {
  const row = await db
    .selectFrom('companies')
    .select('time_zone')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.time_zone ?? 'UTC';
}

/** Every spend transaction since an hour, with what its entries moved; and its campaign's name. */
export async function spendTransactionsSince(db: Db, since: Date) {
  return db
    .selectFrom('ledger_transactions')
    .select(['campaign_uuid', 'hour', 'amount_micros', 'status'])
    .where('kind', '=', 'spend')
    .where('hour', '>=', since)
    .execute();
}

export async function campaignNames(db: Db, campaignIds: string[]): Promise<Map<string, string>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('campaigns')
    .select(['uuid', 'name'])
    .where('uuid', 'in', campaignIds)
    .execute();
  return new Map(rows.map((row) => [row.uuid, row.name]));
}

/** Transactions whose entries do not add up: to zero among themselves, or to the transaction's amount. */
export async function unbalancedTransactions(
  db: Db,
): Promise<{ uuid: string; sumMicros: Micros; walletMicros: Micros; amountMicros: Micros }[]> {
  const result = await sql<{ uuid: string; sumMicros: Micros; walletMicros: Micros; amountMicros: Micros }>`
    select t.uuid, coalesce(sum(e.amount_micros), 0)::bigint as "sumMicros",
      coalesce(sum(e.amount_micros) filter (where e.account = 'wallet'), 0)::bigint as "walletMicros",
      t.amount_micros as "amountMicros"
    from ledger_transactions t left join ledger_entries e on e.transaction_uuid = t.uuid
    group by t.uuid
    having coalesce(sum(e.amount_micros), 0) <> 0
      or coalesce(sum(e.amount_micros) filter (where e.account = 'wallet'), 0)
        <> (case when t.status = 'success' or t.kind = 'spend' then t.amount_micros else 0 end)
    limit 1000`.execute(db);
  return result.rows;
}
