import type { Context } from '../../context.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { dailyLedgerCheck } from './ledger-check.ts';
import { issueDueInvoices } from './invoices/issue.ts';
import { rollUpLedger } from './roll-up.ts';

/** The jobs of the ledger and of invoices. */
export const moneyJobs = (ctx: Context): LedJob[] => [
  {
    name: 'check the ledger once a day',
    everyMs: 3_600_000,
    work: dailyLedgerCheck(ctx),
    readsEvents: true,
  },
  { name: 'issue invoices', everyMs: 3_600_000, work: () => issueDueInvoices(ctx) },
  { name: 'sum up old months of the ledger', everyMs: RETENTION_EVERY_MS, work: () => rollUpLedger(ctx) },
];
