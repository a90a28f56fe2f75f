/** The public interface of insight for other parts of the server. */
export { registerAlertRules } from './alert-rules/routes.ts';
export { registerBidLog } from './bid-log/routes.ts';
export { registerCampaignReports } from './campaign-reports/routes.ts';
export { registerCompanyOverview } from './company-overview/routes.ts';
export { startForecastRecorder } from './forecast/recorder.ts';
export type { LiveMetrics } from './live.ts';
export { liveMetrics } from './live.ts';
export { registerInsight } from './routes.ts';
export { insightJobs } from './jobs.ts';
