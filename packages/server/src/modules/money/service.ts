import type {
  Balance,
  Transaction,
  TransactionList,
  TransactionQuery,
} from '@bidwell/contract/finance/schema';
import { MICROS, type Micros, toDollars } from '@bidwell/contract/lib/money';
import { dollarsText } from '@bidwell/contract/lib/number-text';
import { limits } from '@bidwell/contract/lib/limits';
import { financeApiMessages } from '@bidwell/contract/finance/api-messages';
import { financeMessages } from '@bidwell/contract/finance/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { TopUpItem } from '@bidwell/contract/operator/schema';
import type { Context } from '../../context.ts';
import type { Actor, Author } from '../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../identity/public.ts';
import { spentTodayMicros } from '../reporting/public.ts';
import { recordAuditEntry, recordChange, recordOperatorChange } from '../changes/public.ts';
import { notify } from '../messaging/public.ts';
import {
  type FoldedRow,
  listFoldedRows,
  type LockedCompany,
  companyOfTransaction,
  countPendingTopUps,
  countTopUpsWaiting,
  countWalletsBelowZero,
  creditLimitMicros,
  creditLimitsOfAll,
  fundsMicrosOfAll,
  insertEntries,
  insertTransaction,
  listTransactionRows,
  lockCompany,
  pendingTopUpRows,
  setCreditLimit,
  walletMicros,
  walletMicrosOf,
  walletMicrosOfAll,
} from './store.ts';
import { spendText } from './statement.ts';
import { notifyWhenExhausted, takeBackExhausted } from './balance/balance-exhausted.ts';
import { lockOwned, setOwned } from '../../platform/postgres/stores/owned-store.ts';

const PENDING_TOP_UPS_MAX = 20;
const MOVE_MAX_MICROS = limits.moneyMoveMaxDollars * MICROS;
const BALANCE_MAX_MICROS = limits.balanceMaxDollars * MICROS;

/** Balance in the ledger, in micros: the sum of the wallet's entries. Negative after overspend. */
export async function balanceMicros(ctx: Context, companyId: string): Promise<Micros> {
  return walletMicros(ctx.db, companyId);
}

/** Balances of all companies, in micros. Companies without ledger entries are absent. */
export async function balanceMicrosOfAll(ctx: Context): Promise<Map<string, Micros>> {
  return walletMicrosOfAll(ctx.db);
}

/** Number of companies whose balance is below zero. Spend counts once it is booked, seconds before it is in the ledger. */
export async function companiesBelowZero({ db }: Context): Promise<number> {
  return countWalletsBelowZero(db);
}

/** Number of top-ups of all companies that wait for an operator. */
export async function topUpsWaiting({ db }: Context): Promise<number> {
  return countTopUpsWaiting(db);
}

/** The amount that campaigns may still spend, in micros: balance plus credit limit. Not above 0 when they do not bid. */
export async function availableMicros(ctx: Context, companyId: string): Promise<Micros> {
  return (await walletMicros(ctx.db, companyId)) + (await creditLimitMicros(ctx.db, companyId));
}

/** Balances of these companies, in micros. Companies without ledger entries are absent. */
export async function balanceMicrosOf(
  ctx: Context,
  companyIds: readonly string[],
): Promise<Map<string, Micros>> {
  return walletMicrosOf(ctx.db, companyIds);
}

/**
 * The amount that all companies may spend together, in micros: deposits less manual withdrawals, plus the credit limit. A sum outside
 * the safe integers is clamped to them and logged.
 */
export async function fundsOfAll(ctx: Context): Promise<Map<string, Micros>> {
  const funds = await fundsMicrosOfAll(ctx.db);
  for (const [companyId, micros] of funds) {
    if (Math.abs(micros) >= Number.MAX_SAFE_INTEGER)
      ctx.log.error({ companyId }, 'the balance of a company is out of range; run check-ledger');
  }
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  for (const [companyId, credit] of await creditLimitsOfAll(ctx.db))
    funds.set(companyId, Math.max(least, Math.min(most, (funds.get(companyId) ?? 0) + credit)));
  return funds;
}

/** Balance in dollars, and spend since midnight in the company's time zone. */
export async function readBalance(ctx: Context, actor: Actor): Promise<Balance> {
  requirePermission(actor, 'money.read');
  const { balance, credit_limit } = await readFunds(ctx, actor.companyId);
  const spentToday = await spentTodayMicros(ctx, actor);
  return { balance, currency: 'USD', spent_today: toDollars(spentToday), credit_limit };
}

/** Balance and credit limit of a company, in dollars. */
export async function readFunds(
  ctx: Context,
  companyId: string,
): Promise<Pick<Balance, 'balance' | 'credit_limit'>> {
  return {
    balance: toDollars(await walletMicros(ctx.db, companyId)),
    credit_limit: toDollars(await creditLimitMicros(ctx.db, companyId)),
  };
}

