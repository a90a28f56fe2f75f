import rateLimit from '@fastify/rate-limit';
import * as destinationEndpoints from '@bidwell/contract/report-schedules/destination-endpoints';
import { REPORT_TESTS_PER_MINUTE } from '@bidwell/contract/report-schedules/destination-schema';
import * as endpoints from '@bidwell/contract/report-schedules/endpoints';
import { REPORT_SENDS_PER_MINUTE } from '@bidwell/contract/report-schedules/schema';
import type { Context } from '../../../context.ts';
import { ONE_CLICK_BYTES_MAX, acceptOneClick } from '../../../platform/http/bodies/one-click.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import {
  createReportDestination,
  deleteReportDestination,
  listReportDestinations,
  testReportDestination,
} from './destinations/destinations.ts';
import { listReportRuns, sendReportNow } from './runs.ts';
import { unsubscribeReport } from './unsubscribe.ts';
import {
  createReportSchedule,
  deleteReportSchedule,
  listReportSchedules,
  updateReportSchedule,
} from './service.ts';

/** Registers the calls on scheduled reports. */
export async function registerReportSchedules(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  dataRoute(http, ctx, endpoints.listReportSchedules, listReportSchedules);
  createRoute(http, ctx, endpoints.createReportSchedule, createReportSchedule);
  dataRoute(http, ctx, endpoints.updateReportSchedule, updateReportSchedule);
  dataRoute(http, ctx, endpoints.deleteReportSchedule, answering({ deleted: true }, deleteReportSchedule));
  const perCompany = { preHandler: limitTo(http, { max: REPORT_SENDS_PER_MINUTE, per: 'company' }) };
  dataRoute(http, ctx, endpoints.sendReportNow, perCompany, sendReportNow);
  dataRoute(http, ctx, endpoints.listReportRuns, named('runs', listReportRuns));
}

/** Registers the calls on webhooks and buckets of scheduled reports. */
export async function registerReportDestinations(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  dataRoute(
    http,
    ctx,
    destinationEndpoints.listReportDestinations,
    named('destinations', listReportDestinations),
  );
  dataRoute(http, ctx, destinationEndpoints.createReportDestination, async (_, actor, body, reply) => {
    void reply.header('cache-control', 'no-store');
    return createReportDestination(ctx, actor, body);
  });
  dataRoute(
    http,
    ctx,
    destinationEndpoints.deleteReportDestination,
    answering({ deleted: true }, deleteReportDestination),
  );
  const perCompany = { preHandler: limitTo(http, { max: REPORT_TESTS_PER_MINUTE, per: 'company' }) };
  dataRoute(http, ctx, destinationEndpoints.testReportDestination, perCompany, testReportDestination);
}

/** Registers the call that ends the mails of a report, which needs no session. */
export async function registerReportUnsubscribe(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  acceptOneClick(http, endpoints.unsubscribeReport.path, '/unsubscribe-report');
  const limit = { preHandler: limitTo(http, { max: 60 }), bodyLimit: ONE_CLICK_BYTES_MAX };
  route(http, endpoints.unsubscribeReport, limit, async (request) => ({
    data: await unsubscribeReport(ctx, request.params.token),
  }));
}
