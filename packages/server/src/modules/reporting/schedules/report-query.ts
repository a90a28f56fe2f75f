import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import type { ExportQuery, ReportContent } from '@bidwell/contract/reports/schema';
import { Invalid } from '../../../platform/errors.ts';
import { countsQueryOf } from '../level-report.ts';
import type { ReportPeriod } from './due-times.ts';

/** The query of a stored report for a period. Pure. */
export function reportQuery(report: ReportContent, { start, end }: ReportPeriod): ExportQuery {
  return { ...report, start_date: start, end_date: end };
}

/** Throws Invalid for a report that would be rejected, with the fields within `report`. */
export function requireValidReport(
  report: ReportContent,
  { period, timeZone, now }: { period: ReportPeriod; timeZone: string; now: Date },
): void {
  const levels = Object.keys(report.levels) as ReportLevel[];
  try {
    countsQueryOf({ ...period, timeZone }, levels, reportQuery(report, period), now.getTime());
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const fields = error.fields.map(({ field, message }) => ({ field: `report.${field}`, message }));
    throw new Invalid(fields, error.message);
  }
}