/** One page of a company's transactions, newest first, and the number of all of them; see {@link TransactionQuery}. */
export async function listTransactions(
  ctx: Context,
  actor: Actor,
  query: TransactionQuery,
): Promise<TransactionList> {
  requirePermission(actor, 'money.read');
  const { companyId } = actor;
  if (query.fold === 'day') {
    const timeZone = await timeZoneOf(ctx.db, companyId);
    const { rows, total } = await listFoldedRows(ctx.db, companyId, query, timeZone);
    return { transactions: rows.map(presentFolded), total };
  }
  const { rows, total } = await listTransactionRows(ctx.db, companyId, query);
  return { transactions: rows.map(presentTransaction), total };
}

/** Money that an operator moves to or from a company. */
interface MoneyMove {
  companyId: string;
  /** Above 0. */
  micros: Micros;
  reason: string;
}

/**
 * Credits a company. Throws Invalid, NotFound; Conflict if the balance would
 * exceed its bound.
 */
export async function creditCompany(ctx: Context, operator: Operator, move: MoneyMove): Promise<Transaction> {
  requireOperatorPermission(operator, 'money.write');
  return moveManually(ctx, operator, 'credit', move);
}

/** Debits a company. Throws Invalid, NotFound; Conflict if the balance and the credit limit are smaller. */
export async function debitCompany(ctx: Context, operator: Operator, move: MoneyMove): Promise<Transaction> {
  requireOperatorPermission(operator, 'money.write');
  return moveManually(ctx, operator, 'debit', move);
}

async function moveManually(
  ctx: Context,
  operator: Operator,
  kind: 'credit' | 'debit',
  { companyId, micros, reason }: MoneyMove,
): Promise<Transaction> {
  requireAmount(micros);
  return transact(ctx.db, async (tx) => {
    const { name, credit_limit_micros: creditMicros } = await requireCompany(tx, companyId);
    const before = await walletMicros(tx.db, companyId);
    if (kind === 'debit') requireFunds(before, creditMicros, micros);
    if (kind === 'credit') requireRoom(before, micros);
    const at = ctx.now();
    const amountMicros = kind === 'credit' ? micros : -micros;
    const transaction = { kind, status: 'success', amountMicros, description: reason, at } as const;
    const row = await insertTransaction(tx.db, companyId, transaction);
    const [from, to] =
      kind === 'credit' ? (['funding', 'wallet'] as const) : (['wallet', 'funding'] as const);
    await insertEntries(tx.db, companyId, row.uuid, { from, to, micros, at });
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name,
      done: kind === 'credit' ? 'Credited' : 'Debited',
      reason,
      before: { balance: toDollars(before) },
      after: { balance: toDollars(before + amountMicros) },
      audited: { amount: toDollars(micros) },
    });
    const moved = { afterMicros: before + amountMicros, creditMicros };
    if (kind === 'credit') await takeBackExhausted(ctx, tx, companyId, moved);
    else await notifyWhenExhausted(ctx, tx, companyId, { beforeMicros: before, ...moved });
    return presentTransaction(row);
  });
}

/** Requests a top-up, which stays pending until an operator decides it. Throws Invalid; Conflict if 20 are pending. */
export async function requestTopUp(ctx: Context, actor: Actor, micros: Micros): Promise<Transaction> {
  requirePermission(actor, 'money.write');
  requireAmount(micros);
  return transact(ctx.db, async (tx) => {
    const { name } = await requireCompany(tx, actor.companyId);
    if ((await countPendingTopUps(tx.db, actor.companyId)) >= PENDING_TOP_UPS_MAX) {
      throw new Conflict(financeApiMessages.topUpsWaiting(PENDING_TOP_UPS_MAX));
    }
    const row = await insertTransaction(tx.db, actor.companyId, {
      kind: 'top_up',
      status: 'pending',
      amountMicros: micros,
      description: 'Top-up request',
      at: ctx.now(),
    });
    await recordMoney(ctx, tx, actor, name, {
      before: null,
      after: { top_up: toDollars(micros), top_up_status: 'pending' },
    });
    return presentTransaction(row);
  });
}

/** Pending top-ups of all companies, oldest first, at most 1000. */
export async function pendingTopUps(ctx: Context, operator: Operator): Promise<TopUpItem[]> {
  requireOperatorPermission(operator, 'money.read');
  const rows = await pendingTopUpRows(ctx.db);
  return rows.map((row) => ({
    uuid: row.uuid,
    company_uuid: row.company_uuid,
    company_name: row.company_name,
    amount: toDollars(row.amount_micros),
    created_at: row.created_at.toISOString(),
  }));
}

/**
 * Confirms a pending top-up, which moves the money, or declines it. Notifies the company. Throws
 * NotFound; Conflict if it is decided already or the balance would exceed its bound.
 */
