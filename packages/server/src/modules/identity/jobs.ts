import type { Context } from '../../context.ts';
import type { LedJob } from '../../platform/jobs/leadership.ts';
import { deleteExpiredSessions } from './sessions/session-store.ts';
import { deleteExpiredViewerSessions } from './sessions/viewer-sessions.ts';
import { checkDomainRecords } from './sso/domains.ts';

/** The jobs of accounts. */
export const identityJobs = (ctx: Context): LedJob[] => [
  {
    name: 'look for DNS records of mail domains',
    everyMs: 3_600_000,
    work: (stopping) => checkDomainRecords(ctx, stopping),
  },
  {
    name: 'delete expired sessions',
    everyMs: 3_600_000,
    work: () => deleteExpiredSessions(ctx.db, ctx.now()),
  },
  {
    name: 'delete expired viewer sessions',
    everyMs: 3_600_000,
    work: () => deleteExpiredViewerSessions(ctx.db, ctx.now()),
  },
];
