import type { ReportRun } from '@bidwell/contract/report-schedules/schema';
import type { RunRow } from './run-store.ts';

/** A report of a schedule as a response has it. Pure. */
export function presentRun(row: RunRow): ReportRun {
  const { uuid, start_date, end_date, status, attempts, rows, mailed_to, error } = row;
  return {
    uuid,
    start_date,
    end_date,
    status,
    attempts,
    rows,
    mailed: mailed_to.length,
    error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