export async function decideTopUp(
  ctx: Context,
  operator: Operator,
  { transactionId, status }: { transactionId: string; status: 'success' | 'declined' },
): Promise<Transaction> {
  requireOperatorPermission(operator, 'money.write');
  return transact(ctx.db, async (tx) => {
    const companyId = await companyOfTransaction(tx.db, transactionId);
    if (!companyId) throw new NotFound('Top-up');
    const { name, credit_limit_micros: creditMicros } = await requireCompany(tx, companyId);
    const row = await lockOwned(tx.db, 'ledger_transactions', companyId, transactionId);
    if (row?.kind !== 'top_up') throw new NotFound('Top-up');
    if (row.status !== 'pending') throw new Conflict(financeApiMessages.topUpDecided(row.status));
    const at = ctx.now();
    const before = await walletMicros(tx.db, companyId);
    const micros = row.amount_micros;
    if (status === 'success') requireRoom(before, micros);
    await setOwned(tx.db, 'ledger_transactions', companyId, transactionId, { status, updated_at: at });
    if (status === 'success') {
      const move = { from: 'funding', to: 'wallet', micros, at } as const;
      await insertEntries(tx.db, companyId, transactionId, move);
      await takeBackExhausted(ctx, tx, companyId, { afterMicros: before + micros, creditMicros });
    }
    await recordMoney(ctx, tx, { companyId, userId: null }, name, {
      before: { balance: toDollars(before), top_up_status: 'pending' },
      after: { balance: toDollars(status === 'success' ? before + micros : before), top_up_status: status },
    });
    await recordAuditEntry(ctx, tx, operator, {
      action: status === 'success' ? 'Confirmed' : 'Declined',
      entity: 'top-up',
      entityId: transactionId,
      companyId,
      name,
      before: { balance: toDollars(before), status: 'pending' },
      after: {
        balance: toDollars(status === 'success' ? before + micros : before),
        status,
        amount: toDollars(micros),
      },
    });
    await notify(ctx, tx, companyId, {
      kind: 'top_up',
      ...(status === 'success'
        ? notificationMessages.topUpConfirmed(inDollars(micros))
        : notificationMessages.topUpDeclined(inDollars(micros))),
      entity: { type: 'company', uuid: companyId },
    });
    return presentTransaction({ ...row, status, updated_at: at });
  });
}

/**
 * Sets how far below zero a company's balance may go. Notifies the company and its bidders' budgets. The caller's
 * transaction writes the operator's audit entry. Throws NotFound.
 */
export async function changeCreditLimit(
  ctx: Context,
  tx: Tx,
  companyId: string,
  micros: Micros,
): Promise<void> {
  const { name, credit_limit_micros: before } = await requireCompany(tx, companyId);
  if (before === micros) return;
  await setCreditLimit(tx.db, companyId, micros);
  await recordMoney(ctx, tx, { companyId, userId: null }, name, {
    before: { credit_limit: toDollars(before) },
    after: { credit_limit: toDollars(micros) },
  });
  const afterMicros = await walletMicros(tx.db, companyId);
  await takeBackExhausted(ctx, tx, companyId, { afterMicros, creditMicros: micros });
  await notify(ctx, tx, companyId, {
    kind: 'company',
    ...notificationMessages.creditLimitChanged(inDollars(micros)),
    entity: { type: 'company', uuid: companyId },
  });
}

async function requireCompany(tx: Tx, companyId: string): Promise<LockedCompany> {
  const company = await lockCompany(tx.db, companyId);
  if (!company) throw new NotFound('Company');
  return company;
}

/** Writes the company's change-log row. On commit, the bidder and open pages are notified of it. */
async function recordMoney(
  ctx: Context,
  tx: Tx,
  author: Author,
  name: string,
  change: { before: Record<string, unknown> | null; after: Record<string, unknown> },
): Promise<void> {
  const { companyId: uuid } = author;
  await recordChange(ctx, tx, author, { entity: 'company', uuid, name, action: 'update', ...change });
}

function requireAmount(micros: Micros): void {
  if (!Number.isSafeInteger(micros) || micros <= 0) {
    throw new Invalid([{ field: 'amount', message: financeApiMessages.amountPositive }]);
  }
  if (micros > MOVE_MAX_MICROS)
    throw new Invalid([{ field: 'amount', message: financeMessages.moneyMoveMax }]);
}

function requireFunds(balance: Micros, creditMicros: Micros, micros: Micros): void {
  if (micros <= balance + creditMicros) return;
  throw new Conflict(
    creditMicros === 0
      ? financeApiMessages.balanceOnly(inDollars(balance))
      : financeApiMessages.balanceWithCredit(inDollars(balance), inDollars(creditMicros)),
  );
}

function requireRoom(balance: Micros, micros: Micros): void {
  if (balance + micros > BALANCE_MAX_MICROS)
    throw new Conflict(financeMessages.balanceMax(inDollars(balance)));
}

const inDollars = (micros: Micros): string => dollarsText(toDollars(micros));

function presentFolded({ folded, ...row }: FoldedRow): Transaction {
  if (folded === null) return presentTransaction(row);
  const { campaigns, is_month: isMonth } = folded;
  return { ...presentTransaction({ ...row, description: spendText(campaigns, isMonth) }), folded };
}

function presentTransaction(row: Omit<FoldedRow, 'folded'>): Transaction {
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
