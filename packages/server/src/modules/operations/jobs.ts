import type { Context } from '../../context.ts';
import type { Delivery } from '../../delivery/public.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { type OpenErasures, carryOutErasures, deleteExpiredErasures } from './device-erasures.ts';
import { mailOperatorAlerts } from './operator-alerts.ts';
import { allocateNumbers } from './skadnetwork/skadnetwork-store.ts';

/** The jobs of operators. The erasure of a device begins within two seconds. */
export const operationJobs = (ctx: Context, delivery: Delivery): LedJob[] => {
  const openErasures: OpenErasures = new Map();
  return [
    { name: 'mail what operators are warned of', everyMs: 600_000, work: () => mailOperatorAlerts(ctx) },
    { name: 'give numbers of SKAdNetwork to ad sets', everyMs: 5000, work: () => allocateNumbers(ctx) },
    {
      name: 'erase devices',
      everyMs: 2000,
      work: () => carryOutErasures(ctx, delivery, openErasures),
      readsEvents: true,
    },
    {
      name: 'delete old erasures of devices',
      everyMs: RETENTION_EVERY_MS,
      work: () => deleteExpiredErasures(ctx),
    },
  ];
};
