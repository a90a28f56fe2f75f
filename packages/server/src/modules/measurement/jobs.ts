import type { Context } from '../../context.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { deleteExpiredInstallPostbacks } from './skadnetwork/postback-report.ts';

/** The jobs of measurement. */
export const measurementJobs = (ctx: Context): LedJob[] => [
  {
    name: 'delete old install postbacks',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredInstallPostbacks(ctx),
  },
];
