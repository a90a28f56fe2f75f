import type { Engines } from '../../engines.ts';
import { disagreeingBalances, disagreeingTransactions } from './check-store.ts';
import { countedSpend, postedSpend } from './spend-store.ts';

/** Something in the books that does not agree: which, of whom, and both figures in micros. */
export interface Disagreement {
  what: 'entries' | 'transaction' | 'balance' | 'spend';
  companyId: string;
  /** The transaction's uuid, or the campaign and hour, or the company. */
  of: string;
  expectedMicros: number;
  foundMicros: number;
}

/**
 * Everything in the ledger that does not agree with itself or with the events; empty when the books are right: entries
 * sum to zero, transactions equal their entries, balances equal their transactions, and each campaign's hour holds what
 * its events spent. Reads all of history. Spend that has not been posted yet is a disagreement: post first.
 */
export async function checkLedger(engines: Engines): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  for (const row of await disagreeingTransactions(engines.db)) {
    const unbalanced = row.sum_micros !== 0 || row.foreign_entries > 0;
    const counts = row.status === 'success' || row.kind === 'spend';
    found.push({
      what: unbalanced ? 'entries' : 'transaction',
      companyId: row.company_uuid,
      of: row.uuid,
      expectedMicros: unbalanced ? 0 : counts ? row.amount_micros : 0,
      foundMicros: unbalanced ? row.sum_micros : row.wallet_micros,
    });
  }
  for (const row of await disagreeingBalances(engines.db)) {
    found.push({
      what: 'balance',
      companyId: row.company_uuid,
      of: row.company_uuid,
      expectedMicros: row.transactions_micros,
      foundMicros: row.wallet_micros,
    });
  }
  return [...found, ...(await disagreeingSpend(engines))];
}

async function disagreeingSpend(engines: Engines): Promise<Disagreement[]> {
  const counted = await countedSpend(engines.clickhouse, 0);
  const posted = await postedSpend(engines.db, 0);
  const hours = new Map<string, { companyId: string; of: string; counted: number; posted: number }>();
  const hourOf = (hour: { companyId: string; campaignId: string; hourMs: number }) => {
    const of = `${hour.campaignId} ${new Date(hour.hourMs).toISOString()}`;
    const key = `${hour.companyId} ${of}`;
    const known = hours.get(key) ?? { companyId: hour.companyId, of, counted: 0, posted: 0 };
    hours.set(key, known);
    return known;
  };
  for (const hour of counted) hourOf(hour).counted += hour.micros;
  for (const hour of posted) hourOf(hour).posted += hour.micros;
  return [...hours.values()]
    .filter((hour) => hour.counted !== hour.posted)
    .map(({ companyId, of, counted: expectedMicros, posted: foundMicros }) => ({
      what: 'spend' as const,
      companyId,
      of,
      expectedMicros,
      foundMicros,
    }));
}
