import { limits } from '@bidwell/contract/lib/limits';
import { MICROS } from '@bidwell/contract/lib/money';
import type { LedgerCheck } from '@bidwell/contract/operator/schema';
import type { Db } from '../../platform/postgres/transaction.ts';
import {
  type LedgerSums,
  type TransactionWithEntries,
  sumsByCompany,
  transactionRanges,
  unbalancedTransactions,
} from './check-store.ts';

const BALANCE_MAX_MICROS = limits.balanceMaxDollars * MICROS;

/** A discrepancy in the ledger: where it is, whose, and both figures in micros. */
export interface Discrepancy {
  what: LedgerCheck['disagreements'][number]['what'];
  companyId: string;
  /** The transaction's uuid, the campaign and hour, the bid's id, or the company's id. */
  of: string;
  expectedMicros: number;
  foundMicros: number;
}

/** Size of the ledger; `balances` is the sum of all wallets in dollars, since in micros it may exceed 2^53. */
export type LedgerSize = Pick<LedgerCheck, 'transactions' | 'entries' | 'balances'>;

/**
 * Compares the transactions of the ledger with their entries, and balances with transactions and with their bound. Reads some
 * thousand transactions at a time, so that others use the connection in between: each transaction is read at one moment
 * together with its entries, the whole ledger is not.
 */
export async function checkEntries(db: Db): Promise<{ found: Discrepancy[]; size: LedgerSize }> {
  const found: Discrepancy[] = [];
  const companies = new Map<string, LedgerSums>();
  for await (const range of transactionRanges(db)) {
    for (const row of await unbalancedTransactions(db, range))
      found.push({ companyId: row.company_uuid, of: row.uuid, ...faultOf(row) });
    for (const [companyId, sums] of await sumsByCompany(db, range))
      companies.set(companyId, added(companies.get(companyId), sums));
  }
  for (const [companyId, { walletMicros, transactionsMicros }] of companies)
    if (walletMicros !== transactionsMicros)
      found.push({
        what: 'balance',
        companyId,
        of: companyId,
        expectedMicros: exact(transactionsMicros),
        foundMicros: exact(walletMicros),
      });
  for (const [companyId, { walletMicros }] of companies) {
    const foundMicros = exact(walletMicros);
    const expectedMicros = Math.sign(foundMicros) * BALANCE_MAX_MICROS;
    if (Math.abs(foundMicros) > BALANCE_MAX_MICROS)
      found.push({ what: 'bound', companyId, of: companyId, expectedMicros, foundMicros });
  }
  const { transactions, entries, walletMicros } = [...companies.values()].reduce(added, added());
  return { found, size: { transactions, entries, balances: Number(walletMicros) / MICROS } };
}

function faultOf(row: TransactionWithEntries): Omit<Discrepancy, 'companyId' | 'of'> {
  if (row.sum_micros !== 0 || row.foreign_entries > 0)
    return { what: 'entries', expectedMicros: 0, foundMicros: row.sum_micros };
  const expectedMicros = row.status === 'success' || row.kind === 'spend' ? row.amount_micros : 0;
  if (row.wallet_micros !== expectedMicros)
    return { what: 'transaction', expectedMicros, foundMicros: row.wallet_micros };
  return { what: 'margin', expectedMicros: row.margin_micros, foundMicros: row.margin_entries_micros };
}

const NOTHING: LedgerSums = { transactions: 0, entries: 0, walletMicros: 0n, transactionsMicros: 0n };

function added(a: LedgerSums = NOTHING, b: LedgerSums = NOTHING): LedgerSums {
  return {
    transactions: a.transactions + b.transactions,
    entries: a.entries + b.entries,
    walletMicros: a.walletMicros + b.walletMicros,
    transactionsMicros: a.transactionsMicros + b.transactionsMicros,
  };
}

/** An amount as a number, clamped to ±2^53 as other sums of the ledger are. */
function exact(micros: bigint): number {
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  return Math.min(Math.max(Number(micros), least), most);
}
