import { dateAt, startOfDayMs } from '@bidwell/contract/calendar';
import type { Balance, Transaction, TransactionList, TransactionQuery } from '@bidwell/contract/finance';
import type { Micros } from '@bidwell/contract/money';
import { toDollars } from '@bidwell/contract/money';
import type { TopUpItem } from '@bidwell/contract/operator';
import type { Actor, Engines } from '../../engines.ts';
import { Conflict, NotFound } from '../../platform/errors.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { companySpendSince, spendOfCompanies } from './spend-store.ts';
import type { TransactionRow } from './store.ts';
import {
  companyOfTransaction,
  companyTimeZone,
  fundsOfAll,
  insertEntries,
  insertTransaction,
  listTransactionRows,
  lockTransaction,
  pendingTopUpRows,
  updateTransaction,
  walletMicros,
} from './store.ts';

/** A company's balance in the ledger. */
export async function balanceMicros(engines: Engines, companyId: string): Promise<Micros> {
  return walletMicros(engines.db, companyId);
}

/** What each company may still spend: its funds less all its spend, whether the ledger has that spend yet or not. */
export async function spendableOfAll(engines: Engines): Promise<Map<string, Micros>> {
  const funds = await fundsOfAll(engines.db);
  for (const [companyId, spent] of await spendOfCompanies(engines.clickhouse)) {
    funds.set(companyId, (funds.get(companyId) ?? 0) - spent);
  }
  return funds;
}

/** Balance, and what was spent since midnight in the company's time zone. */
export async function readBalance(engines: Engines, { companyId }: Actor): Promise<Balance> {
  const timeZone = await companyTimeZone(engines.db, companyId);
  const midnightMs = startOfDayMs(dateAt(engines.now().getTime(), timeZone), timeZone);
  return {
    balance: toDollars(await walletMicros(engines.db, companyId)),
    currency: 'USD',
    spent_today: toDollars(await companySpendSince(engines.clickhouse, companyId, midnightMs)),
  };
}

export async function listTransactions(
  engines: Engines,
  { companyId }: Actor,
  query: TransactionQuery,
): Promise<TransactionList> {
  const { rows, total } = await listTransactionRows(engines.db, companyId, query);
  return { transactions: rows.map(readForm), total };
}

/** Gives a company funds. */
export async function creditCompany(
  engines: Engines,
  companyId: string,
  micros: Micros,
  reason: string,
): Promise<void> {
  await moveByHand(engines, companyId, 'credit', micros, reason);
}

/** Takes funds from a company. */
export async function debitCompany(
  engines: Engines,
  companyId: string,
  micros: Micros,
  reason: string,
): Promise<void> {
  await moveByHand(engines, companyId, 'debit', micros, reason);
}

async function moveByHand(
  engines: Engines,
  companyId: string,
  kind: 'credit' | 'debit',
  micros: Micros,
  reason: string,
): Promise<void> {
  await transact(engines.db, async (tx) => {
    const at = engines.now();
    const amountMicros = kind === 'credit' ? micros : -micros;
    const transaction = { kind, status: 'success', amountMicros, description: reason, at } as const;
    const uuid = await insertTransaction(tx.db, companyId, transaction);
    await insertEntries(tx.db, companyId, uuid, { from: 'funding', to: 'wallet', micros: amountMicros, at });
    balanceChanged(engines, tx, companyId);
  });
}

/** Asks for funds: a pending credit that an operator decides. */
export async function requestTopUp(
  engines: Engines,
  { companyId }: Actor,
  micros: Micros,
): Promise<Transaction> {
  return transact(engines.db, async (tx) => {
    const transaction = {
      kind: 'top_up',
      status: 'pending',
      amountMicros: micros,
      description: 'Top-up request',
      at: engines.now(),
    } as const;
    const uuid = await insertTransaction(tx.db, companyId, transaction);
    return readForm((await lockTransaction(tx.db, companyId, uuid))!);
  });
}

export async function pendingTopUps(engines: Engines): Promise<TopUpItem[]> {
  const rows = await pendingTopUpRows(engines.db);
  return rows.map((row) => ({
    uuid: row.uuid,
    company_uuid: row.company_uuid,
    amount: toDollars(row.amount_micros),
    created_at: row.created_at.toISOString(),
  }));
}

/** Confirms or declines a top-up, once. Throws NotFound, or Conflict when it was decided before. */
export async function decideTopUp(
  engines: Engines,
  transactionId: string,
  status: 'success' | 'declined',
): Promise<Transaction> {
  const companyId = await companyOfTransaction(engines.db, transactionId);
  if (!companyId) throw new NotFound('Top-up');
  return transact(engines.db, async (tx) => {
    const at = engines.now();
    const row = await lockTransaction(tx.db, companyId, transactionId);
    if (row?.kind !== 'top_up') throw new NotFound('Top-up');
    if (row.status !== 'pending') throw new Conflict(`This top-up is ${row.status} already`);
    await updateTransaction(tx.db, companyId, transactionId, { status, updated_at: at });
    if (status === 'success') {
      await insertEntries(tx.db, companyId, transactionId, {
        from: 'funding',
        to: 'wallet',
        micros: row.amount_micros,
        at,
      });
    }
    const amount = `$${toDollars(row.amount_micros).toFixed(2)}`;
    const title = status === 'success' ? 'Top-up confirmed' : 'Top-up declined';
    const text =
      status === 'success'
        ? `${amount} was added to your balance.`
        : `Your request for ${amount} was declined.`;
    await notify(engines, tx, companyId, { kind: 'top_up', title, text });
    balanceChanged(engines, tx, companyId);
    return readForm({ ...row, status, updated_at: at });
  });
}

function balanceChanged(engines: Engines, tx: Tx, companyId: string): void {
  tx.afterCommit(() => {
    const change = { entity: 'company', uuid: companyId, action: 'update' } as const;
    engines.entityChanged({ companyId, ...change });
    engines.realtime.toCompany(companyId, { type: 'entity', ...change });
  });
}

function readForm(row: TransactionRow): Transaction {
  return {
    uuid: row.uuid,
    kind: row.kind,
    status: row.status,
    amount: toDollars(row.amount_micros),
    description: row.description,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
