import rateLimit from '@fastify/rate-limit';
import type { Context } from '../../context.ts';
import type { Delivery } from '../../delivery/public.ts';
import {
  registerBidLog,
  registerCampaignReports,
  registerCompanyOverview,
  registerInsight,
} from '../../modules/insight/public.ts';
import { registerReconciliation } from '../../modules/money/public.ts';
import { registerMeasurement, registerPostbackReports } from '../../modules/measurement/public.ts';
import {
  exportQueue,
  registerExports,
  registerReports,
  reportQueue,
} from '../../modules/reporting/public.ts';
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
