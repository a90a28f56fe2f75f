import { deleteBatchesBefore } from '../../delivery/pacing/lease-store.ts';
import type { Context } from '../../context.ts';
import { deleteExpiredDeliveries } from '../../modules/alerts/deliveries.ts';
import { deleteExpiredAuditEntries } from '../../modules/changes/audit-log.ts';
import { deleteExpiredChanges } from '../../modules/changes/service.ts';
import { rollUpLedger } from '../../modules/finance/roll-up.ts';
import { deleteExpiredNotifications } from '../../modules/notifications/service.ts';
import { deleteExpiredErasures } from '../../modules/operator/device-erasures.ts';
import { deleteExpiredRuns } from '../../modules/report-schedules/runs.ts';
import { deleteExpiredInstallPostbacks } from '../../modules/skadnetwork/retention.ts';
import { deleteOlderThan } from '../../platform/postgres/delete-in-batches.ts';

/** What grows with use and is deleted or summed up by age: the jobs of one process do so as the settings say. */
export const retentionJobs: readonly { name: string; work: (ctx: Context) => Promise<unknown> }[] = [
  { name: 'delete old changes of entities', work: deleteExpiredChanges },
  { name: 'delete old notifications', work: deleteExpiredNotifications },
  { name: 'delete old deliveries of alerts', work: deleteExpiredDeliveries },
  { name: 'delete old scheduled reports', work: deleteExpiredRuns },
  { name: 'delete old audit entries', work: deleteExpiredAuditEntries },
  { name: 'delete old erasures of devices', work: deleteExpiredErasures },
  { name: 'delete old install postbacks', work: deleteExpiredInstallPostbacks },
  { name: 'delete marks of abandoned batches', work: deleteAbandonedBatches },
  { name: 'sum up old months of the ledger', work: rollUpLedger },
];

/** Age of a batch, in days, at which its mark is deleted: the disk with its events has not come back until then. */
const BATCH_DAYS = 90;

async function deleteAbandonedBatches(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, BATCH_DAYS, deleteBatchesBefore);
}
