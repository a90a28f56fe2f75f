import type { Context } from '../../context.ts';
import { ADOPT_EVERY, type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { planReports, adoptReports } from './schedules/report-messages.ts';
import { deleteExpiredRuns } from './schedules/runs.ts';
import { deleteOldWarehouseRuns, planWarehouseRuns } from './warehouse/export-run.ts';

/** The jobs of scheduled reports and of exports, each of which is begun within `reportsEveryMs` milliseconds. */
export const reportingJobs = (ctx: Context, reportsEveryMs: number): LedJob[] => [
  { name: 'plan scheduled reports', everyMs: reportsEveryMs, work: () => planReports(ctx) },
  {
    name: 'queue reports that an earlier release left waiting',
    everyMs: ADOPT_EVERY * reportsEveryMs,
    work: () => adoptReports(ctx),
  },
  { name: 'plan exports of events', everyMs: reportsEveryMs, work: () => planWarehouseRuns(ctx) },
  {
    name: 'delete old exports of events',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteOldWarehouseRuns(ctx),
  },
  { name: 'delete old scheduled reports', everyMs: RETENTION_EVERY_MS, work: () => deleteExpiredRuns(ctx) },
];
