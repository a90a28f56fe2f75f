import { PGlite } from '@electric-sql/pglite';
import { appendEntries, lockHours, moveHours } from '@bidwell/server/modules/money/spend-store';
import { connectPostgres } from '@bidwell/server/platform/postgres/client';
import { join } from 'node:path';
import { inThread } from './pglite-in-thread.ts';

/** Spend of a campaign in an hour that is long past. */
export interface PastSpend {
  companyId: string;
  campaignId: string;
  /** Start of the hour. */
  at: Date;
  micros: number;
}

/**
 * Books spend in the embedded database of a server that is halted, in its DATA_DIR, for a company that was created then. A running server
 * books spend of the present only.
 */
export async function bookPastSpend(
  folder: string,
  { companyId, campaignId, at, micros }: PastSpend,
): Promise<void> {
  const db = await connectPostgres({ embedded: inThread(new PGlite(join(folder, 'postgres'))) });
  try {
    await db.updateTable('companies').set({ created_at: at }).where('uuid', '=', companyId).execute();
    const hours = [{ companyId, campaignId, hourMs: at.getTime(), description: 'Spend' }];
    const [hour] = await lockHours(db, hours, at);
    const { transactionId } = hour!;
    const steps = [{ transactionId, companyId, micros, marginMicros: 0, status: 'success' as const }];
    await appendEntries(db, steps, at);
    await moveHours(db, steps, at);
  } finally {
    await db.destroy();
  }
}
