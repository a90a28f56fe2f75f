import rateLimit from '@fastify/rate-limit';
import type { Context } from '../../context.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import { registerBidLog } from '../../modules/bid-log/routes.ts';
import { registerCampaignReports } from '../../modules/campaign-reports/routes.ts';
import { registerCompanyOverview } from '../../modules/company-overview/routes.ts';
import { registerReconciliation } from '../../modules/finance/routes.ts';
import { registerInsight } from '../../modules/insight/routes.ts';
import { registerMeasurement } from '../../modules/measurement/routes.ts';
import { registerPostbackReports } from '../../modules/skadnetwork/routes.ts';
import { exportQueue } from '../../modules/reports/export-queue.ts';
import { reportQueue } from '../../modules/reports/report-queue.ts';
import { registerExports, registerReports } from '../../modules/reports/routes.ts';
import type { Http } from '../../platform/http/server.ts';

/** Registers the calls that read events, which share two fair queues: one for reports, one for exports. */
export async function registerReportCalls(
  http: Http,
  ctx: Context,
  delivery: Pick<Delivery, 'market' | 'forecaster'>,
): Promise<void> {
  await http.register(rateLimit, { global: false });
  const reports = reportQueue(http, ctx.config);
  const exports = exportQueue(http, ctx.config);
  registerReports(http, ctx, reports);
  registerExports(http, ctx, exports);
  registerBidLog(http, ctx, { reports, exports });
  registerMeasurement(http, ctx, reports);
  registerPostbackReports(http, ctx, reports);
  registerReconciliation(http, ctx, reports);
  registerCampaignReports(http, ctx, reports);
  registerCompanyOverview(http, ctx, reports);
  registerInsight(http, ctx, delivery, reports);
}
