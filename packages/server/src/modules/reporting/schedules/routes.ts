import rateLimit from '@fastify/rate-limit';
import * as destinationEndpoints from '@bidwell/contract/report-schedules/destination-endpoints';
import { REPORT_TESTS_PER_MINUTE } from '@bidwell/contract/report-schedules/destination-schema';
import * as endpoints from '@bidwell/contract/report-schedules/endpoints';
import { REPORT_SENDS_PER_MINUTE } from '@bidwell/contract/report-schedules/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { ONE_CLICK_BYTES_MAX, acceptOneClick } from '../../../platform/http/bodies/one-click.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
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
  route(http, endpoints.listReportSchedules, async (request) => ({
    data: await listReportSchedules(ctx, actorOf(request)),
  }));
  route(http, endpoints.createReportSchedule, async (request, reply) =>
    created(ctx, request, reply, () => createReportSchedule(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateReportSchedule, async (request) => ({
    data: await updateReportSchedule(ctx, actorOf(request), { ...request.body, ...request.params }),
  }));
  route(http, endpoints.deleteReportSchedule, async (request) => {
    await deleteReportSchedule(ctx, actorOf(request), request.params.uuid);
    return { data: { deleted: true as const } };
  });
  const keyGenerator = (request: FastifyRequest) => actorOf(request).companyId;
  const max = { max: REPORT_SENDS_PER_MINUTE, timeWindow: 60_000, keyGenerator };
  route(
    http,
    endpoints.sendReportNow,
    async (request) => ({ data: await sendReportNow(ctx, actorOf(request), request.params.uuid) }),
    { preHandler: limitTo(http, max, accountApiMessages.attempts) },
  );
  route(http, endpoints.listReportRuns, async (request) => ({
    data: { runs: await listReportRuns(ctx, actorOf(request), request.params.uuid) },
  }));
}

/** Registers the calls on webhooks and buckets of scheduled reports. */
export async function registerReportDestinations(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  route(http, destinationEndpoints.listReportDestinations, async (request) => ({
    data: { destinations: await listReportDestinations(ctx, actorOf(request)) },
  }));
  route(http, destinationEndpoints.createReportDestination, async (request, reply) => {
    const made = await createReportDestination(ctx, actorOf(request), request.body);
    return reply.code(201).header('cache-control', 'no-store').send({ data: made });
  });
  route(http, destinationEndpoints.deleteReportDestination, async (request) => {
    await deleteReportDestination(ctx, actorOf(request), request.params.uuid);
    return { data: { deleted: true as const } };
  });
  const keyGenerator = (request: FastifyRequest) => actorOf(request).companyId;
  const max = { max: REPORT_TESTS_PER_MINUTE, timeWindow: 60_000, keyGenerator };
  route(
    http,
    destinationEndpoints.testReportDestination,
    async (request) => ({ data: await testReportDestination(ctx, actorOf(request), request.params.uuid) }),
    { preHandler: limitTo(http, max, accountApiMessages.attempts) },
  );
}

/** Registers the call that ends the mails of a report, which needs no session. */
export async function registerReportUnsubscribe(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  acceptOneClick(http, endpoints.unsubscribeReport.path, '/unsubscribe-report');
  route(
    http,
    endpoints.unsubscribeReport,
    async (request) => ({ data: await unsubscribeReport(ctx, request.params.token) }),
    {
      preHandler: limitTo(http, { max: 60, timeWindow: 60_000 }, accountApiMessages.attempts),
      bodyLimit: ONE_CLICK_BYTES_MAX,
    },
  );
}
