import type { Context } from '../../context.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { deleteExpiredAuditEntries } from './audit-log.ts';
import { deleteExpiredChanges } from './service.ts';

/** The jobs of change logs. */
export const changeJobs = (ctx: Context): LedJob[] => [
  {
    name: 'delete old changes of entities',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredChanges(ctx),
  },
  {
    name: 'delete old audit entries',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredAuditEntries(ctx),
  },
];
