import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { latestPeriod, nextDue } from './due-times.ts';
import { queueReport } from './report-messages.ts';
import { insertRun } from './run-store.ts';
import { lockDueSchedules, updateScheduleRow } from './schedule-store.ts';

/** Schedules of one call. */
const PLANNED_MAX = 100;

/**
 * Writes the reports of schedules that are due. What was missed while no server ran is written once, for the latest period. Each
 * period has one report, however many servers run this.
 */
export async function planReports(ctx: Context): Promise<void> {
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    const { db } = tx;
    for (const due of await lockDueSchedules(db, { now, limit: PLANNED_MAX })) {
      const { uuid, company_uuid: companyId, time_zone: timeZone } = due;
      const times = { ...due, timeZone };
      const period = latestPeriod(now, times);
      const run = await insertRun(db, companyId, { uuid: uuidv7(), scheduleId: uuid, period, at: now });
      if (run) await queueReport(ctx, tx, run);
      await updateScheduleRow(db, companyId, uuid, { next_at: nextDue(now, times) });
    }
  });
}
