import type { Context } from '../../context.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { deleteExpiredCosts, planPartnerCosts } from './partner-costs/cost-messages.ts';
import { deleteExpiredCopies, queuePostbackCopies } from './postback-copies/copy-messages.ts';
import { deleteExpiredInstallPostbacks } from './skadnetwork/postback-report.ts';

/** The jobs of measurement. Costs and copies of postbacks for measurement partners are begun within `partnersEveryMs` milliseconds. */
export const measurementJobs = (ctx: Context, partnersEveryMs: number): LedJob[] => [
  {
    name: 'begin to send costs to measurement partners',
    everyMs: partnersEveryMs,
    work: () => planPartnerCosts(ctx),
  },
  { name: 'queue copies of postbacks', everyMs: partnersEveryMs, work: () => queuePostbackCopies(ctx) },
  {
    name: 'delete old costs of measurement partners',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredCosts(ctx),
  },
  {
    name: 'delete old copies of postbacks',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredCopies(ctx),
  },
  {
    name: 'delete old install postbacks',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredInstallPostbacks(ctx),
  },
];
