/** Interface of reporting for other parts of the server. */
export type { DateRange } from './buckets.ts';
export { bucketsIn, periodOf, rangeOf } from './buckets.ts';
export type { ExportQueue, Export } from './export.ts';
export { exportQueue, startExport, withinExportLimits } from './export.ts';
export { isZero, remainderOf, sumOf, zeroCounts } from './figures.ts';
export type { CountsRow } from './query/counts-store.ts';
export { eventRulesSql } from './query/event-rules-sql.ts';
export { CHARGED_BID, csvTextSql, streamFile } from './query/event-store.ts';
export type { Period } from './query/plan.ts';
export { reEngagementCampaigns } from './query/re-engagement-store.ts';
export type { OfferedApp } from './query/publisher-app-store.ts';
export { offeredApps } from './query/publisher-app-store.ts';
export {
  ROWS_MAX,
  countForReport,
  exportSettings,
  reportSettings,
  reportTooLarge,
  withinReportLimits,
} from './report-limits.ts';
export type { ReportQueue } from './report-queue.ts';
export { reportQueue, reportRoute } from './report-queue.ts';
export { registerExports, registerReports } from './routes.ts';
export { reportMessages } from './schedules/report-messages.ts';
export {
  registerReportDestinations,
  registerReportSchedules,
  registerReportUnsubscribe,
} from './schedules/routes.ts';
export type { RecentSpend } from './service.ts';
export {
  adsetSpendSince,
  cohortOfRange,
  costsOfDays,
  countsOfAdsets,
  countsOfHours,
  countsOfToday,
  metricsOfRange,
  recentSpendOf,
  spendByBucket,
  spentBetweenMicros,
  spentTodayMicros,
} from './service.ts';
export { namesOf } from './names.ts';
export { reportingJobs } from './jobs.ts';
export { warehouseRuns } from './warehouse/export-run.ts';
export { registerWarehouseExport } from './warehouse/routes.ts';
