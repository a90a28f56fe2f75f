import rateLimit from '@fastify/rate-limit';
import type { Engines } from '../../context.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import { registerBidLog } from '../../modules/bid-log/routes.ts';
import { registerCampaignReports } from '../../modules/campaign-reports/routes.ts';
import { registerReconciliation } from '../../modules/finance/routes.ts';
import { registerInsight } from '../../modules/insight/routes.ts';
import { registerMeasurement } from '../../modules/measurement/routes.ts';
import { exportQueue } from '../../modules/reports/export-queue.ts';
import { reportQueue } from '../../modules/reports/report-queue.ts';
import { registerExports, registerReports } from '../../modules/reports/routes.ts';
import type { Http } from '../../platform/http/server.ts';

/** Registers the calls that read events, which share two fair queues: one for reports, one for exports. */
export async function registerReportCalls(
  http: Http,
  engines: Engines,
  delivery: Pick<Delivery, 'market' | 'forecaster'>,
): Promise<void> {
  await http.register(rateLimit, { global: false });
  const reports = reportQueue(http, engines.config);
  const exports = exportQueue(http, engines.config);
  registerReports(http, engines, reports);
  registerExports(http, engines, exports);
  registerBidLog(http, engines, { reports, exports });
  registerMeasurement(http, engines, reports);
  registerReconciliation(http, engines, reports);
  registerCampaignReports(http, engines, reports);
  registerInsight(http, engines, delivery, reports);
}
