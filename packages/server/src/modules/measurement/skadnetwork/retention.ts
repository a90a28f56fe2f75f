import type { Context } from '../../../context.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { deleteInstallPostbacksBefore, deleteRejectedBefore } from './postback-report-store.ts';

/** Deletes install postbacks by the retention of events, and counts of rejected ones by that of postbacks. */
export async function deleteExpiredInstallPostbacks(ctx: Context): Promise<void> {
  const { events, postbacks } = ctx.config.retentionDays;
  if (events !== null) await deleteOlderThan(ctx, events, deleteInstallPostbacksBefore);
  await deleteOlderThan(ctx, postbacks, deleteRejectedBefore);
}
